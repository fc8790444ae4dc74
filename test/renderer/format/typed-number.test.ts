import { afterEach, describe, expect, it, vi } from 'vitest';
import type { DatasetField } from '../../../src/shared/datasets/fields.ts';
import { inputText, typedNumber } from '../../../src/renderer/format/numbers.ts';

it.each([
  ['12', 12],
  [' 1,250.5 ', 1250.5],
  ['-1,234,567', -1_234_567],
  ['−5', -5],
  ['1e3', 1000],
])('“%s” is the number %d', (text, number) => {
  expect(typedNumber(text)).toBe(number);
});

it('an empty text is no number, and others are wrong', () => {
  expect([typedNumber(''), typedNumber('  ')]).toEqual([null, null]);
  expect(['0,125', '3,5', '1,25', '12,3456', 'Infinity', 'ft', '1 2'].map(typedNumber)).toEqual(
    Array.from({ length: 7 }, () => undefined),
  );
});

describe('in a window with a decimal comma', () => {
  afterEach(() => {
    vi.restoreAllMocks();
    vi.resetModules();
  });
  /** The numbers of a window in German. */
  async function german() {
    const { NumberFormat } = Intl;
    vi.spyOn(Intl, 'NumberFormat').mockImplementation(function format(locale, options) {
      return new NumberFormat(locale ?? 'de', options);
    });
    vi.resetModules();
    const numbers = await import('../../../src/renderer/format/numbers.ts');
    numbers.formatCount(1);
    return numbers;
  }

  it('numbers are read as it shows them, and with a decimal point; what could be either is refused', async () => {
    const { typedNumber: read, formatValue } = await german();
    expect(formatValue(1250.5)).toBe('1.250,5');
    const texts = ['1.250,5', '1.250.000', '0,125', '0.125', '1,250', '1250.125', '1.5', '-7210,25'];
    expect(texts.map(read)).toEqual([1250.5, 1_250_000, 0.125, 0.125, 1.25, 1250.125, 1.5, -7210.25]);
    expect(['1.250', '-12.500', '1,250.5', '1.25.0'].map(read)).toEqual(
      Array.from({ length: 4 }, () => undefined),
    );
  });

  it('filters and recipes read a number as the window shows it', async () => {
    await german();
    const { constantValue } =
      await import('../../../src/renderer/features/upload/columns/mapping-choices.ts');
    const { filterValueText, listedValues, listKindOf, readFilterValues } =
      await import('../../../src/renderer/features/query/filters/filter-values.ts');
    const { number } = await import('../../../src/renderer/features/query/recipes/recipe-needs.ts');
    const ofTypes = (...types: DatasetField['types']) => ({ path: 'rop', from: 'sample', types }) as const;
    for (const field of [ofTypes('number'), ofTypes('number', 'string'), ofTypes()]) {
      expect(readFilterValues('is', ['1.250'], field)).toBeNull();
      expect(readFilterValues('is', ['1250.5'], field)).toEqual([1250.5]);
      // As the query has it.
      expect(filterValueText(1.125)).toBe('1,125');
      expect(readFilterValues('is', ['1,125'], field, [1.125])).toEqual([1.125]);
    }
    const listed = listedValues('1,5; 2', [], listKindOf(ofTypes('number', 'string')));
    expect(readFilterValues('oneOf', listed, ofTypes('number', 'string'))).toEqual([1.5, 2]);
    expect(listedValues('1,5', [], listKindOf(ofTypes('number')))).toEqual(['1,5']);
    expect(listedValues('1,2', [], listKindOf(ofTypes('integer')))).toEqual(['1', '2']);
    expect(listedValues('Rig 7,Rig 8', [], listKindOf(ofTypes('string')))).toEqual(['Rig 7', 'Rig 8']);
    expect(['1.250', '1,5', '0'].map((text) => constantValue(text, 'number'))).toEqual(['1.250', 1.5, 0]);
    const typed = ['1.250,5', '1,125', '12,5'];
    expect(readFilterValues('oneOf', typed, ofTypes('number'))).toEqual([1250.5, 1.125, 12.5]);
    expect(readFilterValues('oneOf', typed.slice(1), ofTypes('number'))).toEqual([1.125, 12.5]);
    expect(['1.250', '1.250,5', '2,5', ''].map(number)).toEqual([undefined, 1250.5, 2.5, undefined]);
  });

  it('a number in a field is read as it was', async () => {
    const { typedNumber: read, inputText: write, setFormatStyle } = await german();
    const values = [1.125, 1250, 0.5, -7210.25, 1e-7];
    expect(values.map(write).map(read)).toEqual(values);
    setFormatStyle({ numbers: 'plain', dates: 'iso' });
    expect([write(1.125), read('1.250')]).toEqual(['1.125', 1.25]);
  });
});

it('a number in a field is read as it was, with a decimal point', () => {
  expect([inputText(1250.5), typedNumber(inputText(1.125))]).toEqual(['1250.5', 1.125]);
});
