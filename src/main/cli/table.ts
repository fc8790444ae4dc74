import { visibleLine } from '../../shared/errors/visible-text.ts';

/** A column of a table: its heading, and the text of a row in it. */
export interface Column<R> {
  readonly name: string;
  readonly of: (row: R) => unknown;
}

/** A value in a table: empty for null, JSON for objects and arrays. */
export function inWords(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'string') return visibleLine(value);
  if (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint')
    return String(value);
  return visibleLine(JSON.stringify(value));
}

const isNumeric = (value: unknown): boolean => typeof value === 'number' || typeof value === 'bigint';

/** Lines of a table with headings: columns as wide as their content, numbers aligned right. */
export function* tableLines<R>(columns: readonly Column<R>[], rows: readonly R[]): Generator<string> {
  const headings = columns.map(({ name }) => visibleLine(name));
  const cells = rows.map((row) => columns.map(({ of }) => inWords(of(row))));
  const widths = headings.map((heading, at) =>
    cells.reduce((widest, row) => Math.max(widest, row[at]?.length ?? 0), heading.length),
  );
  const toTheRight = columns.map(({ of }) => {
    const values = rows.map(of).filter((value) => value !== null && value !== undefined);
    return values.length > 0 && values.every(isNumeric);
  });
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, at) => (toTheRight[at] ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
  yield lineOf(headings);
  yield lineOf(widths.map((width) => '-'.repeat(width)));
  for (const row of cells) yield lineOf(row);
}
