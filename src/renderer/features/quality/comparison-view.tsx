import { CircleCheck, FileDown } from 'lucide-react';
import { useMemo } from 'react';
import {
  comparedSides,
  isSame,
  type ComparedSide,
  type ComparisonReport,
  fieldDiffers,
  type ComparedField,
} from '../../../shared/quality/comparison.ts';
import { formatCount } from '../../format/numbers.ts';
import { useApp } from '../../contexts.ts';
import { useTask } from '../../state/latest-task.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { Failed } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import {
  FindingTable,
  type Column,
  withFieldNames,
  closing,
  type Fact,
  FactList,
  fieldColumn,
  FindingList,
  measurementText,
  PlaceButton,
  wellColumn,
} from './finding-table.tsx';
import { placeText, type PlaceText } from './place-text.ts';
import { statementNames, type FieldNames } from '../../../shared/channels/plain-names.ts';
import { titleName } from '../../format/file-name.ts';
import { csvBlob, csvPlace } from './saving.ts';
import './quality.css';
import { placeText as lineText, type PlaceKind } from '../../words/upload-file.ts';
import { uploadWords } from '../../words/upload.ts';

const w = words.quality.comparing;

interface ComparisonViewProps extends Pick<ComparisonTableProps, 'report' | 'names' | 'onShow' | 'rows'> {
  /** The name of what was compared, for files. */
  readonly title: string;
  /** The names of the fields; absent: those of the columns of a file. */
  readonly fields?: FieldNames;
}

function withNames(report: ComparisonReport, names: FieldNames): ComparisonReport {
  const withLines = <Side extends { readonly fields: readonly string[] }>(side: Side): Side => ({
    ...side,
    fields: side.fields.map((path) => names(path).line),
  });
  const { source, against } = report;
  return { ...withFieldNames(report, names), source: withLines(source), against: withLines(against) };
}

export function ComparisonView(props: ComparisonViewProps) {
  const { report: stored, names, title, fields = statementNames, onShow, rows } = props;
  const report = useMemo(() => withNames(stored, fields), [stored, fields]);
  const text = useMemo(() => placeText(report.index, null), [report]);
  const { save } = useApp();
  const saving = useTask(async (name: string) => ((await save(name, comparisonCsv(stored))) ? name : ''));
  const tables = { report, text, names, onShow, rows };
  const { shift, matched, tolerance, absent } = report;
  const facts: readonly (Fact | false)[] = [
    [w.matched, formatCount(matched)],
    [w.tolerance, tolerance],
    shift !== 0 && [w.shift, `${shift < 0 ? '−' : ''}${text.distance(Math.abs(shift))}`],
  ];
  return (
    // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
    <section className="quality fill pad-3 scroll" aria-label={w.heading} tabIndex={0}>
      <div className="row quality-head">
        <FactList facts={facts} />
        <span className="push">
          <Button
            variant="quiet"
            icon={FileDown}
            aria-label={w.csv.save}
            onPress={() => void saving.start(`${titleName(title)}-comparison.csv`)}
          />
        </span>
        <Status className="visually-hidden">
          {saving.value ? words.quality.chart.saved(saving.value) : ''}
        </Status>
      </div>
      {saving.error && <Failed error={saving.error} />}
      {comparedSides
        .filter((side) => report[side].rows === 0)
        .map((side) => (
          <Alert key={side} tone="warning">
            {w.noRecords(names[side])}
          </Alert>
        ))}
      {matched === 0 && comparedSides.every((side) => report[side].rows > 0) && (
        <Alert tone="warning">{w.noPair}</Alert>
      )}
      {absent.length > 0 && (
        <Alert tone="warning">{w.noValues(absent.map((path) => fields(path).line).join(', '))}</Alert>
      )}
      {isSame(report) && (
        <Status className="row tone-ok">
          <CircleCheck size={16} aria-hidden />
          {w.equal}
        </Status>
      )}
      <h3>{w.sides}</h3>
      <SideTable report={report} names={names} />
      {comparedSides.map((side) => (
        <OnlyHere key={side} {...tables} side={side} />
      ))}
      <h3>{words.quality.fields.heading}</h3>
      <DifferenceTable {...tables} />
    </section>
  );
}

function SideTable({ report, names }: Pick<ComparisonViewProps, 'report' | 'names'>) {
  const counts = (['rows', 'only', 'extra', 'unplaced', 'rejected'] as const).filter(
    (name) => name === 'rows' || name === 'only' || comparedSides.some((side) => report[side][name] > 0),
  );
  const heads = { rows: w.records, only: w.only, extra: w.extra, unplaced: w.unplaced, rejected: w.rejected };
  return (
    <FindingTable
      rows={comparedSides}
      columns={[
        { head: w.side, as: 'name', render: (side) => names[side] },
        ...counts.map((name): Column<ComparedSide> => ({
          head: heads[name],
          as: 'count',
          render: (side) => report[side][name],
          isOdd: (side) => name !== 'rows' && report[side][name] > 0,
        })),
      ]}
    />
  );
}

/** The ranges and fields of one side alone. */
function OnlyHere({ side, ...tables }: ComparisonTableProps & { readonly side: ComparedSide }) {
  const { fields, rangeCount } = tables.report[side];
  if (rangeCount === 0 && fields.length === 0) return null;
  return (
    <>
      <h3>{w.ranges(tables.names[side])}</h3>
      {fields.length > 0 && <p>{w.fieldsOnly(fields.join(', '))}</p>}
      {rangeCount > 0 && <RangeTable {...tables} side={side} />}
    </>
  );
}

