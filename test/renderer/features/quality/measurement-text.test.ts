import { expect, it } from 'vitest';
import { measurementText } from '../../../../src/renderer/features/quality/finding-table.tsx';

it('values that differ look different, without the noise of floating point', () => {
  expect([1234567, 1234568].map((value) => measurementText(value))).toEqual(['1234567', '1234568']);
  expect([10012.31, 10012.34].map((value) => measurementText(value))).toEqual(['10012.31', '10012.34']);
  expect(measurementText(0.1 + 0.2)).toBe('0.3');
});
