import { describe, expect, it } from 'vitest';
import {
  colorRangeOf,
  histogramBars,
  histogramsOf,
  thinDots,
} from '../../../../src/renderer/features/plot/dots.ts';
import { logExtent } from '../../../../src/renderer/features/plot/extent.ts';

const points = (x: readonly number[], y: readonly number[]) => ({
  x: Float64Array.from(x),
  y: Float64Array.from(y),
});
const area = { x: { from: 1, to: 1000 }, y: { from: 0, to: 10 } };

describe('dots on logarithmic axes', () => {
  it('keep one in each square of the screen, and leave out those without a logarithm', () => {
    const many = points(
      Array.from({ length: 500 }, (_, at) => 1 + at * 0.001),
      Array.from({ length: 500 }, () => 5),
    );
    const log = { x: true, y: false };
    // On a logarithmic axis these are in the first two of 20 pixels.
    expect(thinDots(many, { ...area, log }, 20, 20).x.length).toBe(1);
    expect(thinDots(points([-1, 0, 10], [5, 5, 5]), { ...area, log }, 20, 20).x).toEqual(Float64Array.of(10));
  });

  it('have the values that color them', () => {
    const dots = { ...points([0, 2, 3], [5, 5, 50]), color: Float64Array.of(7, 8, 9) };
    expect(thinDots(dots, area, 100, 100).color).toEqual(Float64Array.of(8));
  });

  it('start at the lowest value above 0; without one, the axis is linear', () => {
    const extent = { x: { from: -5, to: 100 }, y: { from: -5, to: -1 } };
    const lines = [{ positive: { x: 0.2, y: Infinity } }, { positive: { x: 3, y: Infinity } }];
    expect(logExtent(extent, lines, { x: true, y: true })).toEqual({
      x: { from: 0.2, to: 100 },
      y: { from: -5, to: -1 },
      log: { x: true, y: false },
    });
    expect(logExtent(extent, lines, undefined)).toEqual({ ...extent, log: undefined });
  });
});

describe('histograms', () => {
  it('count the dots in view along both axes', () => {
    const found = histogramsOf([points([1, 1000, 5000], [0, 10, 5]), points([1], [0])], area);
    expect(found.x).toHaveLength(histogramBars);
    expect([found.x[0], found.x.at(-1)]).toEqual([2, 1]);
    expect([found.y[0], found.y.at(-1)]).toEqual([2, 1]);
    // The dot at 5,000 isn't in view.
    expect(found.x.reduce((sum, count) => sum + count)).toBe(3);
  });

  it('have bars of one length on a logarithmic axis', () => {
    const { x } = histogramsOf([points([1.01, 10.1, 101], [1, 1, 1])], {
      ...area,
      log: { x: true, y: false },
    });
    expect(x.flatMap((count, bar) => (count > 0 ? [bar] : []))).toEqual([0, 20, 40]);
  });
});

it('colors have the range of almost all values, without outliers and null values', () => {
  const values = Float64Array.from({ length: 1000 }, (_, at) => at);
  values[0] = -999.25;
  values[999] = 1e9;
  expect(colorRangeOf(values)).toEqual({ from: 20, to: 980 });
  expect(colorRangeOf(Float64Array.of(Number.NaN))).toBeNull();
  expect(colorRangeOf(Float64Array.of(4, 4))).toEqual({ from: 4, to: 5 });
});
