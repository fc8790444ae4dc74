import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nullsOf } from '../../../../src/shared/upload/null-tokens.ts';
import { converter, notesFor, numberText, Unfit } from '../../../../src/main/core/mapping/record-writer.ts';
import type { Conversion } from '../../../../src/main/core/mapping/upload-plan.ts';
import { assetKey } from '../../../../src/shared/wells/wells.ts';

const points = { decimal: '.', thousands: false } as const;
const commas = { decimal: ',', thousands: false } as const;
const grouped = { decimal: '.', thousands: true } as const;

function convert(cell: string, conversion: Conversion, nulls: string[] = nullsOf({})): string | null {
  const found = converter(conversion, nulls)(cell, notesFor());
  return found instanceof Unfit ? found.code : found;
}

describe('numbers', () => {
  it.each([
    ['1.50', '1.50'],
    [' 42 ', '42'],
    ['+5', '5'],
    ['-.5', '-0.5'],
    ['7.', '7'],
    ['007', '7'],
    ['-0', '-0'],
    ['1E+3', '1E+3'],
    ['123456789012345678901', '123456789012345678901'],
    ['1e400', 'not_a_number'],
    ['12a', 'not_a_number'],
    ['1,5', 'not_a_number'],
    ['.', 'not_a_number'],
    ['e5', 'not_a_number'],
    ['-', null],
    ['NaN', null],
  ])('%j gives %j, digit for digit', (cell, expected) => {
    expect(convert(cell, { kind: 'number', style: points })).toBe(expected);
  });

  it('may have a decimal comma, or thousands separators', () => {
    expect(convert('-0,368', { kind: 'number', style: commas })).toBe('-0.368');
    expect(convert('229,932.50', { kind: 'number', style: grouped })).toBe('229932.50');
    expect(convert('22,99', { kind: 'number', style: grouped })).toBe('not_a_number');
  });

  it('of an integer field must be whole', () => {
    const whole: Conversion = { kind: 'integer', style: points };
    expect(['5', '5.0', '5e3', '5.5', '3.3101E+13'].map((cell) => convert(cell, whole))).toEqual([
      '5',
      '5',
      '5000',
      'not_an_integer',
      'excel_damage',
    ]);
    expect(convert('9223372036854775808', whole)).toBe('9223372036854775808');
  });

  it('that match a null value are omitted, compared by value', () => {
    const number: Conversion = { kind: 'number', style: points };
    expect(
      ['-999.25', '-999.2500', '-999.26', 'off'].map((cell) => convert(cell, number, ['', '-999.25', 'off'])),
    ).toEqual([null, null, '-999.26', null]);
  });

  it('that are finite keep their value in JSON', () => {
    fc.assert(
      fc.property(
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.constantFrom('', '+'),
        (value, sign) => {
          const text = `${value >= 0 && !Object.is(value, -0) ? sign : ''}${String(value)}`;
          expect(JSON.parse(numberText(text, points) ?? 'null')).toBe(Number(text));
        },
      ),
    );
  });
});

describe('null values', () => {
  it('are the same in all columns, and numbers are compared by value', () => {
    const text: Conversion = { kind: 'string', json: false, trim: true };
    const nulls = nullsOf({ nulls: ['-999.25'], keepAsText: ['NA'] });
    for (const cell of ['NULL', ' NULL ', 'n/a', '-999.25', '-999.2500', '-999,25'])
      for (const conversion of [text, { kind: 'number', style: points } as const])
        expect(convert(cell, conversion, nulls)).toBeNull();
    expect(convert('NA', text, nulls)).toBe('"NA"');
    expect(convert('NA', { kind: 'number', style: points }, nulls)).toBe('not_a_number');
  });
});

