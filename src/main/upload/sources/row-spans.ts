import type { BlockValue } from '../reading/block-values.ts';
import type { FoundTables, RowSpan } from '../reading/table-finder.ts';
import type { SourceWarning } from './source.ts';

/** The names of values that lines above rows give, and that differ between the rows of a table. */
export function blockNames({ spans }: Pick<FoundTables, 'spans'>, table: number): string[] {
  const texts = new Map<string, Set<string>>();
  const own = spans.filter((span) => span.table === table);
  for (const { values } of own)
    for (const { name, value } of values) texts.set(name, (texts.get(name) ?? new Set()).add(value));
  return [...texts].flatMap(([name, values]) =>
    values.size > 1 || own.some((span) => !span.values.some((each) => each.name === name)) ? [name] : [],
  );
}

/** The spans of one table, asked for lines in ascending order. */
export class SpanReader {
  readonly #spans: readonly RowSpan[];
  #at = 0;

  constructor({ spans }: Pick<FoundTables, 'spans'>, table: number) {
    this.#spans = spans.filter((span) => span.table === table);
  }

  /** The values of the span with this line; null: the line isn't a row of the table. */
  valuesAt(line: number): readonly BlockValue[] | null {
    while ((this.#spans[this.#at]?.to ?? Infinity) < line) this.#at++;
    const span = this.#spans[this.#at];
    return span && span.from <= line ? span.values : null;
  }
}

/** Cells of block values, for the columns with these names. */
export const blockCells = (names: readonly string[], values: readonly BlockValue[]): (string | null)[] =>
  names.map((name) => values.find((each) => each.name === name)?.value ?? null);

/** Cells without the blank ones at the end, except the first `width`. */
export function withoutBlankEnd<T extends string | null>(cells: readonly T[], width: number): readonly T[] {
  let end = cells.length;
  while (end > width && (cells[end - 1] ?? '').trim() === '') end--;
  return end < cells.length ? cells.slice(0, end) : cells;
}

const plural = (count: number, one: string, many: string): string => (count === 1 ? one : many);

/** Warnings about headers that are repeated, and about lines that can be rows or headers. */
export function tableFindings(
  { repeated, unclear }: FoundTables,
  kind: 'line' | 'row',
  table: number | null,
): SourceWarning[] {
  const warnings: SourceWarning[] = [];
  const [first = null] = repeated.lines;
  if (repeated.count > 0)
    warnings.push({
      code: 'page_headers',
      message: `${repeated.count} repeated ${plural(repeated.count, 'header is', 'headers are')} skipped: ${kind} ${repeated.lines.join(', ')}${repeated.count > repeated.lines.length ? ' …' : ''}.`,
      place: first,
      table,
      count: repeated.count,
    });
  if (unclear) {
    const lines = unclear.from === unclear.to ? `${unclear.from}` : `${unclear.from} to ${unclear.to}`;
    warnings.push({
      code: 'tables_unclear',
      message: `Words are where the rows above have numbers (${kind} ${lines}): another table can begin there. Remove these ${kind}s from the file, or set the header row, which makes one table of all rows below it.`,
      place: unclear.from,
      table,
      count: unclear.to - unclear.from + 1,
    });
  }
  return warnings;
}
