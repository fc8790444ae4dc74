import { blockValueOf } from '../reading/block-values.ts';
import {
  areMostlyUnits,
  Columns,
  isUnitRow,
  isWord,
  scoreOfNames,
  valuesOf,
  weights,
  type TypedRow,
} from './model.ts';

/** The rows above the values of a table, by their indexes; -1: there is no such row. */
export interface Head {
  readonly header: number;
  /** The row above the header with words for several columns each, which are part of their names. */
  readonly group: number;
  readonly units: number;
  /** The first row of values. */
  readonly first: number;
  /** The name of each column, with its group; none without a header. */
  readonly names: readonly string[];
  readonly score: number;
}

/** Rows at the start of a table among which its header is. */
const maxHeaderRows = 50;

const textsOf = ({ cells }: TypedRow): string[] => cells.map((cell) => cell?.text.trim() ?? '');
const filledIn = (row: TypedRow): number => row.cells.reduce((sum, cell) => sum + (cell ? 1 : 0), 0);
const hasValue = ({ cells }: TypedRow): boolean =>
  cells.some((cell) => cell !== null && cell.kind !== 'text' && cell.kind !== 'error');

/** Whether a row has nothing but a value for the rows below it, such as `Well: A-1`. */
const isEntry = (row: TypedRow): boolean => filledIn(row) <= 2 && blockValueOf(textsOf(row)) !== null;

/**
 * The best layout of the first rows of a table. Each possible one has a score: of its names, units, and groups, and of
 * what it leaves above them.
 * @param rows the first rows with a value
 * @param header the row that the user set; -1: none; absent: the best one
 */
export function findHead(rows: readonly TypedRow[], header?: number): Head {
  const columns = new Columns(bodyOf(rows));
  const above = costsAbove(rows, columns);
  let best = headless(rows, columns, above, header === -1);
  if (header === -1) return best;
  if (header !== undefined) return headsAt(rows, header, columns, above).reduce(better);
  const end = Math.min(maxHeaderRows, rows.length);
  for (let at = remarkRows(rows); at < end; at++) {
    // Costs never shrink.
    if ((above[at] ?? 0) + weights.names + weights.units + weights.group < best.score) break;
    if (rows[at]?.isTitle === true || rows[at + 1]?.isTitle === true) continue;
    for (const head of headsAt(rows, at, columns, above)) best = better(best, head);
  }
  return best;
}

const better = (a: Head, b: Head): Head => (b.score > a.score ? b : a);

/** Number of first rows that are remarks with #; a single one can be a header whose first name is #. */
function remarkRows(rows: readonly TypedRow[]): number {
  const end = rows.findIndex((row) => !valuesOf(row)[0]?.text.startsWith('#'));
  return end > 1 ? end : 0;
}

/** The rows that show what the columns have: those with numbers or times; of a table of words, the most usual ones. */
function bodyOf(rows: readonly TypedRow[]): readonly TypedRow[] {
  const typed = rows.filter(hasValue);
  const some = typed.length > 0 ? typed : rows;
  const widths = some.map(filledIn);
  const counts = new Map<number, number>();
  for (const width of widths) counts.set(width, (counts.get(width) ?? 0) + 1);
  let usual = 0;
  for (const [filled, count] of counts)
    if (count > (counts.get(usual) ?? 0) || (count === counts.get(usual) && filled > usual)) usual = filled;
  return some.filter((_, at) => (widths[at] ?? 0) * 2 >= usual);
}

/** For each row, the cost of all rows before it, if a table begins with it. */
function costsAbove(rows: readonly TypedRow[], columns: Columns): number[] {
  const costs = [0];
  let sum = 0;
  for (const row of rows.slice(0, maxHeaderRows)) {
    const share = filledIn(row) / Math.max(1, columns.used);
    if (isEntry(row)) sum += weights.titleAbove;
    else if (columns.hasTyped && share >= 0.5 && columns.fits(row) === true) sum += weights.valuesAbove;
    else if (!columns.hasTyped && share >= 0.7) sum += weights.wordsAbove;
    else sum += weights.titleAbove;
    costs.push(sum);
  }
  return costs;
}

/**
 * The layout without a header: rows with less than half of the columns are above the first one, and rows of words above
 * values, unless the user said that there is no header.
 */
function headless(
  rows: readonly TypedRow[],
  columns: Columns,
  above: readonly number[],
  isChosen: boolean,
): Head {
  const needed = columns.used <= 2 ? columns.used : Math.ceil(columns.used / 2);
  const first = Math.max(
    0,
    rows
      .slice(0, maxHeaderRows)
      .findIndex((row) => filledIn(row) >= needed && (isChosen || columns.fits(row) !== false)),
  );
  return { header: -1, group: -1, units: -1, first, names: [], score: above[first] ?? 0 };
}

/** The layouts with a row as the header: with a group above it and units below it, where they can be. */
function headsAt(
  rows: readonly TypedRow[],
  header: number,
  columns: Columns,
  above: readonly number[],
): Head[] {
  const row = rows[header];
  if (!row) return [];
  const next = rows[header + 1];
  const hasUnits = next !== undefined && header + 2 < rows.length && isUnits(next, columns);
  const score = (of: TypedRow, top: number): number => {
    const names = scoreOfNames(of, columns);
    if (names <= 0) return Number.NEGATIVE_INFINITY;
    const first = rows[header + (hasUnits ? 2 : 1)];
    const isWordsFirst = first !== undefined && (columns.fits(first) === false || isEntry(first));
    return (
      names + (above[top] ?? 0) + (hasUnits ? weights.units : 0) + (isWordsFirst ? weights.wordsFirst : 0)
    );
  };
  const head = { header, units: hasUnits ? header + 1 : -1, first: header + (hasUnits ? 2 : 1) };
  const single: Head = { ...head, group: -1, names: textsOf(row), score: score(row, header) };
  const group = rows[header - 1];
  const joined = group ? withGroup(group, row) : null;
  if (!joined) return [single];
  return [
    single,
    {
      ...head,
      group: header - 1,
      names: textsOf(joined),
      score: score(joined, header - 1) + weights.group,
    },
  ];
}

const isUnits = (row: TypedRow, columns: Columns): boolean =>
  valuesOf(row).every(({ kind }) => kind === 'text') && isUnitRow(textsOf(row), columns);

/**
 * Names with the group above them, if some need it because they are the same in several groups. A group reaches over
 * the blank cells behind it whose names are the same as others.
 * @returns null: it isn't a group, or the names don't need it
 */
function withGroup(group: TypedRow, header: TypedRow): TypedRow | null {
  const groups = textsOf(group);
  const names = textsOf(header);
  const words = valuesOf(group);
  if (words.length < 2 || !words.every(isWord) || blockValueOf(groups) !== null) return null;
  if (!valuesOf(header).every(isWord) || areMostlyUnits(names)) return null;
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const isShared = (name: string): boolean => name !== '' && (counts.get(name) ?? 0) > 1;
  if (!names.some(isShared) || !names.some((name, at) => isShared(name) && groups[at] !== '')) return null;
  let current = '';
  const joined = Array.from({ length: Math.max(names.length, groups.length) }, (_, at): string => {
    const name = names[at] ?? '';
    const text = groups[at] ?? '';
    if (text !== '' || !isShared(name)) current = text;
    return [current, name].filter((part) => part !== '').join(' ');
  });
  return { cells: joined.map((text) => (text === '' ? null : { text, kind: 'text' })) };
}
