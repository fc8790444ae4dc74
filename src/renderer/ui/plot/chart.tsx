import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './plot.css';
import { onThemeChange, tokenColors } from '../tokens.ts';
import { type ChartRange, type ChartSpec, colorAt } from './chart-spec.ts';
import { chartColors, chartOptions, isReversed, showRanges, type ChartColors } from './options.ts';
import { pointing, type Pointed } from './pointing.ts';
import { nearestTo, reachOf } from './nearest.ts';
import { shareOf } from './placing.ts';

/** A line across the chart at the cursor, and a ring on each value there. */
class Markers {
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

export interface ChartProps {
  readonly spec: ChartSpec;
  /** The position of the cursor on the axis, or its dot; null: no cursor. */
  readonly cursor: Pointed | null;
  /** A part of the axis to shade; null: none. */
  readonly band: ChartRange | null;
  readonly onPoint: (at: Pointed | null) => void;
  /** A position was clicked. */
  readonly onSelect: (at: Pointed) => void;
  /** Called to show a part of the axis; `y` only for scatter plots. Null: everything. */
  readonly onZoom: (part: { readonly x: ChartRange; readonly y?: ChartRange } | null) => void;
  /** Size along the axis and across it, in pixels. */
  readonly onResize: (along: number, across: number) => void;
}

/** Options that require a new chart when they change. */
const structureOf = ({ shape, along, label, axis, isPanel, isLog, scales, histograms }: ChartSpec): string =>
  JSON.stringify([
    shape,
    along,
    label,
    axis,
    isPanel,
    isLog,
    histograms !== undefined,
    shape === 'track'
      ? null
      : scales.map((scale) => [scale.label, scale.color, scale.isLog, isReversed(scale.range)]),
  ]);

/** A chart that fills its parent: drawing, wheel, and pointer. The parent provides the label and the keyboard. */
export default function Chart(props: ChartProps) {
  const [theme, setTheme] = useState(0);
  useEffect(() => onThemeChange(() => setTheme((before) => before + 1)), []);
  return <DrawnChart key={`${theme} ${structureOf(props.spec)}`} {...props} />;
}

/** Rebuilt when its axes or colors change. */
function DrawnChart(props: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<{ readonly u: uPlot; readonly markers: Markers } | null>(null);
  const latestProps = useRef(props);
  useLayoutEffect(() => {
    latestProps.current = props;
  });
  const { spec, cursor, band } = props;

  useLayoutEffect(() => {
    const root = place.current;
    if (!root) return undefined;
    chart.current = drawIn(root, () => latestProps.current);
    const { u } = chart.current;
    const resized = new ResizeObserver(() => {
      const { width, height } = sizeOf(root);
      if (width !== u.width || height !== u.height) u.setSize({ width, height });
    });
    resized.observe(root);
    return () => {
      resized.disconnect();
      chart.current = null;
      u.destroy();
    };
  }, []);

  useLayoutEffect(() => {
    if (chart.current) showRanges(chart.current.u, spec);
  }, [spec]);

  useLayoutEffect(() => {
    chart.current?.markers.show(spec, cursor, band);
  }, [spec, cursor, band]);

  return <div ref={place} className="chart" />;
}

const sizeOf = (root: HTMLElement) => ({
  width: Math.max(root.clientWidth, 40),
  height: Math.max(root.clientHeight, 40),
});

function drawIn(root: HTMLElement, latestProps: () => ChartProps) {
  const colors = chartColors(tokenColors());
  const options = chartOptions(() => latestProps().spec, colors, sizeOf(root));
  const reportSize = ({ bbox }: uPlot) => {
    const { spec, onResize } = latestProps();
    const width = Math.round(bbox.width / devicePixelRatio);
    const height = Math.round(bbox.height / devicePixelRatio);
    if (spec.shape === 'track') onResize(height, width);
    else onResize(width, height);
  };
  const { cursor, hooks } = pointing(latestProps);
  const u = new uPlot(
    {
      ...options,
      ...(cursor ? { cursor } : {}),
      hooks: { ...options.hooks, ...hooks, setSize: [reportSize], ready: [reportSize] },
    },
    [[latestProps().spec.range.from, latestProps().spec.range.to]],
    root,
  );
  return { u, markers: new Markers(u, colors) };
}
