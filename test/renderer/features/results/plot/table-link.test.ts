import { expect, it } from 'vitest';
import {
  firstRowIn,
  nearestRow,
  rangeOfRows,
} from '../../../../../src/renderer/features/results/plot/table-link.ts';

// Newest first, with a row that isn't loaded.
const positions = Float64Array.of(40, 30, Number.NaN, 10);

it('the row nearest to a position is found in any order, ignoring rows without one', () => {
  expect(nearestRow(positions, 33)).toBe(1);
  expect(nearestRow(positions, -5)).toBe(3);
  expect(nearestRow(Float64Array.of(Number.NaN), 1)).toBeNull();
});

it('a range leads to its first row, and rows to their range', () => {
  expect(firstRowIn(positions, { from: 5, to: 35 })).toBe(1);
  expect(firstRowIn(positions, { from: 50, to: 60 })).toBeNull();
  expect(rangeOfRows(positions, { from: 1, to: 4 })).toEqual({ from: 10, to: 30 });
  expect(rangeOfRows(positions, { from: 2, to: 3 })).toBeNull();
});
