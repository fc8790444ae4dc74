import type { QualityReport } from '../../../shared/quality/report.ts';
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import type { PlaceText } from './place-text.ts';
import { missingRanges, stripRows } from './strip.ts';

export interface TableProps {
  readonly report: QualityReport;
  readonly text: PlaceText;
  readonly onShow: ((from: number, to: number) => void) | undefined;
}

const maxListedGaps = 200;
const maxListedRanges = 5;

const percentText = (part: number, whole: number): string => {
  const share = whole === 0 ? 0 : (100 * part) / whole;
  // Only complete is 100 %.
  return `${part === whole ? 100 : Math.min(99.9, Number(share.toFixed(1)))}%`;
};

/** A place as a button that shows its records. */
function PlaceButton({
  at,
  text,
  onShow,
  label,
}: Pick<TableProps, 'text' | 'onShow'> & { at: number; label: string }) {
  if (!onShow) return <span className="numbers">{text.place(at)}</span>;
  return (
    <Button variant="quiet" aria-label={label} onPress={() => onShow(at, at)}>
      {text.place(at)}
    </Button>
  );
}

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
                <PlaceButton at={from} text={text} onShow={onShow} label={w.show(text.place(from))} />
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

// The significant digits of a measurement.
const numberText = (value: number): string => String(Number(value.toPrecision(6)));

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
            <Count
              count={field.spikes}
              places={field.spikePlaces.map(({ at }) => at)}
              onShow={onShow}
              label={w.show(w.spikes, field.name)}
            />
            <Count
              count={field.outside}
              places={field.outsidePlaces.map(({ at }) => at)}
              onShow={onShow}
              label={w.show(w.outside, field.name)}
              title={
                field.limits
                  ? w.limits(numberText(field.limits.min), numberText(field.limits.max))
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

interface CountProps {
  readonly count: number;
  readonly places?: readonly number[];
  readonly onShow?: TableProps['onShow'];
  readonly label?: string;
  readonly title?: string | undefined;
}

/** A number of findings; a button shows the first of them. */
function Count({ count, places = [], onShow, label = '', title }: CountProps) {
  const [first] = places;
  return (
    <td className="end numbers" title={title} data-state={places.length > 0 ? 'odd' : undefined}>
      {count === 0 ? (
        <span className="quiet">0</span>
      ) : first !== undefined && onShow ? (
        <Button variant="quiet" aria-label={label} onPress={() => onShow(first, first)}>
          {formatCount(count)}
        </Button>
      ) : (
        formatCount(count)
      )}
    </td>
  );
}

function FlatCell({
  field,
  text,
  onShow,
}: Pick<TableProps, 'text' | 'onShow'> & { field: QualityReport['fields'][number] }) {
  const w = words.quality.fields;
  const longest = field.flat.reduce<(typeof field.flat)[number] | null>(
    (best, flat) => (best === null || flat.to - flat.from > best.to - best.from ? flat : best),
    null,
  );
  if (!longest)
    return (
      <td className="end numbers">
        <span className="quiet">0</span>
      </td>
    );
  const label = w.flatText(field.flatCount, text.distance(longest.to - longest.from));
  return (
    <td className="end numbers">
      {onShow ? (
        <Button
          variant="quiet"
          aria-label={`${w.show(w.flat, field.name)}: ${label}`}
          onPress={() => onShow(longest.from, longest.to)}
        >
          {label}
        </Button>
      ) : (
        label
      )}
    </td>
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