describe('other values', () => {
  it('keep their text, except arrays and objects, which are JSON in a cell', () => {
    const auto: Conversion = { kind: 'string', json: true, trim: false };
    expect(convert(' a "b" ', auto)).toBe('" a \\"b\\" "');
    expect(convert('[{"md": 7413.0,\n"id": 9007199254740993}]', auto)).toBe(
      '[{"md":7413,"id":9007199254740993}]',
    );
    // Infinity would become null.
    for (const cell of ['[1.5, 1e400]', '{"a":{"b":-1e999}}'])
      expect(convert(cell, auto)).toBe('too_large_number');
    expect(convert('[not json', auto)).toBe('"[not json"');
    expect(convert('[1]', { kind: 'string', json: false, trim: false })).toBe('"[1]"');
    expect(convert(' 5701c048 ', { kind: 'string', json: false, trim: true })).toBe('"5701c048"');
  });

  it('may be booleans', () => {
    expect(
      ['TRUE', 'no', '1', 'NULL', 'perhaps', '__proto__'].map((cell) => convert(cell, { kind: 'boolean' })),
    ).toEqual(['true', 'false', 'true', null, 'not_a_boolean', 'not_a_boolean']);
  });

  it('may be times in milliseconds or ISO 8601', () => {
    expect(convert('2020-01-01', { kind: 'time', format: 'iso', zone: 'UTC', as: 'ms' })).toBe(
      '1577836800000',
    );
    expect(convert('1577836800', { kind: 'time', format: 'unix_s', zone: 'UTC', as: 'iso' })).toBe(
      '"2020-01-01T00:00:00.000Z"',
    );
    expect(convert('1.7E+12', { kind: 'time', format: 'unix_ms', zone: 'UTC', as: 'ms' })).toBe(
      'excel_damage',
    );
  });

  it('may be wells, by name ignoring case, by API number ignoring dashes', () => {
    const byName: Conversion = { kind: 'asset', by: 'name', ids: { [assetKey('name', 'Badger 1H')]: 5001 } };
    expect(convert(' BADGER 1h', byName)).toBe('5001');
    expect(convert('Badger 2H', byName)).toBe('asset_unknown');
    expect(convert('constructor', byName)).toBe('asset_unknown');
    const byApi: Conversion = { kind: 'asset', by: 'api_number', ids: { '33053012340000': 5002 } };
    expect(convert('33-053-01234-00-00', byApi)).toBe('5002');
    expect(convert('3.3053E+13', byApi)).toBe('excel_damage');
  });
});

describe('numbers in another unit', () => {
  const units = { kind: 'number', style: points, units: { from: 'kN', to: 'klbf' } } as const;

  it('are converted, and null values are not', () => {
    expect(Number(convert('44.482216152605', units))).toBeCloseTo(10, 12);
    expect(convert('-999.25', units, nullsOf({ nulls: ['-999.25'] }))).toBeNull();
    const thousands: Conversion = { kind: 'number', style: { decimal: '.', thousands: true } };
    expect(convert('-1,000', thousands, nullsOf({ nulls: ['-1'] }))).toBe('-1000');
    expect(convert('-1,0', thousands, nullsOf({ nulls: ['-1'] }))).toBeNull();
    expect(convert('0', units)).toBe('0');
    expect(convert('x', units)).toBe('not_a_number');
  });

  it('stay as they are where they often mean null, so that they mean it in the records too', () => {
    const cells = ['-999.25', '-9999', ' -999.2500 ', '1e30', '-32768'];
    expect(cells.map((cell) => convert(cell, units))).toEqual([
      '-999.25',
      '-9999',
      '-999.2500',
      '1e30',
      '-32768',
    ]);
  });

  it('have the digits of the conversion, without binary rounding noise', () => {
    const temperature = { kind: 'number', style: points, units: { from: 'degF', to: 'degC' } } as const;
    expect(convert('32', temperature)).toBe('0');
    expect(convert('212', temperature)).toBe('100');
    expect(convert('3,5', { ...temperature, style: commas })).toBe('-15.8333333333333');
  });
});
