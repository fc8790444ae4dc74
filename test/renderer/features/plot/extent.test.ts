import { describe, expect, it } from 'vitest';
import { rangeOfPoints, withMargin } from '../../../../src/renderer/features/plot/extent.ts';

describe('the range of a crossplot', () => {
  it('has a margin of 3 % on each side, also of a logarithmic axis', () => {
    const { from, to } = withMargin({ from: 100, to: 200 });
    expect(from).toBeCloseTo(97);
    expect(to).toBeCloseTo(203);
    const log = withMargin({ from: 1, to: 100 }, true);
    expect(Math.log10(log.from)).toBeCloseTo(-0.06);
    expect(Math.log10(log.to)).toBeCloseTo(2.06);
  });
});

it('the range in view is told without the margins of the plot, and where a zoom has no points as it is', () => {
  const y = { from: 0, to: 1 };
  const lines = [
    { extent: { x: { from: 0, to: 300 }, y } },
    { extent: { x: { from: 20, to: 362.4 }, y } },
    { extent: null },
  ];
  expect(rangeOfPoints({ from: -10.87, to: 373.3 }, lines)).toEqual({ from: 0, to: 362.4 });
  expect(rangeOfPoints({ from: 50, to: 400 }, lines)).toEqual({ from: 50, to: 362.4 });
  expect(rangeOfPoints({ from: 500, to: 600 }, lines)).toEqual({ from: 500, to: 600 });
});
