import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { drawLines } from '../../../../src/renderer/ui/plot/draw-lines.ts';
import type { ChartLine } from '../../../../src/renderer/ui/plot/chart-spec.ts';

beforeEach(() => vi.stubGlobal('devicePixelRatio', 1));
afterEach(() => vi.unstubAllGlobals());

/** Where dots are drawn, and the number of strokes from a point, in a plot of 100 by 100 pixels from 0 to 100. */
function drawn(x: readonly number[], y: readonly number[], down = false) {
  const dots: number[][] = [];
  let strokes = 0;
  const ignored = () => undefined;
  const ctx = {
    fillStyle: '',
    strokeStyle: '',
    lineJoin: 'round' as const,
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
    stroke: ignored,
    moveTo: ignored,
    lineTo: () => (strokes += 1),
    fillRect: (left: number, top: number, width: number, height: number) =>
      dots.push([left + width / 2, top + height / 2]),
  };
  const u = { ctx, bbox: { left: 0, top: 0, width: 100, height: 100 } };
  const range = { from: 0, to: 100 };
  const line: ChartLine = { x: Float64Array.from(x), y: Float64Array.from(y), color: 0, dash: 0, scale: 0 };
  // As the tests count: values upwards from the bottom.
  const scales = [{ label: '', range: down ? range : { from: 100, to: 0 } }];
  drawLines(u, { shape: down ? 'track' : 'lines', lines: [line], range, scales }, ['red']);
  return { dots, strokes };
}

describe('a line', () => {
  it('is drawn from each value to the next, with a break at a gap', () => {
    expect(drawn([0, 20, 40, 60], [1, 2, Number.NaN, 3])).toEqual({ dots: [[60, 3]], strokes: 1 });
  });

  it('is a dot when it would be too short to be seen: a minute among months', () => {
    expect(drawn([10, 10.01, 10.02, 50, 90], [5, 5, 5, Number.NaN, Number.NaN]).dots).toEqual([[10.02, 5]]);
    expect(drawn([10, 10.01], [5, 5], true).dots).toEqual([[5, 10.01]]);
  });

  it('isn’t a dot when it is visible', () => {
    expect(drawn([10, 30], [5, 5]).dots).toEqual([]);
  });
});
