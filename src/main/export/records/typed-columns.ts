import { held, type Column, type Columns } from './columns.ts';
import { textIn, type ScannedPage } from './scan.ts';
import { timeFields, type ZoneWriter } from './zone.ts';

/** The types that a column of a typed table can have. */
export type ColumnType = 'BOOLEAN' | 'INT64' | 'DOUBLE' | 'STRING';

export type TypedValue = boolean | bigint | number | string | null;

const only = (kinds: number, allowed: number): boolean => (kinds & ~allowed) === 0;

/** The narrowest type that keeps every value of a column exactly; text where there is none. */
export function typeOf({ kinds }: Column): ColumnType {
  if (kinds === 0) return 'STRING';
  if (only(kinds, held.boolean)) return 'BOOLEAN';
  if (only(kinds, held.integer | held.inexact)) return 'INT64';
  return only(kinds, held.integer | held.number | held.huge) ? 'DOUBLE' : 'STRING';
}

function valueAt(page: ScannedPage, start: number, end: number, type: ColumnType): TypedValue {
  const code = page.bytes[start];
  if (code === 110) return null;
  const json = textIn(page, start, end);
  if (type === 'BOOLEAN') return code === 116;
  if (type === 'INT64') return BigInt(json);
  if (type === 'DOUBLE') return Number(json);
  return code === 34 ? String(JSON.parse(json)) : json;
}

export interface TypedColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Collects records column by column. */
export class TypedRows {
  readonly columns: readonly TypedColumn[];
  readonly #columns: Columns;
  readonly #zone: ZoneWriter | null;
  readonly #positions = new Map<number, number>();
  #values: TypedValue[][];
  #rows = 0;

  constructor(columns: Columns, zone: ZoneWriter | null) {
    this.#columns = columns;
    this.#zone = zone;
    const isTime = (path: string): boolean => zone !== null && timeFields.has(path);
    this.columns = columns
      .inOrder()
      .map((column) => ({ name: column.path, type: isTime(column.path) ? 'STRING' : typeOf(column) }));
    this.columns.forEach(({ name }, position) => this.#positions.set(columns.numberOf(name), position));
    this.#values = this.columns.map(() => []);
  }

  get rows(): number {
    return this.#rows;
  }

  add(page: ScannedPage, record: number): void {
    for (const values of this.#values) values.push(null);
    const { leaves, leafFrom } = page;
    const to = leafFrom[record + 1] ?? 0;
    for (let leaf = leafFrom[record] ?? 0; leaf < to; leaf += 3) {
      const position = this.#positions.get(this.#columns.of(leaves[leaf] ?? 0, true));
      const column = position === undefined ? undefined : this.columns[position];
      const values = position === undefined ? undefined : this.#values[position];
      if (!column || !values) continue;
      values[this.#rows] = this.#value(page, leaves[leaf + 1] ?? 0, leaves[leaf + 2] ?? 0, column);
    }
    this.#rows += 1;
  }

  /** The values collected so far, one array for each column; collecting begins anew. */
  take(): TypedValue[][] {
    const taken = this.#values;
    this.#values = this.columns.map(() => []);
    this.#rows = 0;
    return taken;
  }

  #value(page: ScannedPage, start: number, end: number, { name, type }: TypedColumn): TypedValue {
    const time =
      this.#zone !== null && timeFields.has(name) ? this.#zone.write(textIn(page, start, end)) : null;
    return time ?? valueAt(page, start, end, type);
  }
}
