import { expect, it } from 'vitest';
import { gapsOfLines } from '../../../../src/renderer/features/plot/gaps.ts';

const second = 1000;
const times = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, n) => (from + n) * second);
const line = (group: number, ...x: number[][]) => ({ group, x: Float64Array.from(x.flat()) });
const inside = (lines: ReturnType<typeof line>[]) =>
  gapsOfLines(lines).filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to));

it('finds the gaps of a well, once for all of its fields', () => {
  const own = line(0, times(0, 100), times(160, 300));
  expect(inside([own, own])).toEqual([{ from: 99 * second, to: 160 * second }]);
});

it('shades a range only where no well has records', () => {
  expect(inside([line(0, times(0, 100), times(160, 300)), line(1, times(120, 200))])).toEqual([
    { from: 99 * second, to: 120 * second },
  ]);
  expect(inside([line(0, times(0, 100)), line(1, times(50, 200))])).toEqual([]);
});

it('finds none where the axis has no step', () => {
  expect(inside([line(0, [0, 1, 50, 1000, 1001, 70_000, 900_000])])).toEqual([]);
  expect(gapsOfLines([])).toEqual([]);
});
