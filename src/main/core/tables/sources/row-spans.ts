import { withoutBrackets } from '../../../../shared/channels/brackets.ts';
import { unitInName } from '../../../../shared/channels/unit-text.ts';
import type { BlockValue } from '../layout/head.ts';
import type { FoundTables, RowSpan, SkippedLines } from '../layout/below.ts';
import type { SourceColumn, SourceWarning } from './source.ts';

/** The names of values that lines above rows give, and that differ between the rows of a table. */
export function blockNames({ spans }: Pick<FoundTables, 'spans'>, table: number): string[] {
  const texts = new Map<string, Set<string>>();
  const tableSpans = spans.filter((span) => span.table === table);
  for (const { values } of tableSpans)
    for (const { name, value } of values) texts.set(name, (texts.get(name) ?? new Set()).add(value));
  return [...texts].flatMap(([name, values]) =>
    values.size > 1 || tableSpans.some((span) => !span.values.some((value) => value.name === name))
      ? [name]
      : [],
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

/** The cells of a row with those of block values behind them; a row of another width stays, and is rejected. */
export const withBlockCells = <T extends string | null>(
  cells: readonly T[],
  width: number,
  names: readonly string[],
  values: readonly BlockValue[],
): readonly (string | null)[] =>
  cells.length === width
    ? [...cells, ...names.map((name) => values.find((value) => value.name === name)?.value ?? null)]
    : cells;

/** Cells without the blank ones at the end, except the first `width`. */
export function withoutBlankEnd<T extends string | null>(cells: readonly T[], width: number): readonly T[] {
  let end = cells.length;
  while (end > width && (cells[end - 1] ?? '').trim() === '') end--;
  return end < cells.length ? cells.slice(0, end) : cells;
}

/** Number of rows of a table. */
export const rowCount = ({ spans }: Pick<FoundTables, 'spans'>, table: number): number =>
  spans.reduce((sum, span) => sum + (span.table === table ? span.rows : 0), 0);

/** A column of which the file has the name and perhaps a unit. @param unit null or empty: that in the name, if any */
export const column = (name: string, unit: string | null = null): SourceColumn => ({
  name,
  unit: unit || unitInName(name),
  description: null,
  type: null,
});

/** The columns that a header between rows names, with the units below it. */
export const headColumns = ({ header, units }: FoundTables['tables'][number]): SourceColumn[] =>
  withoutBlankEnd(header?.cells ?? [], 0).map((name, at) =>
    column(name, withoutBrackets(units?.cells[at] ?? '')),
  );

const plural = (count: number, singular: string, many: string): string => (count === 1 ? singular : many);

type Skipped = Pick<SkippedLines, 'count' | 'lines'>;

/** Skipped lines and their number, such as `is skipped (line 4)`. */
function skippedInWords({ count, lines }: Skipped, kind: string): string {
  const numbers = lines.toSorted((a, b) => a - b).join(', ');
  return `${plural(count, 'is', 'are')} skipped (${plural(count, kind, `${kind}s`)} ${numbers}${count > lines.length ? ' …' : ''})`;
}

/**
 * Warnings about repeated headers, about lines above headers that are skipped, and about lines that can be rows or
 * headers.
 *
 * @param values names of the values above rows that are columns: their lines aren't skipped
 */
export function tableFindings(
  { skipped, unclear }: FoundTables,
  kind: 'line' | 'row',
  table: number | null,
  values: readonly string[],
): SourceWarning[] {
  const warnings: SourceWarning[] = [];
  const skip = (what: string, all: Skipped): void => {
    const message = `${what} ${skippedInWords(all, kind)}.`;
    const place = all.lines.toSorted((a, b) => a - b)[0] ?? null;
    if (all.count > 0) warnings.push({ code: 'page_headers', message, place, table, count: all.count });
  };
  const linesOf = (kinds: readonly SkippedLines['kind'][]): Skipped => {
    const some = skipped.filter(
      (lines) => kinds.includes(lines.kind) && !(lines.name !== null && values.includes(lines.name)),
    );
    return {
      count: some.reduce((sum, { count }) => sum + count, 0),
      lines: some.flatMap(({ lines }) => lines),
    };
  };
  const repeated = linesOf(['repeated_header']);
  const titles = linesOf(['value', 'title']);
  const totals = linesOf(['total']);
  const titleCount = titles.count;
  const headers = `${repeated.count} repeated ${plural(repeated.count, 'header', 'headers')}`;
  const titleLines = `${titleCount} ${plural(titleCount, kind, `${kind}s`)} of titles above`;
  skip(
    titleCount === 0
      ? headers
      : repeated.count === 0
        ? `${titleLines} headers`
        : `${headers} and ${titleLines} ${plural(repeated.count, 'it', 'them')}`,
    {
      count: repeated.count + titleCount,
      lines: [...repeated.lines, ...titles.lines],
    },
  );
  skip(
    `${totals.count} ${plural(totals.count, 'total or remark', 'totals or remarks')} above headers`,
    totals,
  );
  if (unclear) {
    const lines =
      unclear.from === unclear.to ? `${kind} ${unclear.from}` : `${kind}s ${unclear.from} to ${unclear.to}`;
    warnings.push({
      code: 'tables_unclear',
      message: `Words are where the rows above have numbers (${lines}): another table can begin there. Remove these ${kind}s from the file, or set the header row (--header-row), which makes one table of all rows below it, and the table (--table) if there are several.`,
      place: unclear.from,
      table,
      count: unclear.to - unclear.from + 1,
    });
  }
  return warnings;
}
