import type { ReactNode } from 'react';
import type { FieldQuality, FlatStretch } from '../../../shared/quality/quality-report.ts';
import type { FieldNames } from '../../../shared/channels/plain-names.ts';
import { maxOf } from '../../../shared/lists.ts';
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { listedWells } from '../wells/wells-state.ts';
import type { PlaceText } from './place-text.ts';

/** Shows the records of a range of the index. `well`: the series of the finding; empty: any. */
export type ShowRecords = (from: number, to: number, well: string) => void;

interface ShowProps {
  readonly text: PlaceText;
  /** Absent: records can't be shown. */
  readonly onShow: ShowRecords | undefined;
}

export const withFieldNames = <Report extends { readonly fields: readonly { readonly name: string }[] }>(
  report: Report,
  names: FieldNames,
): Report => ({
  ...report,
  fields: report.fields.map((field) => ({ ...field, name: names(field.name).line })),
});

const w = words.quality.fields;

/** @param digits significant ones of a fraction; by default all but the noise of floating point */
export const measurementText = (value: number, digits = 15): string =>
  String(Number.isInteger(value) ? value : Number(value.toPrecision(digits)));

export interface Column<T> {
  readonly head: string;
  /** `name`: the heading of the row; `count`: at the right. */
  readonly as?: 'name' | 'count';
  /** A number is a count. */
  readonly render: (row: T) => ReactNode;
  readonly isOdd?: (row: T) => boolean;
}

/** False: the table has none. */
export type Columns<T> = readonly (Column<T> | false)[];

/** `isOdd`: it is worth a look. */
export type Fact = readonly [name: string, value: string, isOdd?: boolean];

export const FactList = ({ facts }: { facts: readonly (Fact | false)[] }) => (
  <dl className="quality-facts row items-stretch wrap">
    {facts
      .filter((fact) => fact !== false)
      .map(([name, value, isOdd = false]) => (
        <div key={name} className="state" data-state={isOdd ? 'odd' : undefined}>
          <dt className="quiet">{name}</dt>
          <dd className="numbers">{value}</dd>
        </div>
      ))}
  </dl>
);

interface FindingTableProps<T> {
  readonly label?: string;
  readonly columns: Columns<T>;
  readonly rows: readonly T[];
  /** Findings in all, if they may be more than rows, and the text for the others. */
  readonly count?: number;
  readonly more?: (count: number) => string;
}

