import { describe, expect, it } from 'vitest';
import { gridOf, shareOf, withSameScale } from '../../../../src/renderer/ui/plot/placing.ts';

describe('a place on an axis', () => {
  it('is a share of its length, and beyond its ends outside', () => {
    const share = shareOf({ range: { from: 50, to: 150 } });
    expect([50, 75, 150, 175].map(share)).toEqual([0, 0.25, 1, 1.25]);
  });

  it('runs the other way where the first value is the higher', () => {
    const share = shareOf({ range: { from: 0.45, to: -0.15 } });
    expect(share(0.45)).toBeCloseTo(0, 12);
    expect(share(0.15)).toBeCloseTo(0.5, 12);
    expect(share(-0.15)).toBe(1);
  });

  it('has the same length for each decade of a logarithmic one, and none for values without a logarithm', () => {
    const share = shareOf({ range: { from: 0.2, to: 2000 }, isLog: true });
    expect([0.2, 2, 20, 200, 2000].map((value) => Number(share(value).toFixed(12)))).toEqual([
      0, 0.25, 0.5, 0.75, 1,
    ]);
    expect(share(0)).toBeNaN();
    expect(share(-1)).toBeNaN();
    expect(shareOf({ range: { from: 100, to: 1 }, isLog: true })(10)).toBeCloseTo(0.5, 12);
  });
});

describe('the grid of a track', () => {
  it('has ten parts on a linear scale', () => {
    const marks = gridOf({ range: { from: 0, to: 150 } });
    expect(marks.map(({ share }) => share)).toEqual([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]);
    expect(marks.filter(({ isMain }) => isMain)).toEqual([{ share: 0.5, isMain: true }]);
  });

  it('has 1 to 9 of each decade on a logarithmic one, with its powers of ten as main lines', () => {
    const marks = gridOf({ range: { from: 0.2, to: 2000 }, isLog: true });
    expect(marks.filter(({ isMain }) => isMain)).toHaveLength(4);
    // 0.3 to 0.9, 1 to 9, 10 to 90, 100 to 900, and 1,000.
    expect(marks).toHaveLength(7 + 9 + 9 + 9 + 1);
    expect(gridOf({ range: { from: 2000, to: 0.2 }, isLog: true })).toHaveLength(35);
    expect(gridOf({ range: { from: 0, to: 10 }, isLog: true })).toEqual([]);
  });
});

describe('the range of a plan', () => {
  it('has the same scale on both axes, around the middle of each', () => {
    const wide = { x: { from: 0, to: 1000 }, y: { from: -50, to: 50 } };
    expect(withSameScale(wide, 500, 400)).toEqual({ x: wide.x, y: { from: -400, to: 400 } });
    const high = { x: { from: 10, to: 20 }, y: { from: 0, to: 4000 } };
    expect(withSameScale(high, 500, 400)).toEqual({ x: { from: -2485, to: 2515 }, y: high.y });
    expect(withSameScale(withSameScale(high, 500, 400), 500, 400)).toEqual(withSameScale(high, 500, 400));
  });
});
