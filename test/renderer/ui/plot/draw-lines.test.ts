import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawLines } from '../../../../src/renderer/ui/plot/draw-lines.ts';
import type { ChartLine } from '../../../../src/renderer/ui/plot/chart-spec.ts';

beforeEach(() => vi.stubGlobal('devicePixelRatio', 1));
afterEach(() => vi.unstubAllGlobals());

/**
 * Where dots are drawn, the number of strokes from a point, and the corners of each part, in a plot of 100 by 100 pixels
 * from 0 to 100.
 */
function drawn(x: readonly number[], y: readonly number[], down = false, dash = 0) {
  const dots: number[][] = [];
  const parts: number[][][] = [];
  const offsets: number[] = [];
  let strokes = 0;
  const ignored = () => undefined;
  const ctx = {
    fillStyle: '',
    strokeStyle: '',
    lineJoin: 'round' as const,
    lineDashOffset: 0,
    lineWidth: 1,
    save: ignored,
    restore: ignored,
    beginPath: ignored,
    rect: ignored,
    clip: ignored,
    setLineDash: ignored,
    translate: ignored,
    closePath: ignored,
    fill: ignored,
    globalAlpha: 1,
    stroke: () => void offsets.push(ctx.lineDashOffset),
    moveTo(left: number, top: number) {
      const [before] = parts.at(-1)?.slice(-1) ?? [];
      // A dashed line continues from its last corner.
      if (before?.[0] !== left || before[1] !== top) parts.push([[left, top]]);
    },
    lineTo(left: number, top: number) {
      strokes += 1;
      parts.at(-1)?.push([left, top]);
    },
    fillRect: (left: number, top: number, width: number, height: number) =>
      dots.push([left + width / 2, top + height / 2]),
  };
  const u = { ctx, bbox: { left: 0, top: 0, width: 100, height: 100 } };
  const range = { from: 0, to: 100 };
  const line: ChartLine = { x: Float64Array.from(x), y: Float64Array.from(y), color: 0, dash, scale: 0 };
  // As the tests count: values upwards from the bottom.
  const scales = [{ label: '', range: down ? range : { from: 100, to: 0 } }];
  drawLines(u, { shape: down ? 'track' : 'lines', lines: [line], range, scales }, ['red']);
  return { dots, strokes, parts, offsets };
}

describe('a line', () => {
  it('is drawn from each value to the next, with a break at a gap', () => {
    expect(drawn([0, 20, 40, 60], [1, 2, Number.NaN, 3])).toMatchObject({ dots: [[60, 3]], strokes: 1 });
  });

  it('is a dot when it would be too short to be seen: a minute among months', () => {
    expect(drawn([10, 10.01, 10.02, 50, 90], [5, 5, 5, Number.NaN, Number.NaN]).dots).toEqual([[10.02, 5]]);
    expect(drawn([10, 10.01], [5, 5], true).dots).toEqual([[5, 10.01]]);
  });

  it('has no corners on straight parts, and is nowhere a visible distance from a value', () => {
    const straight = Array.from({ length: 50 }, (_, at) => at);
    expect(drawn(straight, straight).parts).toEqual([
      [
        [0, 0],
        [49, 49],
      ],
    ]);
    const values = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 100 }), fc.double({ min: 50, max: 51, noNaN: true })),
      {
        minLength: 2,
        maxLength: 50,
      },
    );
    fc.assert(
      fc.property(values, fc.constantFrom(0, 1), (y, dash) => {
        const [part = []] = drawn(
          y.map((_, at) => 2 * at),
          y,
          false,
          dash,
        ).parts;
        y.forEach((value, at) => {
          const next = part.findIndex(([x = 0]) => x >= 2 * at);
          const [x1 = 0, y1 = 0] = part[next] ?? [];
          const [x0 = 0, y0 = 0] = part[Math.max(next - 1, 0)] ?? [];
          const line = x1 > x0 ? y0 + ((y1 - y0) * (2 * at - x0)) / (x1 - x0) : y1;
          expect(Math.abs(line - value)).toBeLessThan(0.101);
        });
      }),
    );
  });

  it('has dashes that continue after a corner, and begin again after a gap', () => {
    const { offsets } = drawn([0, 30, 60, 70, 80], [0, 40, 0, Number.NaN, 0], false, 1);
    expect(offsets).toEqual([0, 50, 0]);
  });

  it('isn’t a dot when it is visible', () => {
    expect(drawn([10, 30], [5, 5]).dots).toEqual([]);
  });
});
