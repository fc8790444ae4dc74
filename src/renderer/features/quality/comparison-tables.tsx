import {
  comparedSides,
  fieldDiffers,
  type ComparedField,
  type ComparedSide,
  type ComparisonReport,
} from '../../../shared/quality/comparison.ts';
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { placeText, type PlaceKind } from '../../words/upload-source.ts';
import { uploadWords } from '../../words/upload.ts';
import { words } from '../../words/words.ts';
import {
  closing,
  fieldColumn,
  FindingList,
  FindingTable,
  measurementText,
  PlaceButton,
  wellColumn,
  type Column,
} from './finding-table.tsx';
import type { PlaceText } from './place-text.ts';

export interface ComparisonTableProps {
  readonly report: ComparisonReport;
  readonly text: PlaceText;
  readonly names: Readonly<Record<ComparedSide, string>>;
  /** Shows the records of a range of a side. */
  readonly onShow: (side: ComparedSide, from: number, to: number) => void;
  /** Shows a row of the file that is the source; absent: the file isn't open. */
  readonly rows?: { readonly kind: PlaceKind; readonly show: (line: number) => void } | undefined;
}

const w = words.quality.comparing;

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
  if (!rows) return `${place}, ${placeText(line)}`;
  return (
    <>
      {place}{' '}
      <Button
        variant="link"
        aria-label={uploadWords.ledger.showLine(line, rows.kind)}
        onPress={() => rows.show(line)}
      >
        {placeText(line, rows.kind)}
      </Button>
    </>
  );
}

/** The ranges of records that only one side has. */
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
        ...wellColumn(ranges),
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
          render: ({ largest }) => largest && measurementText(largest.difference),
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
          ...wellColumn(places),
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
