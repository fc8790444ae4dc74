import type { QualityReport } from '../../../shared/quality/report.ts';
import { formatCount } from '../../format/numbers.ts';
import { words } from '../../words/words.ts';
import { FlatCell, measurementText, UnusualValues, PlaceButton, type ShowRecords } from './finding-list.tsx';
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
export function GapTable({ report, text, onShow }: TableProps) {
  const w = words.quality.gaps;
  const { gaps, gapCount } = report;
  const hasWells = gaps.some(({ well }) => well !== '');
  if (gapCount === 0) return <p className="quiet">{w.none}</p>;
  const listed = gaps.slice(0, maxListedGaps);
  return (
    <>
      <table className="table quality-table">
        <thead>
          <tr>
            {hasWells && <th scope="col">{w.well}</th>}
            <th scope="col">{w.from}</th>
            <th scope="col">{w.to}</th>
            <th scope="col" className="end">
              {w.length}
            </th>
            <th scope="col" className="end">
              {w.missing}
            </th>
          </tr>
        </thead>
        <tbody>
          {listed.map(({ well, from, to, missing }) => (
            <tr key={`${well} ${from}`}>
              {hasWells && <td>{well}</td>}
              <td className="numbers">
                <PlaceButton
                  at={from}
                  well={well}
                  text={text}
                  onShow={onShow}
                  label={w.show(text.place(from))}
                />
              </td>
              <td className="numbers">{text.place(to)}</td>
              <td className="end numbers">{text.distance(to - from)}</td>
              <td className="end numbers">{missing === null ? w.unknown : formatCount(missing)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {gapCount > listed.length && <p className="quiet">{w.more(gapCount - listed.length)}</p>}
    </>
  );
}

/** The completeness of each field as text, for keyboard and screen reader. */
export function CompletenessTable({ report, text }: TableProps) {
  const { chart } = words.quality;
  const { from, width } = report.completeness;
  const place = (bucket: number): string => text.place(from + bucket * width);
  return (
    <table className="table quality-table">
      <thead>
        <tr>
          <th scope="col">{words.quality.fields.field}</th>
          <th scope="col" className="end">
            {words.quality.fields.present}
          </th>
          <th scope="col">{chart.missing}</th>
        </tr>
      </thead>
      <tbody>
        {stripRows(report).map(({ name, shares }) => {
          const ranges = missingRanges(shares);
          const mean =
            shares.length === 0 ? 0 : shares.reduce((sum, share) => sum + share, 0) / shares.length;
          const listed = ranges
            .slice(0, maxListedRanges)
            .map((range) => `${place(range.from)} ${chart.to} ${place(range.to)}`);
          const rest = ranges.length - listed.length;
          return (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td className="end numbers">{percentText(mean, 100)}</td>
              <td className="numbers">
                {[...listed, ...(rest > 0 ? [chart.more(rest)] : [])].join('; ') ||
                  (mean === 100 ? chart.complete : '')}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** What was found in each field. */
export function FieldTable({ report, text, onShow }: TableProps) {
  const w = words.quality.fields;
  return (
    <table className="table quality-table">
      <thead>
        <tr>
          <th scope="col">{w.field}</th>
          {[w.present, w.nulls, w.tokens, w.flat, w.spikes, w.outside].map((name) => (
            <th key={name} scope="col" className="end">
              {name}
            </th>
          ))}
          <th scope="col">{w.types}</th>
          <th scope="col">{w.first}</th>
          <th scope="col">{w.last}</th>
        </tr>
      </thead>
      <tbody>
        {report.fields.map((field) => (
          <tr key={field.name}>
            <th scope="row">
              {field.name} {field.unit !== null && <span className="quiet">{field.unit}</span>}
            </th>
            <td className="end numbers">{percentText(field.values, report.rows)}</td>
            <Count count={field.nulls} />
            <Count count={field.tokens} />
            <FlatCell field={field} text={text} onShow={onShow} />
            <UnusualValues
              what={w.spikes}
              field={field}
              count={field.spikes}
              places={field.spikePlaces}
              text={text}
              onShow={onShow}
            />
            <UnusualValues
              what={w.outside}
              field={field}
              count={field.outside}
              places={field.outsidePlaces}
              text={text}
              onShow={onShow}
              title={
                field.limits
                  ? w.limits(measurementText(field.limits.min), measurementText(field.limits.max))
                  : undefined
              }
            />
            <td data-state={Object.keys(field.types).length > 1 ? 'odd' : undefined}>
              {Object.keys(field.types).join(', ')}
            </td>
            <td className="numbers">{field.first === null ? '' : text.place(field.first)}</td>
            <td className="numbers">{field.last === null ? '' : text.place(field.last)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Count({ count }: { count: number }) {
  return (
    <td className="end numbers">{count === 0 ? <span className="quiet">0</span> : formatCount(count)}</td>
  );
}

/** The records and gaps of each well. */
export function WellTable({ report, text }: TableProps) {
  const w = words.quality.wells;
  return (
    <table className="table quality-table">
      <thead>
        <tr>
          <th scope="col">{w.well}</th>
          <th scope="col" className="end">
            {w.records}
          </th>
          <th scope="col">{w.first}</th>
          <th scope="col">{w.last}</th>
          {[w.gaps, w.missing, w.duplicates, w.disorder].map((name) => (
            <th key={name} scope="col" className="end">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {report.wells.map(({ well, rows, first, last, gaps, missing, duplicates, disorder }) => (
          <tr key={well}>
            <th scope="row">{well}</th>
            <td className="end numbers">{formatCount(rows)}</td>
            <td className="numbers">{first === null ? '' : text.place(first)}</td>
            <td className="numbers">{last === null ? '' : text.place(last)}</td>
            {[gaps, missing, duplicates, disorder].map((count, at) => (
              // oxlint-disable-next-line no-array-index-key -- a count is its column
              <td key={at} className="end numbers">
                {formatCount(count)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
