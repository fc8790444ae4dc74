import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatDuration,
  formatElapsed,
  formatRemaining,
} from '../../../src/renderer/format/times.ts';

describe('formatDuration', () => {
  it.each([
    [0, '0 ms'],
    [840.2, '840 ms'],
    [999.6, '1.0 s'],
    [9_949, '9.9 s'],
    [9_950, '10 s'],
    [59_400, '59 s'],
    [59_600, '1 min 0 s'],
    [185_000, '3 min 5 s'],
    [3_599_900, '1 h 0 min'],
    [8_040_000, '2 h 14 min'],
    [2_606_400_000, '30 d 4 h 0 min'],
  ])('%d ms is %s', (ms, text) => {
    expect(formatDuration(ms)).toBe(text);
  });
});

describe('formatElapsed', () => {
  it.each([
    [-5, '0.0 s'],
    [840, '0.8 s'],
    [12_300, '12 s'],
  ])('after %d ms is %s', (ms, text) => {
    expect(formatElapsed(ms)).toBe(text);
  });
});

describe('formatRemaining', () => {
  it.each([
    [0.2, '1 s'],
    [8, '8 s'],
    [59.5, '1 min 0 s'],
    [3725, '1 h 2 min'],
  ])('%d seconds are %s', (seconds, text) => {
    expect(formatRemaining(seconds)).toBe(text);
  });
});

describe('formatAgo', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');

  it('shows the time since in the largest whole unit', () => {
    expect(formatAgo('2026-11-18T11:00:00Z', now)).toBe('3 days ago');
    expect(formatAgo('2026-11-21T11:59:50Z', now)).toBe('now');
    expect(formatAgo('2024-10-01T00:00:00Z', now)).toBe('2 years ago');
  });

  it('returns null for values that aren’t times', () => {
    expect(formatAgo('soon', now)).toBeNull();
  });
});
