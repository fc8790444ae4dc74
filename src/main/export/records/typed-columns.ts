import { columnValues, type ColumnType, type ColumnValues, type Handed } from './column-values.ts';
import { held, type Column, type Columns } from './columns.ts';
import { leafFrom, leafTo, type ScannedPage } from './scan.ts';
import { timeFields, type ZoneWriter } from './zone.ts';

const only = (kinds: number, allowed: number): boolean => (kinds & ~allowed) === 0;

/** The narrowest type that keeps every value of a column exactly; text where there is none. */
export function typeOf({ kinds }: Column): ColumnType {
  if (kinds === 0) return 'STRING';
  if (only(kinds, held.boolean)) return 'BOOLEAN';
  if (only(kinds, held.integer | held.inexact)) return 'INT64';
  return only(kinds, held.integer | held.number | held.huge) ? 'DOUBLE' : 'STRING';
}

export interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Collects records column by column. */
export class TypedRows {
  readonly columns: readonly TypedColumn[];
  readonly #columns: Columns;
  /** The values of a column by its number. */
  readonly #byNumber: (ColumnValues | undefined)[] = [];
  readonly #values: readonly ColumnValues[];
  #rows = 0;

  /** @param mostRows how many records are collected at most before they are taken, by the number of columns */
  constructor(columns: Columns, zone: ZoneWriter | null, mostRows: (columns: number) => number) {
    this.#columns = columns;
    const zoneOf = (path: string): ZoneWriter | null => (timeFields.has(path) ? zone : null);
    this.columns = columns
      .inOrder()
      .map((column) => ({ name: column.path, type: zoneOf(column.path) ? 'STRING' : typeOf(column) }));
    const most = mostRows(this.columns.length);
    this.#values = this.columns.map(({ name, type }) => columnValues(type, most, zoneOf(name)));
    this.columns.forEach(({ name }, position) => {
      this.#byNumber[columns.numberOf(name)] = this.#values[position];
    });
  }

  get rows(): number {
    return this.#rows;
  }

  add(page: ScannedPage, record: number): void {
    const { leaves } = page;
    const to = leafTo(page, record);
    for (let leaf = leafFrom(page, record); leaf < to; leaf += 3) {
      const start = leaves[leaf + 1] ?? 0;
      if (page.bytes[start] === 110) continue;
      const values = this.#byNumber[this.#columns.of(leaves[leaf] ?? 0, false)];
      values?.put(this.#rows, { page, start, end: leaves[leaf + 2] ?? 0 });
    }
    this.#rows += 1;
  }

  /** The values collected so far, column by column, good until the next record is added; collecting begins anew. */
  take(): (TypedColumn & { readonly data: Handed })[] {
    const rows = this.#rows;
    this.#rows = 0;
    return this.columns.map((column, at) => ({ ...column, data: this.#values[at]?.take(rows) ?? [] }));
  }
}
