import type { FieldQuality, QualityReport } from '../../../shared/quality/report.ts';
import { words } from '../../words/words.ts';
import {
  fieldColumn,
  FindingTable,
  FlatStretches,
  measurementText,
  PlaceButton,
  UnusualValues,
  wellColumn,
  WellName,
  type ShowRecords,
} from './finding-table.tsx';
import type { PlaceText } from './place-text.ts';
import { missingRanges, stripRows } from './strip.ts';

export interface TableProps {
  readonly report: QualityReport;
  readonly text: PlaceText;
  readonly onShow: ShowRecords | undefined;
}

const maxListedGaps = 200;
const maxListedRanges = 5;

const percentText = (part: number, whole: number): string => {
  const share = whole === 0 ? 0 : (100 * part) / whole;
  // Only complete is 100 %.
  return `${part === whole ? 100 : Math.min(99.9, Number(share.toFixed(1)))}%`;
};

/** The gaps, longest ones if there are many. */
export function GapTable({ report: { gaps, gapCount }, text, onShow }: TableProps) {
  const w = words.quality.gaps;
  if (gapCount === 0) return <p className="quiet">{w.none}</p>;
  return (
    <FindingTable
      rows={gaps.slice(0, maxListedGaps)}
      count={gapCount}
      more={w.more}
      columns={[
        ...wellColumn(gaps),
        {
          head: w.from,
          render: ({ well, from }) => (
            <PlaceButton at={from} well={well} text={text} onShow={onShow} label={w.show(text.place(from))} />
          ),
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
export function CompletenessTable({ report, text }: TableProps) {
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

/** What was found in each field. */
export function FieldTable({ report, text, onShow }: TableProps) {
  const w = words.quality.fields;
  const limitsText = ({ limits }: FieldQuality) =>
    limits ? w.limits(measurementText(limits.min), measurementText(limits.max)) : undefined;
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
          render: (field) => (
            <UnusualValues
              {...shown}
              what={w.spikes}
              field={field}
              count={field.spikes}
              places={field.spikePlaces}
            />
          ),
        },
        ...(report.fields.some(({ uncheckedWells }) => uncheckedWells > 0)
          ? [
              {
                head: w.uncheckedWells,
                as: 'count' as const,
                render: (field: FieldQuality) => field.uncheckedWells,
              },
            ]
          : []),
        {
          head: w.outside,
          as: 'count',
          render: (field) => (
            <UnusualValues
              {...shown}
              what={w.outside}
              field={field}
              count={field.outside}
              places={field.outsidePlaces}
              title={limitsText(field)}
            />
          ),
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

/** The records and gaps of each well. */
export function WellTable({ report, text }: TableProps) {
  const w = words.quality.wells;
  return (
    <FindingTable
      rows={report.wells}
      columns={[
        { head: w.well, as: 'name', render: ({ well }) => <WellName id={well} /> },
        { head: w.records, as: 'count', render: ({ rows }) => rows },
        { head: w.first, render: ({ first }) => first !== null && text.place(first) },
        { head: w.last, render: ({ last }) => last !== null && text.place(last) },
        { head: w.gaps, as: 'count', render: ({ gaps }) => gaps },
        { head: w.missing, as: 'count', render: ({ missing }) => missing },
        { head: w.duplicates, as: 'count', render: ({ duplicates }) => duplicates },
        { head: w.disorder, as: 'count', render: ({ disorder }) => disorder },
      ]}
    />
  );
}
