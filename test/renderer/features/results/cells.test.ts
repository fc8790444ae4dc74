import { describe, expect, it } from 'vitest';
import { cellText, cellTip, cellTone } from '../../../../src/renderer/features/results/grid-columns.ts';
import { words as all } from '../../../../src/renderer/words/words.ts';

const words = all.results;
const list = { parts: 3, array: true, preview: '[1,2,3]' };

describe('a cell', () => {
  it('shows numbers with all their digits', () => {
    expect(cellText(9_007_199_254_740_993n, 'integer', 'UTC')).toBe('9007199254740993');
    expect(cellText(-999.25, 'number', 'UTC')).toBe('-999.25');
  });

  it('shows null as a word and missing values as blank', () => {
    expect([null, undefined].map((cell) => cellText(cell, 'number', 'UTC'))).toEqual([words.nullCell, '']);
    expect([null, undefined].map((cell) => cellTip(cell, 'number', 'UTC'))).toEqual([
      words.nullTip,
      words.absentTip,
    ]);
  });

  it('shows an array by its length and its start', () => {
    expect(cellText(list, 'nested', 'UTC')).toBe(words.items(3));
    expect(cellTip(list, 'nested', 'UTC')).toBe('[1,2,3]');
  });

  it('shows a time in the zone, with its raw milliseconds', () => {
    expect(cellText(1_700_000_000_000, 'time', 'UTC')).toBe('2023-11-14 22:13:20');
    expect(cellTip(1_700_000_000_000, 'time', 'UTC')).toBe('2023-11-14 22:13:20 UTC · 1700000000000 ms');
    expect(cellTip(1_700_000_000_000, 'time', 'America/Chicago')).toBe(
      '2023-11-14 16:13:20 UTC−06:00 · 1700000000000 ms',
    );
  });

  it('shows a time that repeats at a clock change with its offset, once', () => {
    const twice = Date.parse('2026-11-01T06:30:00Z');
    expect(cellText(twice, 'time', 'America/Chicago')).toBe('2026-11-01 01:30:00 −05:00');
    expect(cellTip(twice, 'time', 'America/Chicago')).toBe(`2026-11-01 01:30:00 UTC−05:00 · ${twice} ms`);
  });

  it('shows a date with an offset in the zone, or as received on request', () => {
    const sent = '2026-11-21T06:00:00+01:00';
    expect(cellText(sent, 'date', 'UTC')).toBe('2026-11-21 05:00:00');
    expect(cellTip(sent, 'date', 'UTC')).toBe(`2026-11-21 05:00:00 UTC · ${sent}`);
    expect(cellText(sent, 'date', null)).toBe(sent);
    expect(cellText(1_700_000_000_000, 'time', null)).toBe('1700000000000');
  });

  it('shows an integer that isn’t a time unchanged', () => {
    expect(cellText(1_700_000_000_000, 'integer', 'UTC')).toBe('1700000000000');
  });

  it('is drawn by its type', () => {
    expect([1, null, undefined, list, -999.25, -9999].map(cellTone)).toEqual([
      'plain',
      'null',
      'absent',
      'nested',
      'sentinel',
      'sentinel',
    ]);
  });
});
