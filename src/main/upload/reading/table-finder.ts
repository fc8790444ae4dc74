import { looksLikeUnit } from '../../../shared/channels/unit-text.ts';
import { blockValueOf } from './block-values.ts';
import type { BlockValue } from './block-values.ts';
import { cellKind } from './cells.ts';
import { isFooterText } from './footer.ts';

/** A row of a file in any format. */
export interface CellRow {
  /** Without blanks around them. */
  readonly cells: readonly string[];
  /** Its line, or row of a sheet, from 1. */
  readonly line: number;
}

/** The header of a table, and its unit row. */
interface TableHead {
  /** Null: the table has no header. */
  readonly header: CellRow | null;
  readonly units: CellRow | null;
}

/** Consecutive rows of one table. */
export interface RowSpan {
  /** Index of the table. */
  readonly table: number;
  readonly from: number;
  /** The last line of the span. */
  to: number;
  rows: number;
  /** The values that the lines above the rows give, such as `WELLNAME A-1`. */
  readonly values: readonly BlockValue[];
}

/** The tables of a file or a sheet, in its order. */
export interface FoundTables {
  readonly tables: readonly TableHead[];
  readonly spans: readonly RowSpan[];
  /** Lines of repeated headers, at most {@link maxLinesShown}, and their number. */
  readonly repeated: { readonly count: number; readonly lines: readonly number[] };
  /** Lines that can be a header or rows; null: none. */
  readonly unclear: { readonly from: number; readonly to: number } | null;
}

/** Whether all rows belong to one table below one header. */
export const isOneTable = ({ tables, repeated, unclear }: FoundTables): boolean =>
  tables.length === 1 && repeated.count === 0 && unclear === null;

const maxLinesShown = 5;
/** Rows at the start of a table whose cells show which of its columns have numbers or times. */
const studiedRows = 50;
/** Maximum number of rows between two tables; more rows without numbers belong to the table above. */
const maxPending = 30;
/** Maximum number of spans: each is in memory. */
const maxSpans = 200_000;

type RowKind = 'blank' | 'value' | 'sparse' | 'units' | 'words' | 'header';

interface PendingRow extends CellRow {
  readonly kind: RowKind;
}

const filled = (cells: readonly string[]): string[] => cells.filter((cell) => cell !== '');
const isSame = (cells: readonly string[], others: readonly string[]): boolean => {
  for (let at = 0; at < Math.max(cells.length, others.length); at++)
    if ((cells[at] ?? '').trim() !== (others[at] ?? '').trim()) return false;
  return true;
};

/** Whether a text begins like a number or a time, from its first character. */
function startsLikeNumber(cell: string): boolean {
  let code = cell.charCodeAt(0);
  for (let at = 1; code === 0x20; at++) code = cell.charCodeAt(at);
  return (code >= 0x30 && code <= 0x39) || code === 0x2d || code === 0x2b || code === 0x2e;
}

const typedKinds: ReadonlySet<string> = new Set([
  'integer',
  'number',
  'comma_number',
  'comma_ambiguous',
  'thousands',
  'code',
  'time',
  'date',
]);

/** Counts of values in the columns of a table, until enough rows were studied. */
class TypedColumns {
  readonly #typed: number[] = [];
  readonly #others: number[] = [];
  #rows = 0;
  /** Indexes of the columns with numbers or times only, those with most values first. */
  indexes: readonly number[] = [];

  get isStudied(): boolean {
    return this.#rows >= studiedRows;
  }

