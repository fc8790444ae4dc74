import { describe, expect, it } from 'vitest';
import { drawDenseLine } from '../../../../src/renderer/ui/plot/draw-lines.ts';
import type { CanvasContext } from '../../../../src/renderer/ui/plot/sheet.ts';

/**
 * The bars of a line in an axis of 10 pixels that begins at 100: for each pixel its ends, and whether it is between dashes.
 * Dots are shorter than bars.
 */
function barsOf(
  x: readonly number[],
  y: readonly number[],
  dash: readonly number[] = [],
  down = false,
  length = 10,
) {
  const bars: Record<number, { from: number; to: number; isGap: boolean }[]> = {};
  const dots: number[][] = [];
  const ignored = () => undefined;
  const ctx: CanvasContext = {
    fillStyle: '',
    strokeStyle: '',
    lineJoin: 'round',
    lineDashOffset: 0,
    lineWidth: 1,
    globalAlpha: 1,
    save: ignored,
    restore: ignored,
    beginPath: ignored,
    rect: ignored,
    clip: ignored,
    closePath: ignored,
    setLineDash: ignored,
    translate: ignored,
    stroke: ignored,
    fill: ignored,
    moveTo: ignored,
    lineTo: ignored,
    fillRect(left, top, width, height) {
      const [pixel, from, length] = down ? [top, left, width] : [left, top, height];
      if (length < 2) dots.push([left + width / 2, top + height / 2]);
      else (bars[pixel - 100] ??= []).push({ from, to: from + length, isGap: ctx.globalAlpha < 1 });
    },
  };
  const line = { x: Float64Array.from(x), y: Float64Array.from(y), color: 0, dash: 0, scale: 0 };
  const place = (value: number): number => value;
  drawDenseLine(ctx, line, (value) => 100 + value, place, {
    down,
    dot: 0.5,
    dash,
    width: 2,
    start: 100,
    length,
  });
  return { bars, dots };
}

describe('a line with more points than pixels', () => {
  const x = [0, 0.2, 0.4, 0.6, 1.2, 1.4, 1.6];
  const y = [5, 50, -20, 6, 7, 9, 8];

  it.each([false, true])('has a bar with the extremes of each pixel; down: %s', (down) => {
    const { bars } = barsOf(x, y, [], down);
    expect(bars[0]).toEqual([{ from: -21, to: 51, isGap: false }]);
    // From where the line enters the pixel: 6 + 2/3.
    expect(bars[1]?.[0]?.from).toBeCloseTo(6 + 2 / 3 - 1);
    expect(bars[1]?.[0]?.to).toBe(10);
    expect(Object.keys(bars)).toEqual(['0', '1']);
  });

  it('isn’t drawn in a chart that is smaller than its axes', () => {
    expect(barsOf(x, y, [], false, -95)).toEqual({ bars: {}, dots: [] });
    expect(barsOf(x, y, [], true, 0)).toEqual({ bars: {}, dots: [] });
  });

  it('continues over pixels without points, and is broken at a gap', () => {
    const { bars } = barsOf([0, 4, 5, 6, 8], [0, 40, Number.NaN, 60, 80]);
    expect(bars[2]).toEqual([{ from: 19, to: 31, isGap: false }]);
    expect(bars[5]).toBeUndefined();
    expect(bars[7]).toEqual([{ from: 69, to: 81, isGap: false }]);
  });

  it('begins and ends far outside of the visible part', () => {
    const { bars } = barsOf([-1e9, 1e9], [-1e9, 1e9]);
    expect(Object.keys(bars)).toHaveLength(11);
    expect(bars[3]?.[0]?.from).toBeCloseTo(2);
    expect(bars[3]?.[0]?.to).toBeCloseTo(5);
  });

  it('shows a peak between two dashes, paler', () => {
    const { bars } = barsOf([0, 2.4, 2.5, 2.6, 9], [0, 0, 70, 0, 0], [2, 2]);
    expect([0, 1, 2, 3, 4].map((pixel) => bars[pixel]?.[0]?.isGap)).toEqual([
      false,
      false,
      true,
      true,
      false,
    ]);
    expect(bars[2]?.[0]?.to).toBe(71);
  });

  it('has a dot for a value alone', () => {
    expect(barsOf([1, 2, 3, 4, 6], [1, Number.NaN, 30, Number.NaN, 6]).dots).toEqual([
      [101, 1],
      [103, 30],
      [106, 6],
    ]);
    expect(barsOf([3], [30], [], true).dots).toEqual([[30, 103]]);
  });
});
