import type { ReactNode } from 'react';
import type { FieldQuality, FlatStretch, OddValue } from '../../../shared/quality/report.ts';
import { formatCount } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { words } from '../../words/words.ts';
import type { PlaceText } from './place-text.ts';
import { maxOf } from '../../../shared/lists.ts';

/** Shows the records of a range of the index. `well`: the series of the finding; empty: any. */
export type ShowRecords = (from: number, to: number, well: string) => void;

interface ShowProps {
  readonly text: PlaceText;
  /** Absent: records can't be shown. */
  readonly onShow: ShowRecords | undefined;
}

const w = words.quality.fields;

// The significant digits of a measurement.
export const measurementText = (value: number): string => String(Number(value.toPrecision(6)));

/** A place as a button that shows its records. */
export function PlaceButton({
  at,
  well = '',
  text,
  onShow,
  label,
}: ShowProps & { readonly at: number; readonly well?: string; readonly label: string }) {
  if (!onShow) return <span className="numbers">{text.place(at)}</span>;
  return (
    <Button variant="link" aria-label={label} onPress={() => onShow(at, at, well)}>
      {text.place(at)}
    </Button>
  );
}

interface FindingListProps {
  readonly heading: string;
  /** The text of the button. */
  readonly label: string;
  readonly title?: string | undefined;
  readonly count: number;
  /** The text for findings that aren't listed. */
  readonly more?: (count: number) => string;
  readonly heads: readonly string[];
  /** The rows; showing a place closes the list, which would cover it. */
  readonly rows: (close: () => void) => readonly (readonly ReactNode[])[];
}

/** An action that closes the list first. */
export const closing =
  <A extends readonly unknown[]>(close: () => void, act: (...args: A) => void) =>
  (...args: A): void => {
    close();
    act(...args);
  };

/** A number of findings in a field; the button lists them with their places. */
export function FindingList({
  heading,
  label,
  title,
  count,
  more = w.moreFindings,
  heads,
  rows,
}: FindingListProps) {
  if (count === 0)
    return (
      <td className="end numbers">
        <span className="quiet">0</span>
      </td>
    );
  const button = (
    <Button variant="link" aria-label={`${heading}: ${label}`}>
      {label}
    </Button>
  );
  return (
    <td className="end numbers" title={title} data-state="odd">
      <Popup heading={heading} isWide trigger={button}>
        {(close) => {
          const shown = rows(close);
          return (
            // oxlint-disable-next-line no-noninteractive-tabindex -- what scrolls must be reached by the keyboard
            <div className="quality-findings" tabIndex={0}>
              <table className="table quality-table">
                <thead>
                  <tr>
                    {heads.map((head) => (
                      <th key={head} scope="col">
                        {head}
                      </th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {shown.map((cells, row) => (
                    // oxlint-disable-next-line no-array-index-key -- a finding is its place in the list
                    <tr key={row}>
                      {cells.map((cell, at) => (
                        // oxlint-disable-next-line no-array-index-key -- a cell is its column
                        <td key={at} className="numbers">
                          {cell}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
              {count > shown.length && <p className="quiet">{more(count - shown.length)}</p>}
            </div>
          );
        }}
      </Popup>
    </td>
  );
}

export const hasWells = (findings: readonly { readonly well: string }[]): boolean =>
  findings.some(({ well }) => well !== '');

interface UnusualValuesProps extends ShowProps {
  /** Spikes, or values outside limits. */
  readonly what: string;
  readonly field: FieldQuality;
  readonly count: number;
  readonly places: readonly OddValue[];
  readonly title?: string | undefined;
}

/** The values of a field that stand out. */
export function UnusualValues({ what, field, count, places, text, onShow, title }: UnusualValuesProps) {
  const named = hasWells(places);
  return (
    <FindingList
      heading={w.show(what, field.name)}
      label={formatCount(count)}
      title={title}
      count={count}
      heads={[...(named ? [w.well] : []), w.at, w.value]}
      rows={(close) =>
        places
          .toSorted((a, b) => a.at - b.at)
          .map(({ well, at, value }) => [
            ...(named ? [well] : []),
            <PlaceButton
              key={at}
              at={at}
              well={well}
              text={text}
              onShow={onShow && closing(close, onShow)}
              label={words.quality.gaps.show(text.place(at))}
            />,
            measurementText(value),
          ])
      }
    />
  );
}

const lengthOf = ({ from, to }: FlatStretch): number => to - from;

/** The flat stretches of a field. */
export function FlatCell({ field, text, onShow }: ShowProps & { readonly field: FieldQuality }) {
  const { flat, flatCount } = field;
  const named = hasWells(flat);
  const longest = Math.max(0, maxOf(flat.map(lengthOf)));
  return (
    <FindingList
      heading={w.show(w.flat, field.name)}
      label={w.flatText(flatCount, text.distance(longest))}
      count={flatCount}
      heads={[...(named ? [w.well] : []), w.from, w.length, words.quality.wells.records, w.value]}
      rows={(close) =>
        flat.map((stretch) => [
          ...(named ? [stretch.well] : []),
          <PlaceButton
            key={stretch.from}
            at={stretch.from}
            text={text}
            onShow={onShow && closing(close, () => onShow(stretch.from, stretch.to, stretch.well))}
            label={words.quality.gaps.show(text.place(stretch.from))}
          />,
          text.distance(lengthOf(stretch)),
          formatCount(stretch.records),
          measurementText(stretch.value),
        ])
      }
    />
  );
}