  study(cells: readonly string[]): void {
    this.#rows++;
    for (const [index, cell] of cells.entries()) {
      const kind = cellKind(cell.trim());
      if (kind === 'empty' || kind === 'null_word') continue;
      const counts = typedKinds.has(kind) ? this.#typed : this.#others;
      counts[index] = (counts[index] ?? 0) + 1;
    }
    this.indexes = [...this.#typed.keys()]
      .filter((index) => (this.#typed[index] ?? 0) > 0 && (this.#others[index] ?? 0) === 0)
      .toSorted((a, b) => (this.#typed[b] ?? 0) - (this.#typed[a] ?? 0));
  }
}

/**
 * Finds where a table ends and another one begins, in one pass over the rows below the first header. A row whose cells
 * are words in all columns of numbers begins another table if rows with numbers follow; the same row as the header is
 * the header of another page.
 */
export class TableFinder {
  readonly #tables: TableHead[];
  readonly #spans: RowSpan[] = [];
  readonly #repeatedLines: number[] = [];
  #repeated = 0;
  #unclear: FoundTables['unclear'] = null;
  #typed = new TypedColumns();
  #table = 0;
  #span: RowSpan | null = null;
  #values: readonly BlockValue[];
  #pending: PendingRow[] = [];
  #isFull = false;

  /** @param above the rows above the header */
  constructor(first: TableHead, above: readonly CellRow[]) {
    this.#tables = [first];
    this.#values = above.flatMap(({ cells }) => blockValueOf(cells) ?? []);
  }

  /** Adds the next row. */
  add(cells: readonly string[], line: number): void {
    if (this.#typed.isStudied && this.#pending.length === 0) {
      const first = this.#typed.indexes[0];
      // Nearly all rows have a number in the first column of numbers.
      if (first === undefined ? !this.#startsHeader(cells) : startsLikeNumber(cells[first] ?? '')) {
        this.#take(line);
        return;
      }
    }
    const kind = this.#kindOf(cells);
    if (kind !== null) {
      this.#pending.push({ cells: cells.map((cell) => cell.trim()), line, kind });
      if (this.#pending.length > maxPending) this.#decide();
      return;
    }
    if (this.#pending.length > 0) this.#settle();
    if (!this.#typed.isStudied) this.#typed.study(cells);
    this.#take(line);
  }

  /** Adds a row whose cells are unreliable: it stays in its table. */
  addUnreadable(line: number): void {
    this.#decide();
    this.#take(line);
  }

  /** What was found, after the last row. */
  end(): FoundTables {
    this.#decide();
    if (this.#isFull && this.#unclear === null)
      this.#unclear = { from: this.#spans.at(-1)?.from ?? 1, to: this.#spans.at(-1)?.to ?? 1 };
    return {
      tables: this.#tables,
      spans: this.#spans,
      repeated: { count: this.#repeated, lines: this.#repeatedLines },
      unclear: this.#unclear,
    };
  }

  #startsHeader(cells: readonly string[]): boolean {
    return this.#tables.some(({ header }) => {
      if (!header) return false;
      const at = header.cells.findIndex((cell) => cell.trim() !== '');
      return at >= 0 && cells[at]?.trim() === header.cells[at]?.trim();
    });
  }

  /** What a row is if it isn't data; null: it is data. */
  #kindOf(cells: readonly string[]): RowKind | null {
    if (this.#tables.some(({ header }) => header && isSame(header.cells, cells))) return 'header';
    const isAfterHead = this.#pending.some(({ kind }) => kind === 'header' || kind === 'words');
    if (isAfterHead && this.#tables.some(({ units }) => units && isSame(units.cells, cells))) return 'units';
    const texts = filled(cells.map((cell) => cell.trim()));
    if (texts.length === 0) return 'blank';
    const { indexes } = this.#typed;
    const values = indexes.flatMap((index) => filled([cells[index]?.trim() ?? '']));
    const isInPlace = values.length * 2 > indexes.length;
    if (isInPlace && values.every((value) => startsLikeNumber(value))) return null;
    if (texts.some((text) => isFooterText(text))) return 'sparse';
    if (blockValueOf(cells) !== null) return 'value';
    if (indexes.length === 0 || texts.some((text) => startsLikeNumber(text) && cellKind(text) !== 'text'))
      return null;
    if (texts.length === 1) return isAfterHead && looksLikeUnit(texts[0] ?? '') ? 'units' : 'sparse';
    if (isAfterHead && texts.every((text) => looksLikeUnit(text))) return 'units';
    const isDistinct = new Set(texts).size * 5 >= texts.length * 4;
    const areNulls = values.every((value) => cellKind(value) === 'null_word');
    return isInPlace && isDistinct && !areNulls && values.length >= 2 ? 'words' : null;
  }

  #take(line: number): void {
    const span = this.#span;
    if (span) {
      span.to = line;
      span.rows++;
      return;
    }
    if (this.#spans.length >= maxSpans) {
      this.#isFull = true;
      return;
    }
    this.#span = { table: this.#table, from: line, to: line, rows: 1, values: this.#values };
    this.#spans.push(this.#span);
  }

  /** Decides what the pending rows are where no row with numbers follows: only the header of a page isn't a row. */
  #decide(): void {
    if (this.#pending.some(({ kind }) => kind === 'header')) this.#settle();
    else this.#release();
  }

  /** Takes the pending rows as rows of the table. */
  #release(): void {
    const pending = this.#pending;
    this.#pending = [];
    const words = pending.filter(({ kind }) => kind === 'words');
    const [first] = words;
    const last = words.at(-1);
    if (first && last && words.length > 1) this.#unclear ??= { from: first.line, to: last.line };
    for (const { line } of pending) this.#take(line);
  }

  /** Decides what the pending rows are, before a row with numbers. */
  #settle(): void {
    const pending = this.#pending;
    const at = headAt(pending);
    const head = pending[at];
    if (!head) {
      this.#release();
      return;
    }
    this.#pending = [];
    const above = pending.slice(0, at);
    const units = pending.slice(at + 1).find(({ kind }) => kind === 'units') ?? null;
    const before = above.filter(({ kind }) => kind === 'words');
    const [first] = before;
    if (first) this.#unclear ??= { from: first.line, to: head.line };
    this.#values = merged(
      this.#values,
      above.flatMap(({ cells }) => blockValueOf(cells) ?? []),
    );
    const known = this.#tables.findIndex(({ header }) => header && isSame(header.cells, head.cells));
    this.#span = null;
    if (known >= 0) {
      this.#repeated++;
      if (this.#repeatedLines.length < maxLinesShown) this.#repeatedLines.push(head.line);
    } else this.#tables.push({ header: head, units });
    const table = known >= 0 ? known : this.#tables.length - 1;
    if (table !== this.#table) this.#typed = new TypedColumns();
    this.#table = table;
    for (const { line, kind } of pending.slice(at + 1))
      if (kind !== 'units' && kind !== 'blank') this.#take(line);
  }
}

/** The index of the header among pending rows: a known one, else the last row of words. */
function headAt(pending: readonly PendingRow[]): number {
  const known = pending.findLastIndex(({ kind }) => kind === 'header');
  if (known >= 0) return known;
  const words = pending.findLastIndex(({ kind }) => kind === 'words');
  const behind = pending.slice(words + 1);
  return behind.every(({ kind }) => kind === 'units' || kind === 'blank') ? words : -1;
}

/** Earlier values with later ones in place of those of the same name. */
function merged(earlier: readonly BlockValue[], later: readonly BlockValue[]): readonly BlockValue[] {
  const names = new Set(later.map(({ name }) => name));
  return [...earlier.filter(({ name }) => !names.has(name)), ...later];
}
