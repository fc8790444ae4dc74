import { FileDown, ImageDown } from 'lucide-react';
import { useMemo, useState, useLayoutEffect, useRef, type KeyboardEvent, type PointerEvent } from 'react';
import { statementNames, type FieldNames } from '../../../shared/channels/plain-names.ts';
import {
  irregularWells,
  type QualityReport,
  type WellQuality,
} from '../../../shared/quality/quality-report.ts';
import { formatCount } from '../../format/numbers.ts';
import { useApp } from '../../contexts.ts';
import { useTask } from '../../state/latest-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { OptionGroup } from '../../ui/option-group.tsx';
import { Status } from '../../ui/status.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import {
  type ShowRecords,
  fieldColumn,
  withFieldNames,
  FindingTable,
  FactList,
  FlatStretches,
  PlaceButton,
  UnusualValues,
  wellColumn,
  WellName,
} from './finding-table.tsx';
import { placeText, type PlaceText } from './place-text.ts';
import { titleName } from '../../format/file-name.ts';
import { completenessCsv, stripPicture } from './saving.ts';
import './quality.css';
import { missingRanges, stripRows, drawStrip } from './strip.ts';
import { onThemeChange, tokenColors } from '../../ui/tokens.ts';

interface TableProps {
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

interface ChartSize {
  readonly buckets: number;
  readonly rows: number;
}

function cursorAt(event: PointerEvent<HTMLCanvasElement>, { buckets, rows }: ChartSize): Cursor {
  const { left, top, width } = event.currentTarget.getBoundingClientRect();
  return {
    bucket: clamp(Math.floor(((event.clientX - left) / width) * buckets), buckets),
    row: clamp(Math.floor((event.clientY - top) / rowHeight), rows),
  };
}

/** The cursor after an arrow key; Shift moves it by a twentieth of the chart. Null: another key. */
function movedCursor(
  cursor: Cursor | null,
  { key, shiftKey }: KeyboardEvent,
  size: ChartSize,
): Cursor | null {
  const step = steps[key];
  if (!step) return null;
  const [along, down] = step;
  const page = shiftKey ? Math.max(1, Math.round(size.buckets / 20)) : 1;
  const at = cursor ?? { bucket: 0, row: 0 };
  return { bucket: clamp(at.bucket + along * page, size.buckets), row: clamp(at.row + down, size.rows) };
}

/** The completeness of each field along the index. */
function StripChart({ report, text, onShow }: TableProps) {
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
  const size = { buckets, rows: rows.length };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = movedCursor(cursor, event, size);
    if (event.key === 'Enter') show(cursor);
    else if (next) setCursor(next);
    else return;
    event.preventDefault();
  };
  const row = cursor && rows[cursor.row];
  const readout =
    cursor &&
    row &&
    w.readout(row.name, place(cursor.bucket), place(cursor.bucket + 1), row.shares[cursor.bucket] ?? 0);
  return (
    <div className="quality-strip">
      <ul className="quality-strip-names small" aria-hidden>
        {rows.map(({ name }, at) => (
          <li key={name} className="ellipsis" title={name} data-current={cursor?.row === at || undefined}>
            {name}
          </li>
        ))}
      </ul>
      {/* oxlint-disable-next-line no-noninteractive-element-interactions -- an application is acted upon by keys */}
      <div
        className="quality-strip-chart relative min-0"
        role="application"
        aria-label={w.label(rows.length - 1)}
        // oxlint-disable-next-line no-noninteractive-tabindex -- an application is acted upon by keys
        tabIndex={0}
        onKeyDown={onKeyDown}
      >
        <canvas
          ref={canvas}
          style={{ height: rows.length * rowHeight }}
          onPointerMove={(event) => setCursor(cursorAt(event, size))}
          onPointerLeave={() => setCursor(null)}
          onPointerDown={(event) => show(cursorAt(event, size))}
        />
        {cursor && (
          <span
            className="quality-strip-cursor"
            style={{ insetInlineStart: `${((cursor.bucket + 0.5) / buckets) * 100}%` }}
          />
        )}
      </div>
      <div className="quality-strip-ends row gap-0 items-stretch between small numbers quiet">
        <span>{place(0)}</span>
        <span>{place(buckets)}</span>
      </div>
      <Status className="quality-strip-readout small numbers quiet">
        {readout ?? [w.help, ...(onShow ? [w.helpShow] : [])].join(' ')}
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

const maxListedGaps = 200;
const maxListedRanges = 5;

const percentText = (part: number, whole: number): string => {
  const share = whole === 0 ? 0 : (100 * part) / whole;
  // Only complete is 100 %.
  return `${part === whole ? 100 : Math.min(99.9, Number(share.toFixed(1)))}%`;
};

/** Whether there are no gaps, or where they aren't checked. */
function GapNote({ report, text }: TableProps) {
  const w = words.quality.gaps;
  const { gapCount, longest, wells } = report;
  const irregular = irregularWells(report).length;
  if (irregular > 0) {
    const distance = longest && text.distance(longest.to - longest.from);
    return <p className="quiet">{w.irregular(irregular, wells.length, distance)}</p>;
  }
  return gapCount === 0 && <p className="quiet">{w.none}</p>;
}

/** The gaps, longest ones if there are many. */
function GapTable({ report: { gaps, gapCount }, text, onShow }: TableProps) {
  const w = words.quality.gaps;
  return (
    <FindingTable
      rows={gaps.slice(0, maxListedGaps)}
      count={gapCount}
      more={w.more}
      columns={[
        wellColumn(gaps),
        {
          head: w.from,
          render: ({ well, from }) => <PlaceButton at={from} well={well} text={text} onShow={onShow} />,
        },
        { head: w.to, render: ({ to }) => text.place(to) },
        { head: w.length, as: 'count', render: ({ from, to }) => text.distance(to - from) },
        { head: w.missing, as: 'count', render: ({ missing }) => missing ?? w.unknown },
      ]}
    />
  );
}

const meanOf = (shares: readonly number[]): number =>
  shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length;

/** The completeness of each field as text, for keyboard and screen reader. */
function CompletenessTable({ report, text }: TableProps) {
  const { chart, fields } = words.quality;
  const { from, width } = report.completeness;
  const place = (bucket: number): string => text.place(from + bucket * width);
  const rangesText = (shares: readonly number[]): string => {
    const ranges = missingRanges(shares);
    const listed = ranges
      .slice(0, maxListedRanges)
      .map((range) => `${place(range.from)} ${chart.to} ${place(range.to)}`);
    const rest = ranges.length - listed.length;
    return [...listed, ...(rest > 0 ? [chart.more(rest)] : [])].join('; ');
  };
  return (
    <FindingTable
      rows={stripRows(report)}
      columns={[
        { head: fields.field, as: 'name', render: ({ name }) => name },
        { head: fields.present, as: 'count', render: ({ shares }) => percentText(meanOf(shares), 100) },
        {
          head: chart.missing,
          render: ({ shares }) => rangesText(shares) || (meanOf(shares) === 100 ? chart.complete : ''),
        },
      ]}
    />
  );
}

function FieldTable({ report, text, onShow }: TableProps) {
  const w = words.quality.fields;
  const shown = { text, onShow };
  return (
    <FindingTable
      rows={report.fields}
      columns={[
        fieldColumn,
        { head: w.present, as: 'count', render: ({ values }) => percentText(values, report.rows) },
        { head: w.nulls, as: 'count', render: ({ nulls }) => nulls },
        { head: w.tokens, as: 'count', render: ({ tokens }) => tokens },
        { head: w.flat, as: 'count', render: (field) => <FlatStretches {...shown} field={field} /> },
        {
          head: w.spikes,
          as: 'count',
          render: (field) => <UnusualValues {...shown} of="spikes" field={field} />,
        },
        report.fields.some(({ uncheckedWells }) => uncheckedWells > 0) && {
          head: w.uncheckedWells,
          as: 'count',
          render: ({ uncheckedWells }) => uncheckedWells,
        },
        {
          head: w.outside,
          as: 'count',
          render: (field) => <UnusualValues {...shown} of="outside" field={field} />,
        },
        {
          head: w.types,
          render: ({ types }) => Object.keys(types).join(', '),
          isOdd: ({ types }) => Object.keys(types).length > 1,
        },
        { head: w.first, render: ({ first }) => first !== null && text.place(first) },
        { head: w.last, render: ({ last }) => last !== null && text.place(last) },
      ]}
    />
  );
}

function WellTable({ report, text }: TableProps) {
  const w = words.quality.wells;
  const irregular = useMemo(() => new Set(irregularWells(report)), [report]);
  const counted = (well: WellQuality, count: number) =>
    irregular.has(well) ? words.quality.gaps.unknown : count;
  return (
    <FindingTable
      rows={report.wells}
      columns={[
        { head: w.well, as: 'name', render: ({ well }) => <WellName id={well} /> },
        { head: w.records, as: 'count', render: ({ rows }) => rows },
        { head: w.first, render: ({ first }) => first !== null && text.place(first) },
        { head: w.last, render: ({ last }) => last !== null && text.place(last) },
        { head: w.gaps, as: 'count', render: (well) => counted(well, well.gaps) },
        { head: w.missing, as: 'count', render: (well) => counted(well, well.missing) },
        { head: w.duplicates, as: 'count', render: ({ duplicates }) => duplicates },
        { head: w.disorder, as: 'count', render: ({ disorder }) => disorder },
      ]}
    />
  );
}

interface QualityViewProps {
  readonly report: QualityReport;
  /** The name of what was checked, for files. */
  readonly title: string;
  /** An IANA name; null: UTC. */
  readonly zone: string | null;
  /** The names of the fields; absent: those of the columns of a file. */
  readonly names?: FieldNames;
  /** Absent: records can't be shown. */
  readonly onShow?: ShowRecords | undefined;
}

export function QualityView(props: QualityViewProps) {
  const { report: stored, title, zone, names = statementNames, onShow } = props;
  const report = useMemo(() => withFieldNames(stored, names), [stored, names]);
  const text = useMemo(() => placeText(report.index, zone), [report, zone]);
  const w = words.quality;
  const hasIndex = report.index.kind !== 'rows';
  const partlyChecked = report.fields.filter(({ uncheckedWells }) => uncheckedWells > 0).length;
  const tables = { report, text, onShow: hasIndex ? onShow : undefined };
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <section className="quality fill pad-3 scroll" aria-label={w.region} tabIndex={0}>
      {!hasIndex && <Alert tone="info">{w.noIndex}</Alert>}
      {report.uncheckedWells > 0 && <Alert tone="warning">{w.uncheckedWells(report.uncheckedWells)}</Alert>}
      {report.uncheckedFields > 0 && (
        <Alert tone="warning">{w.uncheckedFields(report.uncheckedFields)}</Alert>
      )}
      {partlyChecked > 0 && <Alert tone="warning">{w.partlyChecked(partlyChecked)}</Alert>}
      <Facts report={report} text={text} />
      <Completeness {...tables} stored={stored} title={title} />
      {hasIndex && (
        <>
          <h3>{w.gaps.heading(report.gapCount)}</h3>
          <GapNote {...tables} />
          {report.gapCount > 0 && <GapTable {...tables} />}
        </>
      )}
      <h3>{w.fields.heading}</h3>
      <FieldTable {...tables} />
      {report.wells.length > 1 && (
        <>
          <h3>{w.wells.heading}</h3>
          <WellTable {...tables} />
        </>
      )}
    </section>
  );
}

function Facts({ report, text }: { report: QualityReport; text: PlaceText }) {
  const w = words.quality.facts;
  const { index, gapCount, missing, duplicates, disorder, unplaced } = report;
  const count = (value: number): string => (value === 0 ? w.none : formatCount(value));
  const irregular = irregularWells(report).length;
  const hasIndex = index.kind !== 'rows';
  return (
    <FactList
      facts={[
        [w.records, formatCount(report.rows)],
        index.first !== null &&
          index.last !== null && [w.range, `${text.place(index.first)} – ${text.place(index.last)}`],
        hasIndex && [w.step, index.step === null ? w.irregular : text.distance(index.step)],
        hasIndex && [
          w.gaps,
          gapCount === 0 && irregular > 0
            ? w.gapsUnchecked(irregular, report.wells.length)
            : w.gapsText(gapCount, missing),
          gapCount > 0,
        ],
        hasIndex && [w.duplicates, count(duplicates), duplicates > 0],
        hasIndex && [w.disorder, count(disorder), disorder > 0],
        hasIndex && unplaced > 0 && [w.unplaced, count(unplaced), true],
      ]}
    />
  );
}

interface CompletenessProps extends TableProps {
  /** With the fields of the dataset, for files that programs read. */
  readonly stored: QualityReport;
  readonly title: string;
}

function Completeness({ report, stored, text, onShow, title }: CompletenessProps) {
  const w = words.quality.chart;
  const { save } = useApp();
  const [view, setView] = useState<'chart' | 'table'>('chart');
  const { from, width, rows } = report.completeness;
  const saving = useTask(async (what: 'csv' | 'picture') => {
    const name = `${titleName(title)}-quality.${what === 'csv' ? 'csv' : 'png'}`;
    const ends = [text.place(from), text.place(from + rows.length * width)] as const;
    const blob =
      what === 'csv'
        ? completenessCsv(stored)
        : await stripPicture(report, `${title}: ${w.heading}`, `${ends[0]} – ${ends[1]}`, ends);
    return (await save(name, blob)) ? name : '';
  });
  return (
    <>
      <div className="row quality-head">
        <h3>{w.heading}</h3>
        <OptionGroup
          label={w.view}
          layout="line"
          value={view}
          options={(['chart', 'table'] as const).map((id) => ({ id, text: w.views[id] }))}
          onChange={setView}
        />
        <span className="push row gap-0">
          <Button
            variant="quiet"
            icon={ImageDown}
            aria-label={w.picture}
            onPress={() => void saving.start('picture')}
          />
          <Button
            variant="quiet"
            icon={FileDown}
            aria-label={w.csv}
            onPress={() => void saving.start('csv')}
          />
        </span>
        <Status className="visually-hidden">{saving.value ? w.saved(saving.value) : ''}</Status>
      </div>
      {saving.error && <Failed error={saving.error} />}
      {view === 'chart' ? (
        <StripChart report={report} text={text} onShow={onShow} />
      ) : (
        <CompletenessTable report={report} text={text} onShow={onShow} />
      )}
    </>
  );
}
