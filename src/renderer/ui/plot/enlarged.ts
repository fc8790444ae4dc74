import type uPlot from 'uplot';
import type { ChartColors } from './options.ts';
import { drawLines } from './draw-lines.ts';
import type { ChartSpec } from './chart-spec.ts';

/** The same chart with everything so many times as large: for a picture with more pixels than the screen has. */
export function enlarged(
  options: uPlot.Options,
  spec: ChartSpec,
  colors: ChartColors,
  times: number,
): uPlot.Options {
  const { width, height, padding, axes } = options;
  return {
    ...options,
    width: width * times,
    height: height * times,
    ...(padding
      ? { padding: [larger(padding[0]), larger(padding[1]), larger(padding[2]), larger(padding[3])] }
      : {}),
    ...(axes ? { axes: axes.map(axis) } : {}),
    hooks: { draw: [(u) => drawLines(u, spec, colors.series, times)] },
  };

  function larger<T>(value: T): T | number {
    return typeof value === 'number' ? value * times : value;
  }
  function fontOf(font: string | undefined): string {
    return (font ?? '11px sans-serif').replace(/(\d+)px/, (_, size: string) => `${Number(size) * times}px`);
  }
  function axis(given: uPlot.Axis): uPlot.Axis {
    const { size = 50, space = 50, gap = 4, labelGap = 2, labelSize = 16 } = given;
    return {
      ...given,
      font: fontOf(given.font),
      labelFont: fontOf(given.labelFont),
      size: larger(size),
      space: larger(space),
      gap: gap * times,
      labelGap: labelGap * times,
      labelSize: labelSize * times,
      grid: { ...given.grid, width: times },
      ticks: { ...given.ticks, width: times, size: 4 * times },
    };
  }
}
