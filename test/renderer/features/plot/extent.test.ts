import { describe, expect, it } from 'vitest';
import { withMargin, withSameScale } from '../../../../src/renderer/features/plot/extent.ts';

describe('the range of a plan', () => {
  it('has the same scale on both axes, around the middle of each', () => {
    const wide = { x: { from: 0, to: 1000 }, y: { from: -50, to: 50 } };
    expect(withSameScale(wide, 500, 400)).toEqual({ x: wide.x, y: { from: -400, to: 400 } });
    const high = { x: { from: 10, to: 20 }, y: { from: 0, to: 4000 } };
    expect(withSameScale(high, 500, 400)).toEqual({ x: { from: -2485, to: 2515 }, y: high.y });
    expect(withSameScale(withSameScale(high, 500, 400), 500, 400)).toEqual(withSameScale(high, 500, 400));
  });
});

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
