import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { equationOf, fitOf } from '../../../../src/renderer/features/plot/regression.ts';

const linear = { x: false, y: false };

/** Least squares by the normal equations in exact fractions, an independent way to the same line. */
function exactFit(points: readonly (readonly [bigint, bigint])[]) {
  const n = BigInt(points.length);
  const sum = (of: (x: bigint, y: bigint) => bigint) => points.reduce((all, [x, y]) => all + of(x, y), 0n);
  const [sx, sy] = [sum((x) => x), sum((_, y) => y)];
  const [xx, xy, yy] = [sum((x) => x * x), sum((x, y) => x * y), sum((_, y) => y * y)];
  const [dx, dxy, dy] = [n * xx - sx * sx, n * xy - sx * sy, n * yy - sy * sy];
  if (dx === 0n) return null;
  return {
    slope: Number(dxy) / Number(dx),
    intercept: Number(sy * dx - dxy * sx) / Number(n * dx),
    explained: dy === 0n ? 1 : (Number(dxy) * Number(dxy)) / (Number(dx) * Number(dy)),
  };
}

describe('a regression', () => {
  it('is that of NIST’s data set Norris, to nine digits', () => {
    // https://www.itl.nist.gov/div898/strd/lls/data/Norris.shtml, certified values.
    const y = [0.1, 338.8, 118.1, 888.0, 9.2, 228.1, 668.5, 998.5, 449.1, 778.9, 559.2, 0.3, 0.1, 778.1, 668.8, 339.3, 448.9, 10.8, 557.7, 228.3, 998.0, 888.8, 119.6, 0.3, 0.6, 557.6, 339.3, 888.0, 998.5, 778.9, 10.2, 117.6, 228.9, 668.4, 449.2, 0.2]; // oxfmt-ignore
    const x = [0.2, 337.4, 118.2, 884.6, 10.1, 226.5, 666.3, 996.3, 448.6, 777.0, 558.2, 0.4, 0.6, 775.5, 666.9, 338.0, 447.5, 11.6, 556.0, 228.1, 995.8, 887.6, 120.2, 0.3, 0.3, 556.8, 339.1, 887.2, 999.0, 779.0, 11.1, 118.3, 229.2, 669.1, 448.9, 0.5]; // oxfmt-ignore
    const fit = fitOf(x, y, linear);
    expect(fit?.count).toBe(36);
    expect(fit?.slope).toBeCloseTo(1.00211681802045, 9);
    expect(fit?.intercept).toBeCloseTo(-0.262323073774029, 9);
    expect(fit?.explained).toBeCloseTo(0.999993745883712, 9);
  });

  it('is that of exact fractions', () => {
    const whole = fc.integer({ min: -900, max: 900 });
    fc.assert(
      fc.property(fc.array(fc.tuple(whole, whole), { minLength: 3, maxLength: 40 }), (points) => {
        const exact = exactFit(points.map(([x, y]) => [BigInt(x), BigInt(y)]));
        const fit = fitOf(
          points.map(([x]) => x),
          points.map(([, y]) => y),
          linear,
        );
        expect(fit === null).toBe(exact === null);
        if (!exact || !fit) return;
        expect(fit.slope).toBeCloseTo(exact.slope, 8);
        expect(fit.intercept).toBeCloseTo(exact.intercept, 6);
        expect(fit.explained).toBeCloseTo(exact.explained, 8);
      }),
    );
  });

  it('is of the logarithms on logarithmic axes', () => {
    const x = [1, 10, 100, 1000];
    const power = fitOf(x, [2, 20 * 10, 2 * 100 ** 2, 2 * 1000 ** 2], { x: true, y: true });
    expect(power?.slope).toBeCloseTo(2, 12);
    expect(power && equationOf(power, { x: true, y: true })).toBe('y = 2·x^2');
    const growth = fitOf([0, 1, 2, 3], [3, 30, 300, 3000], { x: false, y: true });
    expect(growth && equationOf(growth, { x: false, y: true })).toBe('y = 3·10^(1·x)');
    const decades = fitOf(x, [5, 3, 1, -1], { x: true, y: false });
    expect(decades && equationOf(decades, { x: true, y: false })).toBe('y = −2·log₁₀ x + 5');
    // Values without a logarithm are left out.
    expect(fitOf([0, -1, 1, 10, 100], [1, 1, 1, 10, 100], { x: true, y: true })?.count).toBe(3);
  });

  it('leaves out null values and gaps, and needs three points at different positions', () => {
    expect(fitOf([1, 2, 3, 4, 5], [1, 2, Number.NaN, -999.25, 5], linear)).toMatchObject({
      count: 3,
      explained: 1,
    });
    expect(fitOf([1, 2], [1, 2], linear)).toBeNull();
    expect(fitOf([2, 2, 2], [1, 2, 3], linear)).toBeNull();
    const fit = fitOf([1, 2, 3], [3, 1, -1], linear);
    expect(fit && equationOf(fit, linear)).toBe('y = −2·x + 5');
    const below = fitOf([1, 2, 3], [-1, 0, 1], linear);
    expect(below && equationOf(below, linear)).toBe('y = 1·x − 2');
  });
});