export function FindingTable<T>({ label, columns: all, rows, count = 0, more }: FindingTableProps<T>) {
  const columns = all.filter((column) => column !== false);
  const isCount = ({ as }: Column<T>) => as === 'count';
  return (
    <>
      <table className="table quality-table self-start small" aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.head} scope="col" className={isCount(column) ? 'end' : undefined}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, at) => (
            // oxlint-disable-next-line no-array-index-key -- a finding is its place in the list
            <tr key={at}>
              {columns.map((column) => {
                const value = column.render(row);
                if (column.as === 'name')
                  return (
                    <th key={column.head} scope="row">
                      {value}
                    </th>
                  );
                return (
                  <td
                    key={column.head}
                    className={isCount(column) ? 'end numbers state' : 'numbers state'}
                    data-state={column.isOdd?.(row) ? 'odd' : undefined}
                  >
                    {typeof value === 'number' ? <Count count={value} /> : value}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
      {more && count > rows.length && <p className="quiet">{more(count - rows.length)}</p>}
    </>
  );
}

const Count = ({ count }: { count: number }) =>
  count === 0 ? <span className="quiet">0</span> : formatCount(count);

export const wellColumn = <T extends { readonly well: string }>(rows: readonly T[]): Column<T> | false =>
  rows.some(({ well }) => well !== '') && {
    head: words.quality.wells.well,
    render: ({ well }) => <WellName id={well} />,
  };

/** A well by its name, and its log; by its asset id, if it isn't listed. */
export function WellName({ id }: { readonly id: string }) {
  const [, assetId = '', log = ''] = seriesText.exec(id) ?? [];
  const name = useSessionState('wells', (state) =>
    assetId === '' ? undefined : listedWells(state).well('assetId', Number(assetId))?.name,
  );
  return name === undefined ? id : <span title={words.wells.inRow.assetId(assetId)}>{name + log}</span>;
}
const seriesText = /^(\d{1,15})( .*)?$/;

export const fieldColumn: Column<{ readonly name: string; readonly unit: string | null }> = {
  head: w.field,
  as: 'name',
  render: ({ name, unit }) => (
    <>
      {name} {unit !== null && <span className="quiet">{unit}</span>}
    </>
  ),
};

export function PlaceButton({
  at,
  well = '',
  text,
  onShow,
  label = words.quality.gaps.show(text.place(at)),
}: ShowProps & { readonly at: number; readonly well?: string; readonly label?: string }) {
  if (!onShow) return <span className="numbers">{text.place(at)}</span>;
  return (
    <Button variant="link" aria-label={label} onPress={() => onShow(at, at, well)}>
      {text.place(at)}
    </Button>
  );
}

interface FindingListProps<T> extends Pick<FindingTableProps<T>, 'rows' | 'more'> {
  readonly heading: string;
  /** The text of the button. */
  readonly label: string;
  readonly title?: string | undefined;
  readonly count: number;
  /** Showing a place closes the list, which would cover it. */
  readonly columns: (close: () => void) => Columns<T>;
}

export const closing =
  <A extends readonly unknown[]>(close: () => void, act: (...args: A) => void) =>
  (...args: A): void => {
    close();
    act(...args);
  };

export function FindingList<T>(props: FindingListProps<T>) {
  const { heading, label, title, count, more = w.moreFindings, columns, rows } = props;
  if (count === 0) return <Count count={0} />;
  const button = { variant: 'link', 'aria-label': `${heading}: ${label}`, children: label } as const;
  return (
    <span title={title}>
      <Popup heading={heading} isWide trigger={button}>
        {(close) => (
          // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
          <div className="quality-findings scroll" tabIndex={0}>
            <FindingTable columns={columns(close)} rows={rows} count={count} more={more} />
          </div>
        )}
      </Popup>
    </span>
  );
}

interface UnusualValuesProps extends ShowProps {
  readonly of: 'spikes' | 'outside';
  readonly field: FieldQuality;
}

export function UnusualValues({ of, field, text, onShow }: UnusualValuesProps) {
  const { [of]: count, limits } = field;
  const places = of === 'spikes' ? field.spikePlaces : field.outsidePlaces;
  const title =
    of === 'outside' && limits
      ? w.limits(measurementText(limits.min, 6), measurementText(limits.max, 6))
      : undefined;
  return (
    <FindingList
      heading={w.show(w[of], field.name)}
      label={formatCount(count)}
      title={title}
      count={count}
      rows={places.toSorted((a, b) => a.at - b.at)}
      columns={(close) => [
        wellColumn(places),
        {
          head: w.at,
          render: ({ well, at }) => (
            <PlaceButton at={at} well={well} text={text} onShow={onShow && closing(close, onShow)} />
          ),
        },
        { head: w.value, render: ({ value }) => measurementText(value) },
      ]}
    />
  );
}

const lengthOf = ({ from, to }: FlatStretch): number => to - from;

export function FlatStretches({ field, text, onShow }: ShowProps & { readonly field: FieldQuality }) {
  const { flat, flatCount } = field;
  const longest = Math.max(0, maxOf(flat.map(lengthOf)));
  return (
    <FindingList
      heading={w.show(w.flat, field.name)}
      label={w.flatText(flatCount, text.distance(longest))}
      count={flatCount}
      rows={flat}
      columns={(close) => [
        wellColumn(flat),
        {
          head: w.from,
          render: ({ from, to, well }) => (
            <PlaceButton
              at={from}
              text={text}
              onShow={onShow && closing(close, () => onShow(from, to, well))}
            />
          ),
        },
        { head: w.length, render: (stretch) => text.distance(lengthOf(stretch)) },
        { head: words.quality.wells.records, render: ({ records }) => records },
        { head: w.value, render: ({ value }) => measurementText(value) },
      ]}
    />
  );
}
