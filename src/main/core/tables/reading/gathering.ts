import { ColumnCollector, type ColumnFacts } from './column-facts.ts';
import type { Layout } from './layout.ts';
import type { FileRow } from './rows.ts';
import type { RowFinding } from './row-warnings.ts';
import type { ScanRequest } from './scan.ts';
import { isTotal } from './footer.ts';
import { ShortRows } from './short-rows.ts';
import { canNameWells } from './well-columns.ts';

/** The count of a finding, and its first line. */
export interface Finding {
  readonly count: number;
  readonly line: number;
}

/** A column with more distinct values than this is not a column of wells. */
export const maxDistinct = 20_000;

/** Maximum share of rows that can be totals of others. */
const maxTotals = 0.34;

/** Collects facts from the rows of one file. */
export class Gathering {
  readonly collectors: ColumnCollector[];
  readonly findings: Partial<Record<RowFinding, { count: number; line: number }>> = {};
  readonly distinct: Record<string, Map<string, { count: number; line: number }>> = {};
  readonly #watched: { index: number; values: Map<string, { count: number; line: number }> }[] = [];
  readonly #width: number;
  readonly #hasTotals: boolean;
  /** Rows with fewer cells than the header. */
  readonly short: ShortRows;
  rows = 0;

  constructor(layout: Layout, { distinct, nulls }: ScanRequest) {
    this.#width = layout.columns.length;
    this.#hasTotals = !layout.jsonLines && layout.columns.length > 1;
    this.short = new ShortRows(layout.columns.map(({ name }) => name));
    this.collectors = layout.columns.map(() => new ColumnCollector(new Set(nulls)));
    layout.columns.forEach(({ key, name }, index) => {
      if (distinct.includes(key) || canNameWells(name))
        this.#watched.push({ index, values: (this.distinct[key] = new Map()) });
    });
  }

  add(row: FileRow): void {
    this.rows++;
    const { problem, oddQuotes, repeatedNames, record } = row;
    if (oddQuotes) this.#find('odd_quotes', record.line);
    if (repeatedNames) this.#find('repeated_names', record.line);
    if (problem !== null) return this.#find(problem, record.line);
    const cells = row.texts();
    this.short.add(cells, record.line);
    if (this.#hasTotals && isTotal(cells)) this.#find('total_rows', record.line);
    if (cells.length > this.#width && cells.slice(this.#width).some((cell) => cell.trim() !== ''))
      this.#find('too_many_cells', record.line);
    for (let index = 0; index < this.#width && index < cells.length; index++)
      this.collectors[index]?.add(cells[index] ?? '', record.line);
    for (const { index, values } of this.#watched)
      this.#watch(values, cells[index]?.trim() ?? '', record.line);
  }

  /**
   * The findings once all rows were added.
   * @param fillFrom minimum number of cells of rows whose missing cells are blank; undefined: no such rows
   */
  findingsOf(fillFrom: number | undefined): Partial<Record<RowFinding, Finding>> {
    const cut = this.short.shorter(0, fillFrom === undefined ? undefined : fillFrom - 1);
    const filled = fillFrom === undefined ? { count: 0, line: 0 } : this.short.shorter(fillFrom);
    const { total_rows: totals, ...findings } = this.findings;
    return {
      ...findings,
      // In more rows, the word is a value of its column.
      ...(totals && totals.count <= this.rows * maxTotals ? { total_rows: totals } : {}),
      ...(cut.count > 0 ? { too_few_cells: cut } : {}),
      ...(filled.count > 0 ? { filled_rows: filled } : {}),
    };
  }

  /** The facts of each column, with the missing cells of rows as blank ones. */
  factsOf(fillFrom: number | undefined): ColumnFacts[] {
    return this.collectors.map((collector, index) => {
      const facts = collector.facts();
      const missing = fillFrom === undefined ? 0 : this.short.shorter(fillFrom, index).count;
      return { ...facts, counts: { ...facts.counts, empty: facts.counts.empty + missing } };
    });
  }

  #watch(values: Map<string, { count: number; line: number }>, value: string, line: number): void {
    const entry = values.get(value);
    if (entry) entry.count++;
    else if (value !== '' && values.size <= maxDistinct) values.set(value, { count: 1, line });
  }

  #find(what: RowFinding, line: number): void {
    const finding = this.findings[what];
    if (finding) finding.count++;
    else this.findings[what] = { count: 1, line };
  }
}
