import { describe, expect, it } from 'vitest';
import {
  expressionWords,
  proposalsAt,
  wordStart,
} from '../../../../src/renderer/features/results/calculated-form.tsx';
import { readyColumns, scopeOf } from '../../../../src/shared/calculated/compile.ts';
import type { Calculation } from '../../../../src/shared/calculated/calculated.ts';

const calculation: Calculation = {
  columns: [{ name: 'Power (hp)', expression: 'data.rop * 2' }],
  fields: [
    { id: 'timestamp', values: 'time' },
    { id: 'data.rop', values: 'number', unit: 'ft/h' },
    { id: 'data.rotary_rpm', values: 'number', unit: 'rpm' },
    { id: 'other.rop', values: 'number' },
    { id: 'data.state', values: 'other' },
  ],
  index: 'timestamp',
  order: 'ascending',
  series: [],
};
const words = expressionWords(scopeOf(calculation, readyColumns(calculation)));
const textsAt = (text: string, at = text.length) =>
  proposalsAt(text, at, words).map(({ text: word }) => word);

describe('proposals in an expression', () => {
  it('are the columns with numbers and the functions that fit the word at the caret', () => {
    expect(textsAt('wob * ro')).toEqual([
      'rotary_rpm',
      'rolling_mean',
      'rolling_min',
      'rolling_max',
      'rolling_sum',
      'round',
      'data.rop',
      'other.rop',
    ]);
    expect(textsAt('SRPM')).toEqual(['rotary_rpm']);
    expect(textsAt('st')).toEqual(['timestamp']);
    expect(textsAt('rot / 2', 3)).toEqual(['rotary_rpm']);
    expect(textsAt('2 * ')).toEqual([]);
    expect(textsAt('rotary_rpm')).toEqual([]);
  });

  it('are written with a bracket after a function, and in quotation marks where a name needs them', () => {
    expect(proposalsAt('pow', 3, words)).toMatchObject([{ id: '"Power (hp)"' }]);
    expect(proposalsAt('sqr', 3, words)).toMatchObject([{ id: 'sqrt(' }]);
    expect(proposalsAt('data.ro', 7, words)).toMatchObject([{ note: 'ft/h' }]);
    expect(wordStart('a + data.ro', 11)).toBe(4);
  });
});
