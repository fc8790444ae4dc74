import { useLayoutEffect, useMemo, useRef, useState, type KeyboardEvent, type PointerEvent } from 'react';
import type { QualityReport } from '../../../shared/quality/report.ts';
import { onThemeChange, tokenColors } from '../../ui/tokens.ts';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import type { ShowRecords } from './finding-table.tsx';
import type { PlaceText } from './place-text.ts';
import { drawStrip, stripRows } from './strip.ts';

interface StripChartProps {
  readonly report: QualityReport;
  readonly text: PlaceText;
  /** Absent: records can't be shown. */
  readonly onShow: ShowRecords | undefined;
}

interface Cursor {
  readonly bucket: number;
  readonly row: number;
}

const rowHeight = 18;
const clamp = (value: number, count: number): number => Math.min(Math.max(value, 0), count - 1);

/** The completeness of each field along the index. */
export function StripChart({ report, text, onShow }: StripChartProps) {
  const { from, width } = report.completeness;
  const rows = useMemo(() => stripRows(report), [report]);
  const buckets = report.completeness.rows.length;
  const [cursor, setCursor] = useState<Cursor | null>(null);
  const canvas = useStripDrawing(rows);
  const w = words.quality.chart;
  const start = (bucket: number): number => from + bucket * width;
  // Buckets start at powers of two, which nobody wants to read.
  const { step } = report.index;
  const place = (bucket: number): string =>
    text.place(step === null ? start(bucket) : Math.round(start(bucket) / step) * step);
  const show = (at: Cursor | null): void => {
    if (at) onShow?.(start(at.bucket), start(at.bucket + 1), '');
  };
  const cursorAt = (event: PointerEvent<HTMLCanvasElement>): Cursor => {
    const { left, top, width: wide } = event.currentTarget.getBoundingClientRect();
    return {
      bucket: clamp(Math.floor(((event.clientX - left) / wide) * buckets), buckets),
      row: clamp(Math.floor((event.clientY - top) / rowHeight), rows.length),
    };
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = steps[event.key];
    if (event.key === 'Enter') show(cursor);
    else if (step) {
      const [along, down] = step;
      const page = event.shiftKey ? Math.max(1, Math.round(buckets / 20)) : 1;
      const at = cursor ?? { bucket: 0, row: 0 };
      setCursor({ bucket: clamp(at.bucket + along * page, buckets), row: clamp(at.row + down, rows.length) });
    } else return;
    event.preventDefault();
  };
  const row = cursor ? rows[cursor.row] : undefined;
  return (
    <div className="quality-strip">
      <ul className="quality-strip-names" aria-hidden>
        {rows.map(({ name }, at) => (
          <li key={name} className="ellipsis" title={name} data-current={cursor?.row === at || undefined}>
            {name}
          </li>
        ))}
      </ul>
      {/* oxlint-disable-next-line no-noninteractive-element-interactions -- an application is acted upon by keys */}
      <div
        className="quality-strip-chart"
        role="application"
        aria-label={w.label(rows.length - 1)}
        // oxlint-disable-next-line no-noninteractive-tabindex -- an application is acted upon by keys
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <canvas
          ref={canvas}
          style={{ height: rows.length * rowHeight }}
          onPointerMove={(event) => setCursor(cursorAt(event))}
          onPointerLeave={() => setCursor(null)}
          onPointerDown={(event) => show(cursorAt(event))}
        />
        {cursor && (
          <span
            className="quality-strip-cursor"
            style={{ insetInlineStart: `${((cursor.bucket + 0.5) / buckets) * 100}%` }}
          />
        )}
      </div>
      <div className="quality-strip-ends numbers quiet">
        <span>{place(0)}</span>
        <span>{place(buckets)}</span>
      </div>
      <Status className="quality-strip-readout numbers quiet">
        {cursor && row
          ? w.readout(
              row.name,
              place(cursor.bucket),
              place(cursor.bucket + 1),
              row.shares[cursor.bucket] ?? 0,
            )
          : [w.help, ...(onShow ? [w.helpShow] : [])].join(' ')}
      </Status>
    </div>
  );
}

/** Buckets and rows by arrow key. */
const steps: Readonly<Record<string, readonly [along: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Draws the rows in the size and the theme of the canvas. */
function useStripDrawing(rows: ReturnType<typeof stripRows>) {
  const canvas = useRef<HTMLCanvasElement>(null);
  useLayoutEffect(() => {
    const element = canvas.current;
    if (!element) return undefined;
    const draw = (): void => {
      const width = element.clientWidth;
      const context = width === 0 ? null : element.getContext('2d');
      if (!context) return;
      const ratio = devicePixelRatio;
      element.width = Math.round(width * ratio);
      element.height = Math.round(rows.length * rowHeight * ratio);
      const { color } = tokenColors();
      drawStrip(
        context,
        rows,
        { width, rowHeight, ratio },
        { full: color('--accent'), empty: color('--line-faint') },
      );
    };
    draw();
    const resized = new ResizeObserver(draw);
    resized.observe(element);
    const stop = onThemeChange(draw);
    return () => {
      resized.disconnect();
      stop();
    };
  }, [rows]);
  return canvas;
}
