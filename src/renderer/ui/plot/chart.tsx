import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import './plot.css';
import { onThemeChange, tokenColors } from '../tokens.ts';
import type { ChartRange, ChartSpec } from './chart-spec.ts';
import { scaleName } from './draw-lines.ts';
import { Markers } from './markers.ts';
import { chartColors, chartOptions, ends, isReversed } from './options.ts';
import { pointing, type Pointed } from './pointing.ts';

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

/** A chart; it is rebuilt when its axes or colors change. */
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
    const u = chart.current?.u;
    u?.batch(() => {
      u.setScale('x', { min: spec.range.from, max: spec.range.to });
      if (spec.shape === 'track') return;
      spec.scales.forEach(({ range }, at) => {
        const [min, max] = ends(range);
        u.setScale(scaleName(at), { min, max });
      });
    });
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
