import {
  fieldDiffers,
  type ComparedField,
  type ComparedSide,
  type ComparisonReport,
} from '../../../shared/quality/comparison.ts';
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { placeText, type PlaceKind } from '../../words/upload-source.ts';
import { words } from '../../words/words.ts';
import { closing, FindingList, hasWells, measurementText, PlaceButton } from './finding-list.tsx';
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
        aria-label={words.upload.ledger.showLine(line, rows.kind)}
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
  const named = hasWells(ranges);
  return (
    <>
      <table className="table quality-table" aria-label={w.ranges(names[side])}>
        <thead>
          <tr>
            {named && <th scope="col">{w.well}</th>}
            <th scope="col">{w.from}</th>
            <th scope="col">{w.to}</th>
            <th scope="col" className="end">
              {w.records}
            </th>
          </tr>
        </thead>
        <tbody>
          {ranges.map(({ well, line, from, to, records }) => (
            <tr key={`${well} ${from}`}>
              {named && <td>{well}</td>}
              <td className="numbers">
                <SidePlace {...tables} side={side} name={names[side]} from={from} to={to} line={line} />
              </td>
              <td className="numbers">{text.place(to)}</td>
              <td className="end numbers">{formatCount(records)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {rangeCount > ranges.length && <p className="quiet">{w.moreRanges(rangeCount - ranges.length)}</p>}
    </>
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
  const { fields: text } = words.quality;
  if (fields.length === 0) return <p className="quiet">{w.noFields}</p>;
  return (
    <table className="table quality-table">
      <thead>
        <tr>
          <th scope="col">{text.field}</th>
          {[w.compared, w.differ, w.lacks(names.source), w.lacks(names.against), w.largest].map((name) => (
            <th key={name} scope="col" className="end">
              {name}
            </th>
          ))}
          <th scope="col">{text.at}</th>
        </tr>
      </thead>
      <tbody>
        {fields.map((field) => (
          <tr key={field.name}>
            <th scope="row">
              {field.name} {field.unit !== null && <span className="quiet">{field.unit}</span>}
            </th>
            <td className="end numbers">{formatCount(field.compared)}</td>
            <Places {...tables} field={field} />
            {[field.lacking.source, field.lacking.against].map((count, at) => (
              // oxlint-disable-next-line no-array-index-key -- a count is its side
              <td key={at} className="end numbers">
                {count === 0 ? <span className="quiet">0</span> : formatCount(count)}
              </td>
            ))}
            <td className="end numbers">{field.largest && measurementText(field.largest.difference)}</td>
            <td className="numbers">
              {field.largest && (
                <SidePlace
                  {...tables}
                  side="source"
                  name={names.source}
                  from={field.largest.at}
                  to={field.largest.at}
                  line={field.largest.line}
                />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The number of differing values of a field, with the first places. */
function Places({ field, ...tables }: ComparisonTableProps & { readonly field: ComparedField }) {
  const { report, names, text } = tables;
  const { places, differing, lacking } = field;
  const named = hasWells(places);
  const count = differing + lacking.source + lacking.against;
  return (
    <FindingList
      heading={w.places(field.name)}
      label={formatCount(differing)}
      count={count}
      more={w.morePlaces}
      heads={[...(named ? [w.well] : []), words.quality.fields.at, names.source, names.against]}
      rows={(close) => {
        const inList = {
          ...tables,
          onShow: closing(close, tables.onShow),
          rows: tables.rows && { ...tables.rows, show: closing(close, tables.rows.show) },
        };
        return places.map(({ well, at, line, source, against }) => {
          const other = at + report.shift;
          return [
            ...(named ? [well] : []),
            <SidePlace
              key="source"
              {...inList}
              side="source"
              name={names.source}
              from={at}
              to={at}
              line={line}
            />,
            valueText(source),
            <Button
              key="against"
              variant="quiet"
              aria-label={w.showIn(valueText(against), text.place(other), names.against)}
              onPress={() => inList.onShow('against', other, other)}
            >
              {valueText(against)}
            </Button>,
          ];
        });
      }}
    />
  );
}
