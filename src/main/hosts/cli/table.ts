import { visibleLine } from '../../../shared/errors/errors.ts';

/** Output formats of a list that is short enough for a table. */
export const tableFormats = ['table', 'csv', 'ndjson'] as const;

/** A column of a table: its heading, and the text of a row in it. */
export interface Column<R> {
  readonly name: string;
  readonly of: (row: R) => unknown;
}

/** Columns that show the members of rows by their names. */
export const columnsOf = <K extends string>(...names: K[]): Column<{ readonly [Name in K]?: unknown }>[] =>
  names.map((name) => ({ name, of: (row) => row[name] }));

/** The text of a value in a table: empty for null, JSON for objects and arrays. */
export function cellText(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return visibleLine(value);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  return visibleLine(
    JSON.stringify(value, (_key, part: unknown) => (typeof part === 'bigint' ? String(part) : part)),
  );
}

const isNumeric = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

/**
 * Lines of a table with headings: columns as wide as their content, numbers aligned right.
 * @param rows iterated twice: for the widths, and for the lines
 */
export function* tableLines<R>(columns: readonly Column<R>[], rows: Iterable<R>): Generator<string> {
  const headings = columns.map(({ name }) => visibleLine(name));
  const widths = headings.map(({ length }) => length);
  const kinds = columns.map(() => new Set<'number' | 'text'>());
  for (const row of rows)
    for (const [at, { of }] of columns.entries()) {
      const value = of(row);
      widths[at] = Math.max(widths[at] ?? 0, cellText(value).length);
      if (value !== null && value !== undefined) kinds[at]?.add(isNumeric(value) ? 'number' : 'text');
    }
  const isRightAligned = kinds.map((kind) => kind.has('number') && !kind.has('text'));
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, at) => (isRightAligned[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  yield lineOf(headings);
  yield lineOf(widths.map((width) => '-'.repeat(width)));
  for (const row of rows) yield lineOf(columns.map(({ of }) => cellText(of(row))));
}
