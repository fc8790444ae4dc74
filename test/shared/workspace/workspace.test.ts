import { expect, it } from 'vitest';
import { clockDifference } from '../../../src/shared/workspace/workspace.ts';

it.each([
  [3 * 3_600_000, '3 h ahead of'],
  [-3 * 3_600_000 - 1000, '3 h behind'],
  [61_000, '1 min ahead of'],
  [-(5 * 60 + 30) * 60_000, '5 h 30 min behind'],
  [400 * 86_400_000 + 3_600_000, '400 d 1 h ahead of'],
])('a difference of %i ms between clocks is %s', (ms, words) => {
  expect(clockDifference(ms)).toBe(words);
});
