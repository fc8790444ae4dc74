import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { endAfter, nextNumber } from '../../src/shared/next-number.ts';

it('the next number is greater, and no number is between', () => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true, max: 1e300 }), (value) => {
      const next = nextNumber(value);
      const middle = value / 2 + next / 2;
      expect(next > value && (middle <= value || middle >= next)).toBe(true);
    }),
  );
  expect([nextNumber(0), nextNumber(-0), nextNumber(1_700_000_000_000)]).toEqual([
    Number.MIN_VALUE,
    Number.MIN_VALUE,
    1_700_000_000_000.0002,
  ]);
});

it('the end of a range includes its maximum, and no other', () => {
  expect(endAfter('timestamp', 1_700_000_000_000)).toBe(1_700_000_000_001);
  expect(endAfter('timestamp', 2 ** 60)).toBeGreaterThan(2 ** 60);
  expect(endAfter('measured_depth', 5000)).toBe(nextNumber(5000));
});
