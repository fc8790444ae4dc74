import type { ColumnKind, HeldCell } from './table.ts';

// From 2001 to 2103: what a Unix time in milliseconds is worth; in seconds it would have three digits less.
const timeRange = { from: 1_000_000_000_000, to: 4_200_000_000_000 };
/** Whether a number is meant as Unix milliseconds. */
export const isTimeInMs = (value: number): boolean =>
  Number.isInteger(value) && value >= timeRange.from && value < timeRange.to;
const isTime = (value: HeldCell): boolean => typeof value === 'number' && isTimeInMs(value);

// A text without an offset would be another time in every zone: it stays a text.
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)$/;
const isDate = (value: HeldCell): boolean => typeof value === 'string' && isoTime.test(value);

/** The kind of a column by the cells of some of its rows. */
export function kindOf(path: readonly string[], cells: readonly HeldCell[]): ColumnKind {
  let kind: ColumnKind = 'empty';
  let times = path.at(-1) === 'timestamp';
  let dates = true;
  for (const cell of cells) {
    if (cell === undefined || cell === null) continue;
    if (times && !isTime(cell)) times = false;
    if (dates && !isDate(cell)) dates = false;
    kind = joined(kind, cellKind(cell));
    if (kind === 'mixed') return kind;
  }
  if (kind === 'integer' && times) return 'time';
  return kind === 'text' && dates ? 'date' : kind;
}

function cellKind(cell: Exclude<HeldCell, undefined | null>): ColumnKind {
  if (typeof cell === 'number') return Number.isInteger(cell) ? 'integer' : 'number';
  if (typeof cell === 'bigint') return 'integer';
  if (typeof cell === 'string') return 'text';
  return typeof cell === 'boolean' ? 'boolean' : 'nested';
}

const numeric = new Set<ColumnKind>(['time', 'integer', 'number']);
const texts = new Set<ColumnKind>(['date', 'text']);

/** The kind of a column that has one kind in some rows and another in others. */
export function joined(one: ColumnKind, other: ColumnKind): ColumnKind {
  if (one === other || other === 'empty') return one;
  if (one === 'empty') return other;
  if (numeric.has(one) && numeric.has(other))
    return one === 'number' || other === 'number' ? 'number' : 'integer';
  return texts.has(one) && texts.has(other) ? 'text' : 'mixed';
}
