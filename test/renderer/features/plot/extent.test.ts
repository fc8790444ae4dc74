import { describe, expect, it } from 'vitest';
import { withMargin } from '../../../../src/renderer/features/plot/extent.ts';

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
