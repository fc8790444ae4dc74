import { expect, it } from 'vitest';
import { typedNumber } from '../../../src/renderer/format/numbers.ts';

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
  expect(['3,5', '1,25', '12,3456', 'Infinity', 'ft', '1 2'].map(typedNumber)).toEqual(
    Array.from({ length: 6 }, () => undefined),
  );
});
