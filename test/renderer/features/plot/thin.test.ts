import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { thinDots } from '../../../../src/renderer/features/plot/dots.ts';
import { inBlocks, type Points, thin } from '../../../../src/renderer/features/plot/thin.ts';
import { placeOf } from '../../../../src/renderer/ui/plot/nearest.ts';

const value = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: -50, max: 50 }) },
  { weight: 1, arbitrary: fc.constant(Number.NaN) },
);
const steps = fc.array(fc.tuple(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 })), value), {
  minLength: 1,
  maxLength: 400,
});
const pointsOf = (made: [number, number][]): Points => {
  let at = 0;
  return {
    x: Float64Array.from(made, ([step]) => (at += step)),
    y: Float64Array.from(made, ([, y]) => y),
  };
};
const some = fc.record({
  points: steps.map(pointsOf),
  cut: fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true })),
  pixels: fc.integer({ min: 1, max: 30 }),
});
const rangeOf = ({ x }: Points, [a, b]: [number, number]) => {
  const end = x.at(-1) ?? 0;
  return { from: Math.min(a, b) * end, to: Math.max(a, b) * end + 0.5 };
};
const rows = ({ x, y }: Points) => Array.from(x, (at, row) => [at, y[row] ?? Number.NaN] as const);
const within = (points: Points, { from, to }: { from: number; to: number }) =>
  rows(points).filter(([x]) => x >= from && x <= to);
const real = (points: readonly (readonly [number, number])[]) => points.filter(([, y]) => !Number.isNaN(y));

describe('downsampling', () => {
  it('keeps the minimum and the maximum of the part, and reports them', () => {
    fc.assert(
      fc.property(some, ({ points, cut, pixels }) => {
        const range = rangeOf(points, cut);
        const all = real(within(points, range)).map(([, y]) => y);
        const drawn = real(within(thin(points, range, pixels), range)).map(([, y]) => y);
        if (all.length === 0) expect(thin(points, range, pixels).values).toBeNull();
        else {
          const { values } = thin(points, range, pixels);
          expect(values).toEqual({ from: Math.min(...all), to: Math.max(...all) });
          expect([Math.min(...drawn), Math.max(...drawn)]).toEqual([Math.min(...all), Math.max(...all)]);
        }
      }),
    );
  });

  it('keeps the extremes of each pixel, and at most four points of it', () => {
    fc.assert(
      fc.property(some, ({ points, cut, pixels }) => {
        const range = rangeOf(points, cut);
        const thinned = thin(points, range, pixels);
        if (thinned.exact) return;
        const pixelOf = ([x]: readonly [number, number]) =>
          Math.min(Math.floor((x - range.from) * (pixels / (range.to - range.from))), pixels - 1);
        const drawn = Map.groupBy(real(within(thinned, range)), pixelOf);
        for (const [pixel, here] of Map.groupBy(real(within(points, range)), pixelOf)) {
          const kept = drawn.get(pixel)?.map(([, y]) => y) ?? [];
          const all = here.map(([, y]) => y);
          expect(kept.length).toBeLessThanOrEqual(4);
          expect([Math.min(...kept), Math.max(...kept)]).toEqual([Math.min(...all), Math.max(...all)]);
          expect([kept[0], kept.at(-1)]).toEqual([all[0], all.at(-1)]);
        }
      }),
    );
  });

  it('returns points of the data, in order, with each gap between them kept', () => {
    fc.assert(
      fc.property(some, ({ points, cut, pixels }) => {
        const range = rangeOf(points, cut);
        const all = rows(points);
        // Of equal points the one next to the part is kept, not an earlier one.
        let at = Math.max(placeOf(points.x, range.from) - 1, 0);
        let gapDrawn = false;
        let hasStarted = false;
        for (const [x, y] of rows(thin(points, range, pixels))) {
          if (Number.isNaN(y)) {
            gapDrawn = true;
            continue;
          }
          let gap = false;
          while (at < all.length && !(all[at]?.[0] === x && all[at]?.[1] === y)) {
            if (hasStarted && Number.isNaN(all[at]?.[1])) gap = true;
            at += 1;
          }
          expect(at).toBeLessThan(all.length);
          if (hasStarted) expect(gapDrawn).toBe(gap);
          at += 1;
          hasStarted = true;
          gapDrawn = false;
        }
      }),
    );
  });

  it('returns a part of few points unchanged, with a neighbor on either side', () => {
    const x = Float64Array.from({ length: 1000 }, (_, at) => at);
    const found = thin({ x, y: x }, { from: 100, to: 120 }, 10);
    expect(found.exact).toBe(true);
    expect([...found.x]).toEqual(Array.from({ length: 23 }, (_, at) => 99 + at));
    expect(found.values).toEqual({ from: 100, to: 120 });
    expect(thin({ x, y: x }, { from: 100, to: 900 }, 10).exact).toBe(false);
  });

  it('returns the same by blocks of points', () => {
    const long = fc.tuple(steps, fc.integer({ min: 1, max: 400 }));
    fc.assert(
      fc.property(some, long, ({ cut, pixels }, [made, times]) => {
        // Few gaps, so that many blocks have none.
        const values = made.map(([step, y], at): [number, number] => [
          step,
          Number.isNaN(y) && at % 60 > 0 ? 0 : y,
        ]);
        const points = pointsOf(Array.from({ length: times }, () => values).flat());
        const range = rangeOf(points, cut);
        expect(thin(inBlocks(points), range, pixels)).toEqual(thin(points, range, pixels));
      }),
    );
  });

  it('finds positions in ascending numbers', () => {
    const sorted = Float64Array.of(1, 2, 2, 3);
    expect([placeOf(sorted, 2), placeOf(sorted, 2, true), placeOf(sorted, 0), placeOf(sorted, 9)]).toEqual([
      1, 3, 0, 4,
    ]);
  });
});

describe('downsampling of dots', () => {
  it('keeps a dot within two pixels of each dot, and the outermost ones', () => {
    const dots = fc.array(fc.tuple(fc.integer({ min: 0, max: 1000 }), value), {
      minLength: 1,
      maxLength: 500,
    });
    fc.assert(
      fc.property(dots, (made) => {
        const points = {
          x: Float64Array.from(made, ([x]) => x),
          y: Float64Array.from(made, ([, y]) => y),
        };
        const area = { x: { from: 0, to: 1000 }, y: { from: -50, to: 50 } };
        const thinned = thinDots(points, area, 20, 20);
        const kept = rows(thinned);
        for (const [x, y] of real(rows(points)))
          expect(kept.some(([kx, ky]) => Math.abs(kx - x) <= 100 && Math.abs(ky - y) <= 10)).toBe(true);
        const all = real(rows(points)).map(([, y]) => y);
        expect(thinned.values).toEqual(
          all.length === 0 ? null : { from: Math.min(...all), to: Math.max(...all) },
        );
        expect(kept.length).toBeLessThanOrEqual(all.length);
      }),
    );
  });
});
