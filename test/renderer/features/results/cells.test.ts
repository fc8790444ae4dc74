import { describe, expect, it } from 'vitest';
import { cellText, cellTip, toneOf } from '../../../../src/renderer/features/results/cells.ts';
import { en } from '../../../../src/renderer/words/en.ts';

const words = en.results;
const list = { parts: 3, array: true, preview: '[1,2,3]' };

describe('a cell', () => {
  it('shows numbers with all their digits', () => {
    expect(cellText(9_007_199_254_740_993n, 'integer', 'utc', words)).toBe('9007199254740993');
    expect(cellText(-999.25, 'number', 'utc', words)).toBe('-999.25');
  });

  it('shows null as a word and absent as nothing', () => {
    expect([null, undefined].map((cell) => cellText(cell, 'number', 'utc', words))).toEqual(['null', '']);
    expect([null, undefined].map((cell) => cellTip(cell, 'number', 'utc', words))).toEqual([
      'null',
      'absent: the record has no such field',
    ]);
  });

  it('shows an array by its length and says how it begins', () => {
    expect(cellText(list, 'nested', 'utc', words)).toBe('[3 items]');
    expect(cellTip(list, 'nested', 'utc', words)).toBe('[1,2,3]');
  });

  it('shows a time in the zone and says its raw milliseconds', () => {
    expect(cellText(1_700_000_000_000, 'time', 'utc', words)).toBe('2023-11-14 22:13:20');
    expect(cellTip(1_700_000_000_000, 'time', 'utc', words)).toBe(
      '2023-11-14 22:13:20 UTC · 1700000000000 ms',
    );
    expect(cellTip(1_700_000_000_000, 'time', 'local', words)).toMatch(
      / UTC[+−]\d\d:\d\d · 1700000000000 ms$/,
    );
  });

  it('leaves an integer that is no time alone', () => {
    expect(cellText(1_700_000_000_000, 'integer', 'utc', words)).toBe('1700000000000');
  });

  it('is drawn by what it is', () => {
    expect([1, null, undefined, list, -999.25].map(toneOf)).toEqual([
      'plain',
      'null',
      'absent',
      'nested',
      'sentinel',
    ]);
  });
});