/** The listed findings of a comparison, one a line. Places are those of the side that is named, or of the source. */
function comparisonCsv(report: ComparisonReport): Blob {
  const { csv } = w;
  const place = (value: number): string => csvPlace(value, report.index.kind);
  const only = comparedSides.flatMap((side) => {
    const { fields, ranges } = report[side];
    const finding = csv.only[side];
    return [
      ...fields.map((name) => [finding, name]),
      ...ranges.map(({ well, line, from, to, records }) => [
        finding,
        '',
        well,
        line,
        place(from),
        place(to),
        records,
      ]),
    ];
  });
  const differences = report.fields.flatMap(({ name, places }) =>
    places.map(({ well, at, line, source, against }) => {
      const difference =
        typeof source === 'number' && typeof against === 'number' ? Math.abs(source - against) : '';
      return [csv.different, name, well, line, place(at), place(at), 1, source, against, difference];
    }),
  );
  const absent = report.absent.map((name) => [csv.absent, name]);
  return csvBlob(csv.head, [...only, ...absent, ...differences]);
}

export interface ComparisonTableProps {
  readonly report: ComparisonReport;
  readonly text: PlaceText;
  readonly names: Readonly<Record<ComparedSide, string>>;
  readonly onShow: (side: ComparedSide, from: number, to: number) => void;
  /** Shows a row of the file that is the source; absent: the file isn't open. */
  readonly rows?: { readonly kind: PlaceKind; readonly show: (line: number) => void } | undefined;
}

interface SidePlaceProps extends Omit<ComparisonTableProps, 'names'> {
  readonly name: string;
  readonly side: ComparedSide;
  /** By the index of the side. */
  readonly from: number;
  readonly to: number;
  readonly line: number | null;
}

/** A place of a side as a button: of a file, its row; otherwise its records. */
function SidePlace({ report, text, name, side, from, to, line, onShow, rows }: SidePlaceProps) {
  const place = text.place(from);
  if (report.queries[side] !== null)
    return (
      <PlaceButton at={from} text={text} onShow={() => onShow(side, from, to)} label={w.show(place, name)} />
    );
  if (line === null) return place;
  if (!rows) return `${place}, ${lineText(line)}`;
  return (
    <>
      {place}{' '}
      <Button
        variant="link"
        aria-label={uploadWords.ledger.showLine(line, rows.kind)}
        onPress={() => rows.show(line)}
      >
        {lineText(line, rows.kind)}
      </Button>
    </>
  );
}

export function RangeTable({ side, ...tables }: ComparisonTableProps & { readonly side: ComparedSide }) {
  const { report, text, names } = tables;
  const { ranges, rangeCount } = report[side];
  return (
    <FindingTable
      label={w.ranges(names[side])}
      rows={ranges}
      count={rangeCount}
      more={w.moreRanges}
      columns={[
        wellColumn(ranges),
        {
          head: w.from,
          render: (range) => <SidePlace {...tables} {...range} side={side} name={names[side]} />,
        },
        { head: w.to, render: ({ to }) => text.place(to) },
        { head: w.records, as: 'count', render: ({ records }) => records },
      ]}
    />
  );
}

const valueText = (value: ComparedField['places'][number]['source']): string => {
  if (value === null) return w.none;
  return typeof value === 'number' ? measurementText(value) : String(value);
};

/** The fields of both sides, those that differ first. */
export function DifferenceTable(tables: ComparisonTableProps) {
  const { report, names } = tables;
  const fields = [...report.fields].sort((a, b) => Number(fieldDiffers(b)) - Number(fieldDiffers(a)));
  if (fields.length === 0) return <p className="quiet">{w.noFields}</p>;
  return (
    <FindingTable
      rows={fields}
      columns={[
        fieldColumn,
        { head: w.compared, as: 'count', render: ({ compared }) => compared },
        { head: w.differ, as: 'count', render: (field) => <Places {...tables} field={field} /> },
        ...comparedSides.map((side): Column<ComparedField> => ({
          head: w.lacks(names[side]),
          as: 'count',
          render: ({ lacking }) => lacking[side],
        })),
        {
          head: w.largest,
          as: 'count',
          render: ({ largest }) => largest && measurementText(largest.difference, 12),
        },
        {
          head: words.quality.fields.at,
          render: ({ largest }) =>
            largest && (
              <SidePlace
                {...tables}
                side="source"
                name={names.source}
                from={largest.at}
                to={largest.at}
                line={largest.line}
              />
            ),
        },
      ]}
    />
  );
}

/** The number of differing values of a field, with the first places. */
function Places({ field, ...tables }: ComparisonTableProps & { readonly field: ComparedField }) {
  const { report, names, text, rows } = tables;
  const { places, differing, lacking } = field;
  return (
    <FindingList
      heading={w.places(field.name)}
      label={formatCount(differing)}
      count={differing + lacking.source + lacking.against}
      more={w.morePlaces}
      rows={places}
      columns={(close) => {
        const onShow = closing(close, tables.onShow);
        const inList = { ...tables, onShow, rows: rows && { ...rows, show: closing(close, rows.show) } };
        return [
          wellColumn(places),
          {
            head: words.quality.fields.at,
            render: ({ at, line }) => (
              <SidePlace {...inList} side="source" name={names.source} from={at} to={at} line={line} />
            ),
          },
          { head: names.source, render: ({ source }) => valueText(source) },
          {
            head: names.against,
            render: ({ at, against }) => {
              const other = at + report.shift;
              return (
                <Button
                  variant="link"
                  aria-label={w.showIn(valueText(against), text.place(other), names.against)}
                  onPress={() => onShow('against', other, other)}
                >
                  {valueText(against)}
                </Button>
              );
            },
          },
        ];
      }}
    />
  );
}
