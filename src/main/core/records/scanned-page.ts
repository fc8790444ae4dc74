/**
 * Positions in a page of records, in bytes of UTF-8. Records are written as ranges of the page, so numbers
 * and strings stay unchanged.
 */
export interface ScannedPage {
  readonly bytes: Buffer;
  /** Whether the page contains line breaks; only then can a record contain one. */
  readonly hasLineEnds: boolean;
  readonly count: number;
  /** All values, three numbers each: node index, start, end. */
  readonly leaves: Int32Array<ArrayBuffer>;
  /** Numbers of each record, of which the last is unused; see {@link startOf} and the functions below it. */
  readonly positions: Int32Array<ArrayBuffer>;
}

/** Indexes in the numbers of a record; `_id` and key positions are -1 if absent. */
const recordField = {
  start: 0,
  end: 1,
  leafFrom: 2,
  leafTo: 3,
  idStart: 4,
  idEnd: 5,
  keyStart: 6,
  keyEnd: 7,
} as const;
/** 8 are used: they are added by threes. */
const numbersPerRecord = 9;

const positionOf = ({ positions }: ScannedPage, record: number, which: number): number =>
  positions[record * numbersPerRecord + which] ?? 0;

/** Start of a record. */
export const startOf = (page: ScannedPage, record: number): number =>
  positionOf(page, record, recordField.start);

/** End of a record. */
export const endOf = (page: ScannedPage, record: number): number => positionOf(page, record, recordField.end);

/** Start of a record's values in `leaves`. */
export const leafFrom = (page: ScannedPage, record: number): number =>
  positionOf(page, record, recordField.leafFrom);

/** End of a record's values in `leaves`. */
export const leafTo = (page: ScannedPage, record: number): number =>
  positionOf(page, record, recordField.leafTo);

/** A range of a page as text. */
export const textIn = ({ bytes }: ScannedPage, start: number, end: number): string =>
  bytes.toString('utf8', start, end);

function rangeText(page: ScannedPage, record: number, which: number): string | null {
  const start = positionOf(page, record, which);
  return start < 0 ? null : textIn(page, start, positionOf(page, record, which + 1));
}

/** The JSON text of a record's `_id`; null if absent. */
export const idOf = (page: ScannedPage, record: number): string | null =>
  rangeText(page, record, recordField.idStart);

/** The JSON text of a record's key field; null if absent or null. */
export function keyOf(page: ScannedPage, record: number): string | null {
  const text = rangeText(page, record, recordField.keyStart);
  return text === 'null' ? null : text;
}

/** The ids and key values of a page's records, as JSON text. */
export interface PageKeys {
  readonly count: number;
  id(record: number): string | null;
  value(record: number): string | null;
}

/** The ids and key values of a page, for its next cursor. */
export const keysOf = (page: ScannedPage): PageKeys => ({
  count: page.count,
  id: (record) => idOf(page, record),
  value: (record) => keyOf(page, record),
});

/** The JSON text of a record, unchanged. */
export const recordText = (page: ScannedPage, record: number): string =>
  textIn(page, startOf(page, record), endOf(page, record));
