import type uPlot from 'uplot';
import { colorAt, type ChartRange, type ChartSpec } from './chart-spec.ts';
import { nearestTo, reachOf } from './nearest.ts';
import type { ChartColors } from './options.ts';
import { shareOf } from './placing.ts';
import type { Pointed } from './pointing.ts';

/** A line across the chart at the cursor, and a ring on each value there. */
export class Markers {
  readonly #u: uPlot;
  readonly #colors: ChartColors;
  readonly #hair: HTMLElement;
  readonly #band: HTMLElement;
  readonly #rings: HTMLElement[] = [];

  constructor(u: uPlot, colors: ChartColors) {
    this.#u = u;
    this.#colors = colors;
    this.#band = this.#element('chart-band');
    this.#hair = this.#element('chart-hair');
  }

  show(spec: ChartSpec, cursor: Pointed | null, band: ChartRange | null): void {
    this.#showBand(spec, band);
    const inside = cursor && cursor.along >= spec.range.from && cursor.along <= spec.range.to;
    this.#hair.hidden = !inside || spec.shape === 'dots';
    const points = inside ? pointsAt(spec, cursor) : [];
    while (this.#rings.length < points.length) this.#rings.push(this.#element('chart-ring'));
    this.#rings.forEach((ring, at) => {
      const point = points[at];
      ring.hidden = point === undefined;
      if (!point) return;
      const along = this.#u.valToPos(point.x, 'x');
      const across = this.#across(spec, point);
      ring.hidden = Number.isNaN(across);
      ring.style.borderColor = colorAt(this.#colors.series, point.color);
      ring.style.translate = spec.shape === 'track' ? `${across}px ${along}px` : `${along}px ${across}px`;
    });
    if (!inside) return;
    const at = this.#u.valToPos(cursor.along, 'x');
    this.#hair.classList.toggle('chart-hair-across', spec.shape === 'track');
    this.#hair.style.translate = spec.shape === 'track' ? `0 ${at}px` : `${at}px 0`;
  }

  /** NaN: outside the track. */
  #across({ shape, scales }: ChartSpec, { y, scale }: Point): number {
    const share = shareOf(scales[scale] ?? { range: { from: 0, to: 1 } })(y);
    const { clientWidth: width, clientHeight: height } = this.#u.over;
    if (shape !== 'track') return height - share * height;
    const shown = scales[scale]?.isWrapped ? share - Math.floor(share) : share;
    return shown >= 0 && shown <= 1 ? shown * width : Number.NaN;
  }

  #showBand({ range, shape }: ChartSpec, band: ChartRange | null): void {
    const from = Math.max(band?.from ?? range.to, range.from);
    const to = Math.min(band?.to ?? range.from, range.to);
    this.#band.hidden = band === null || from > to || shape === 'dots';
    if (this.#band.hidden) return;
    const [a, b] = [this.#u.valToPos(from, 'x'), this.#u.valToPos(to, 'x')];
    const [start, length] = [`${Math.min(a, b)}px`, `${Math.max(Math.abs(b - a), 1)}px`];
    const { style } = this.#band;
    if (shape === 'track') Object.assign(style, { top: start, height: length, left: '0', width: '100%' });
    else Object.assign(style, { left: start, width: length, top: '0', height: '100%' });
  }

  #element(name: string): HTMLElement {
    const element = document.createElement('div');
    element.className = name;
    element.hidden = true;
    this.#u.over.append(element);
    return element;
  }
}

interface Point {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
  readonly color: number;
}

function pointsAt({ shape, lines, range }: ChartSpec, { along, dot }: Pointed): Point[] {
  return lines.flatMap((line, index) => {
    const at =
      shape === 'dots' ? (dot?.line === index ? dot.at : -1) : nearestTo(line, along, reachOf(range));
    const [x, y] = [line.x[at], line.y[at]];
    if (x === undefined || y === undefined || Number.isNaN(y)) return [];
    return [{ x, y, scale: line.scale, color: line.color }];
  });
}
