import type uPlot from 'uplot';
import type { ChartSpec } from './chart-spec.ts';
import { shareOf } from './placing.ts';

export type CanvasContext = Pick<
  CanvasRenderingContext2D,
  | 'beginPath'
  | 'clip'
  | 'closePath'
  | 'fill'
  | 'fillRect'
  | 'fillStyle'
  | 'globalAlpha'
  | 'lineDashOffset'
  | 'lineJoin'
  | 'lineTo'
  | 'lineWidth'
  | 'moveTo'
  | 'rect'
  | 'restore'
  | 'save'
  | 'setLineDash'
  | 'stroke'
  | 'strokeStyle'
  | 'translate'
>;

/** The part of the library's chart that drawing needs. */
export type Sheet = Pick<uPlot, 'bbox'> & { readonly ctx: CanvasContext };

/** The canvas pixel of a value along an axis or across it. */
export type ToPixel = (value: number) => number;

type AlongSpec = Pick<ChartSpec, 'shape' | 'range' | 'isLog'>;

/** Canvas pixels of positions along the axis of the records. */
export function alongToPixel({ bbox }: Pick<Sheet, 'bbox'>, { shape, range, isLog }: AlongSpec): ToPixel {
  const share = shareOf({ range, isLog });
  const [start, length] = shape === 'track' ? [bbox.top, bbox.height] : [bbox.left, bbox.width];
  return (value) => start + share(value) * length;
}

/** Canvas pixels of values on one of the scales across the axis. */
export function acrossToPixel(
  { bbox }: Pick<Sheet, 'bbox'>,
  { shape, scales }: Pick<ChartSpec, 'shape' | 'scales'>,
  scale: number,
): ToPixel {
  const share = shareOf(scales[scale] ?? { range: { from: 0, to: 1 } });
  return shape === 'track'
    ? (value) => bbox.left + share(value) * bbox.width
    : (value) => bbox.top + bbox.height - share(value) * bbox.height;
}

/** Limits drawing to the plot area until the pen is restored. */
export function clipTo({ ctx, bbox }: Sheet): void {
  ctx.beginPath();
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height);
  ctx.clip();
}
