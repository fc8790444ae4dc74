import { withoutBrackets } from '../../../../shared/channels/brackets.ts';
import { blockValueOf, isPageNumber, type BlockValue } from './block-values.ts';
import { cellKind } from './cells.ts';
import { isFooterText } from './footer.ts';
import { areMostlyUnits } from '../layout/model.ts';
import { startsLikeNumber, TypedColumns } from './typed-columns.ts';

/** A row of a file in any format. */
export interface CellRow {
  /** Without blanks around them. */
  readonly cells: readonly string[];
  /** Its line, or row of a sheet, from 1. */
  readonly line: number;
}

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

/** Lines that are no rows, and the first {@link maxLinesShown} of them. */
export interface SkippedLines {
  readonly count: number;
  readonly lines: readonly number[];
}

/** The tables of a file or a sheet, in its order. */
export interface FoundTables {
  readonly tables: readonly TableHead[];
  readonly spans: readonly RowSpan[];
  /** Headers of pages and blocks. */
  readonly repeated: SkippedLines;
  /** Other lines above these headers, by the name of the value that they give; null: they give none. */
  readonly titles: ReadonlyMap<string | null, SkippedLines>;
  /** Totals and remarks above these headers. */
  readonly totals: SkippedLines;
  /** Lines that can be a header or rows; null: none. */
  readonly unclear: { readonly from: number; readonly to: number } | null;
}

/** Whether all rows belong to one table below one header. */
export const isOneTable = ({ tables, repeated, unclear }: FoundTables): boolean =>
  tables.length === 1 && repeated.count === 0 && unclear === null;

const maxLinesShown = 20;
/** Maximum number of rows between two tables; more rows without numbers belong to the table above. */
const maxPending = 30;
/** Maximum number of spans: each is in memory. */
const maxSpans = 200_000;

type RowKind = 'blank' | 'value' | 'sparse' | 'units' | 'words' | 'header';

interface PendingRow extends CellRow {
  readonly kind: RowKind;
}

const filled = (cells: readonly string[]): string[] => cells.filter((cell) => cell !== '');
/** Whether two words are the same, in any letters: a page can repeat `Depth` as `DEPTH`. */
const isSameWord = (word = '', other = ''): boolean =>
  word === other || word.trim().toLowerCase() === other.trim().toLowerCase();
const isSame = (cells: readonly string[], otherCells: readonly string[]): boolean => {
  for (let at = 0; at < Math.max(cells.length, otherCells.length); at++)
    if (!isSameWord(cells[at], otherCells[at])) return false;
  return true;
};

class LineList implements SkippedLines {
  readonly lines: number[] = [];
  count = 0;

