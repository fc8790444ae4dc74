import { lazy } from 'react';
import type { ChartSpec } from './chart-spec.ts';
import type { PictureOptions } from './picture.ts';

export type {
  Along,
  ChartFill,
  ChartLine,
  ChartMark,
  ChartRange,
  ChartScale,
  ChartSpec,
} from './chart-spec.ts';
export { colorSteps, dashOf, seriesColors, trackAxisWidth } from './chart-spec.ts';
export { alongText, extentText, headLimits, limitText, numberText } from './axis-values.ts';
export { nearestTo, reachOf } from './nearest.ts';
export type { ChartProps } from './chart.tsx';

export const Chart = lazy(() => import('./chart.tsx'));

/** A picture of charts, drawn by the code that draws the screen. @throws Error */
export async function pictureOf(specs: readonly ChartSpec[], options: PictureOptions): Promise<Blob> {
  return (await import('./picture.ts')).pictureOf(specs, options);
}