  add(line: number): void {
    this.count++;
    if (this.lines.length < maxLinesShown) this.lines.push(line);
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
  readonly #repeated = new LineList();
  readonly #titles = new Map<string | null, LineList>();
  readonly #totals = new LineList();
  #unclear: FoundTables['unclear'] = null;
  #typed = new TypedColumns();
  #table = 0;
  #span: RowSpan | null = null;
  #values: readonly BlockValue[];
  #pending: PendingRow[] = [];
  #isFull = false;
  readonly #hasSplitTitles: boolean;

  /**
   * @param above the rows above the header
   * @param hasSplitTitles whether each word of a title is a cell, because blanks separate the cells
   */
  constructor(first: TableHead, above: readonly CellRow[], hasSplitTitles = false) {
    this.#tables = [first];
    this.#hasSplitTitles = hasSplitTitles;
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
    if (this.#pending.length > 0) this.#settle(cells.length);
    if (!this.#typed.isStudied) this.#typed.study(cells);
    this.#take(line);
  }

  /** Adds a row whose cells are unreliable: it stays in its table. */
  addUnreadable(line: number): void {
    this.#decide();
    this.#take(line);
  }

  /** All tables, after the last row. */
  end(): FoundTables {
    this.#decide();
    if (this.#isFull && this.#unclear === null)
      this.#unclear = { from: this.#spans.at(-1)?.from ?? 1, to: this.#spans.at(-1)?.to ?? 1 };
    return {
      tables: this.#tables,
      spans: this.#spans,
      repeated: this.#repeated,
      titles: this.#titles,
      totals: this.#totals,
      unclear: this.#unclear,
    };
  }

  #startsHeader(cells: readonly string[]): boolean {
    return this.#tables.some(({ header }) => {
      if (!header) return false;
      const at = header.cells.findIndex((cell) => cell.trim() !== '');
      return at >= 0 && isSameWord(cells[at], header.cells[at]);
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
    if (texts.some((text) => isFooterText(text)) || isPageNumber(texts.at(-1) ?? '')) return 'sparse';
    if (blockValueOf(cells) !== null) return 'value';
    if (indexes.length === 0 || texts.some((text) => startsLikeNumber(text) && cellKind(text) !== 'text'))
      return null;
    if (isAfterHead && areMostlyUnits(texts)) return 'units';
    if (texts.length === 1) return 'sparse';
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

  /** Decides what the pending rows are, before a row with numbers. @param nextWidth its number of cells, if there is one */
  #settle(nextWidth?: number): void {
    const pending = this.#pending;
    const at = headAt(pending);
    const head = pending[at];
    const width = this.#tables[this.#table]?.header?.cells.length;
    // A row without its delimiters, between rows that have them, is a damaged row.
    const isDamaged = head?.kind === 'words' && nextWidth === width && head.cells.length !== width;
    if (!head || isDamaged) {
      this.#release();
      return;
    }
    this.#pending = [];
    const above = pending.slice(0, at);
    const below = pending.slice(at + 1);
    const next = below.find(({ kind }) => kind !== 'blank');
    const units = next?.kind === 'units' ? next : null;
    const [first] = above.filter(({ kind }) => kind === 'words');
    const areTitles = this.#hasSplitTitles && head.kind === 'header';
    if (first && !areTitles) this.#unclear ??= { from: first.line, to: head.line };
    for (const row of above) this.#skip(row);
    this.#values = merged(
      this.#values,
      above.flatMap(({ kind, cells }) => (kind === 'value' ? (blockValueOf(cells) ?? []) : [])),
    );
    const earlier = this.#tables.findIndex((table) => isRepeated(table, head, units));
    this.#span = null;
    if (earlier >= 0) this.#repeated.add(head.line);
    else this.#tables.push({ header: head, units });
    const table = earlier >= 0 ? earlier : this.#tables.length - 1;
    if (table !== this.#table) this.#typed = new TypedColumns();
    this.#table = table;
    for (const row of below) if (row !== units && row.kind !== 'blank') this.#take(row.line);
  }

  /** Counts a row that belongs to no table. */
  #skip({ cells, line, kind }: PendingRow): void {
    if (kind === 'blank') return;
    if (kind === 'header') this.#repeated.add(line);
    else if (cells.some((cell) => isFooterText(cell))) this.#totals.add(line);
    else {
      const name = kind === 'value' ? (blockValueOf(cells)?.name ?? null) : null;
      const lines = this.#titles.get(name) ?? new LineList();
      this.#titles.set(name, lines);
      lines.add(line);
    }
  }
}

/** Whether a header, and the units below it if there are any, are those of a table. */
function isRepeated(table: TableHead, head: CellRow, units: CellRow | null): boolean {
  const plain = ({ cells }: CellRow): string[] => cells.map((cell) => withoutBrackets(cell));
  if (!table.header || !isSame(table.header.cells, head.cells)) return false;
  return units === null || (table.units !== null && isSame(plain(table.units), plain(units)));
}

/** The index of the header among pending rows: that of an earlier table, else the last row of words. */
function headAt(pending: readonly PendingRow[]): number {
  const repeated = pending.findLastIndex(({ kind }) => kind === 'header');
  if (repeated >= 0) return repeated;
  const words = pending.findLastIndex(({ kind }) => kind === 'words');
  const below = pending.slice(words + 1);
  return below.every(({ kind }) => kind === 'units' || kind === 'blank') ? words : -1;
}

/** Earlier values with later ones in place of those of the same name. */
function merged(earlier: readonly BlockValue[], later: readonly BlockValue[]): readonly BlockValue[] {
  const names = new Set(later.map(({ name }) => name));
  return [...earlier.filter(({ name }) => !names.has(name)), ...later];
}
