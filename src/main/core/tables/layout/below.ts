import { withoutBrackets } from '../../../../shared/channels/units.ts';
import {
  areMostlyUnits,
  isUsualEntry,
  isUsualName,
  isPageNumber,
  isTitle,
  LineNotes,
  entriesIn,
  pairsOf,
  cellsAfterHash,
  type BlockValue,
  type CellRow,
  type NotedLines,
} from './head.ts';
import {
  cellKind,
  startsLikeNumber,
  TypedColumns,
  type CellKind,
  isTyped,
  type ColumnFacts,
  columnType,
  type Notation,
  type Finding,
  counted,
} from '../reading/columns.ts';
import type { Layout } from '../reading/layout.ts';
import type { FileRow } from '../reading/rows.ts';
import { canNameWells } from '../../../../shared/wells/wells.ts';

// What lies below the head of a table: rows, headers of pages, titles and values above blocks, totals, further tables, and
// the rows at the end that aren't data.

interface TableHead {
  /** Null: the table has no header. */
  readonly header: CellRow | null;
  readonly units: CellRow | null;
}

export interface RowSpan {
  readonly table: number;
  readonly from: number;
  to: number;
  rows: number;
  /** The values that the lines above the rows give, such as `WELLNAME A-1`. */
  readonly values: readonly BlockValue[];
}

/** Lines of one kind that are no rows, and the numbers of the first {@link maxLinesShown} of them. */
export interface SkippedLines {
  readonly kind: 'repeated_header' | 'value' | 'title' | 'total';
  /** Of the value that each of them gives; null: they give none. */
  readonly name: string | null;
  count: number;
  readonly lines: number[];
}

/** The tables of a file or a sheet, in its order. */
export interface FoundTables {
  readonly tables: readonly TableHead[];
  readonly spans: readonly RowSpan[];
  /** Headers of pages and blocks, and lines above them. */
  readonly skipped: readonly SkippedLines[];
  /** Lines that can be a header or rows; null: none. */
  readonly unclear: { readonly from: number; readonly to: number } | null;
  /** What its lines were taken for, except plain rows. */
  readonly notes: NotedLines;
}

/** Whether all rows belong to one table below one header. */
export const isOneTable = ({ tables, skipped, unclear }: FoundTables): boolean =>
  tables.length === 1 && unclear === null && skipped.length === 0;

const maxLinesShown = 20;
/** Maximum number of rows between two tables; more rows without numbers belong to the table above. */
const maxPending = 30;
/** Maximum number of spans: each is in memory. */
const maxSpans = 200_000;

type RowKind = 'blank' | 'value' | 'sparse' | 'units' | 'words' | 'header';

interface PendingRow extends CellRow {
  readonly kind: RowKind;
  /** Whether it is a row if it isn't part of a head; a comment isn't. */
  readonly canBeRow: boolean;
}

/** Whether two words are the same, in any letters: a page can repeat `Depth` as `DEPTH`. */
const isSameWord = (word = '', other = ''): boolean =>
  word === other || word.trim().toLowerCase() === other.trim().toLowerCase();
const isSame = (cells: readonly string[], otherCells: readonly string[]): boolean => {
  for (let at = 0; at < Math.max(cells.length, otherCells.length); at++)
    if (!isSameWord(cells[at], otherCells[at])) return false;
  return true;
};

const reasons: Readonly<Record<SkippedLines['kind'], string>> = {
  repeated_header: 'the words of a header above',
  value: 'a name and a value for the rows below',
  title: 'words above a header between rows',
  total: 'a word of totals or remarks above a header',
};

/**
 * Finds where a table ends and another one begins, in one pass over the rows below the first header. A row whose cells
 * are words in all columns of numbers begins another table if rows with numbers follow; the same row as the header is
 * the header of another page.
 */
export class TableFinder {
  readonly #tables: TableHead[];
  readonly #spans: RowSpan[] = [];
  readonly #skipped = new Map<string, SkippedLines>();
  readonly #notes = new LineNotes();
  #unclear: FoundTables['unclear'] = null;
  #typed = new TypedColumns();
  #table = 0;
  #span: RowSpan | null = null;
  #values: readonly BlockValue[] = [];
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
    this.#setValues(above.flatMap(({ cells }) => pairsOf(cells).values));
  }

  /** @param canBeRow false: it can only be a header, or values for the rows below it */
  add(cells: readonly string[], line: number, canBeRow = true): void {
    if (canBeRow && this.#typed.isStudied && this.#pending.length === 0) {
      const first = this.#typed.indexes[0];
      // Nearly all rows have a number in the first column of numbers.
      if (first === undefined ? !this.#startsHeader(cells) : startsLikeNumber(cells[first] ?? '')) {
        this.#take(line);
        return;
      }
    }
    const kind = this.#kindOf(cells);
    if (!canBeRow && kind !== 'value' && kind !== 'header') return;
    if (kind !== null) {
      this.#pending.push({ cells: cells.map((cell) => cell.trim()), line, kind, canBeRow });
      if (this.#pending.length > maxPending) this.#settle();
      return;
    }
    if (this.#pending.length > 0) this.#settle(cells);
    if (!this.#typed.isStudied) this.#typed.study(cells);
    this.#take(line);
  }

  /** Adds a row whose cells are unreliable: it stays in its table. */
  addUnreadable(line: number): void {
    this.#settle();
    this.#take(line);
  }

  /** All tables, after the last row. */
  end(): FoundTables {
    this.#settle();
    if (this.#isFull && this.#unclear === null)
      this.#unclear = { from: this.#spans.at(-1)?.from ?? 1, to: this.#spans.at(-1)?.to ?? 1 };
    return {
      tables: this.#tables,
      spans: this.#spans,
      skipped: [...this.#skipped.values()],
      unclear: this.#unclear,
      notes: this.#notes,
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
    const trimmed = cells.map((cell) => cell.trim());
    const texts = trimmed.filter((cell) => cell !== '');
    if (texts.length === 0) return 'blank';
    const { indexes } = this.#typed;
    const values = indexes.map((index) => trimmed[index] ?? '').filter((cell) => cell !== '');
    const isInPlace = values.length * 2 > indexes.length;
    if (isInPlace && values.every((value) => startsLikeNumber(value))) return null;
    if (texts.some((text) => isFooterText(text)) || isPageNumber(texts.at(-1) ?? '')) return 'sparse';
    if (pairsOf(cells).isWhole) return 'value';
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

  /**
   * Decides what the pending rows are: before a row with numbers, or where none follows; then only the header of a page
   * isn't a row.
   * @param next the row with numbers, if there is one
   */
  #settle(next?: readonly string[]): void {
    const pending = this.#pending;
    this.#pending = [];
    const at = next === undefined ? pending.findLastIndex(({ kind }) => kind === 'header') : headAt(pending);
    const head = pending[at];
    const width = this.#tables[this.#table]?.header?.cells.length;
    // A row without its delimiters, between rows that have them, is a damaged row.
    const isDamaged = head?.kind === 'words' && next?.length === width && head.cells.length !== width;
    if (!head || isDamaged) return this.#release(pending, next);
    const above = pending.slice(0, at);
    const below = pending.slice(at + 1);
    const first = below.find(({ kind }) => kind !== 'blank');
    const units = first?.kind === 'units' ? first : null;
    const words = above.find(({ kind }) => kind === 'words');
    const areTitles = this.#hasSplitTitles && head.kind === 'header';
    if (words && !areTitles) this.#unclear ??= { from: words.line, to: head.line };
    for (const row of above) this.#skip(row);
    const named = above.filter(({ kind }) => kind === 'value' || kind === 'words');
    this.#setValues(named.flatMap(({ cells }) => pairsOf(cells).values));
    const earlier = this.#tables.findIndex((table) => isRepeated(table, head, units));
    if (earlier >= 0) this.#skip({ ...head, kind: 'header' });
    else {
      this.#tables.push({ header: head, units });
      this.#notes.add('table', 'words in the columns of numbers, and numbers below them', head);
    }
    if (units) this.#notes.add('units', 'units below a header', units);
    const table = earlier >= 0 ? earlier : this.#tables.length - 1;
    if (table !== this.#table) this.#typed = new TypedColumns();
    this.#table = table;
    this.#release(
      below.filter((row) => row !== units && row.kind !== 'blank'),
      next,
    );
  }

  #setValues(values: readonly BlockValue[]): void {
    const earlier = this.#values.filter(({ hasColon = false }) => hasColon);
    const hasWell = [...earlier, ...values].some((value) => canNameWells(value.name) && !isTitle(value));
    const named = hasWell ? values.filter((value) => !isTitle(value)) : values;
    const names = new Set(named.map(({ name }) => name));
    this.#values = [...this.#values.filter(({ name }) => !names.has(name)), ...named];
    this.#span = null;
  }

  #release(pending: readonly PendingRow[], next?: readonly string[]): void {
    const words = pending.filter(({ kind }) => kind === 'words');
    const [first] = words;
    const last = words.at(-1);
    if (first && last && words.length > 1) this.#unclear ??= { from: first.line, to: last.line };
    const heads = next ? pending.filter((row) => isBlockHead(row, next)) : [];
    const hasPlainWell = this.#values.some(({ name, hasColon }) => canNameWells(name) && hasColon !== true);
    for (const row of pending) {
      if (row.kind === 'words') this.#notes.add('row', 'words in columns of numbers, but no header', row);
      if (heads.includes(row)) {
        this.#skip(row);
        this.#setValues(pairsOf(row.cells).values);
      } else if (row.canBeRow && (row.kind !== 'blank' || heads.length === 0)) {
        // Where a well above has no colon, the words can be the next well.
        if (next && hasPlainWell && row.cells[0] !== '' && pairsOf(row.cells).values.some(isTitle))
          this.#unclear ??= { from: row.line, to: row.line };
        this.#take(row.line);
      }
    }
  }

  /** Counts a row that belongs to no table. */
  #skip(row: PendingRow): void {
    if (row.kind === 'blank') return;
    const { cells, line } = row;
    const name = row.kind === 'value' ? (pairsOf(cells).values[0]?.name ?? null) : null;
    const isTotal = row.kind !== 'header' && cells.some((cell) => isFooterText(cell));
    const kind =
      row.kind === 'header' ? 'repeated_header' : isTotal ? 'total' : name === null ? 'title' : 'value';
    const key = kind === 'value' ? `value ${name}` : kind;
    const entry = this.#skipped.get(key) ?? {
      kind,
      name: kind === 'value' ? name : null,
      count: 0,
      lines: [],
    };
    this.#skipped.set(key, entry);
    if (entry.count++ < maxLinesShown) entry.lines.push(line);
    this.#notes.add(kind, reasons[kind], row);
  }
}

/** Whether a header, and the units below it if there are any, are those of a table. */
function isRepeated(table: TableHead, head: CellRow, units: CellRow | null): boolean {
  const plain = ({ cells }: CellRow): string[] => cells.map((cell) => withoutBrackets(cell));
  if (!table.header || !isSame(table.header.cells, head.cells)) return false;
  return units === null || (table.units !== null && isSame(plain(table.units), plain(units)));
}

/**
 * Whether a row gives values for the rows below it although no header is between them: those of a well, or in place of the
 * first number.
 * @param next the row with numbers below it
 */
function isBlockHead({ kind, cells, canBeRow }: PendingRow, next: readonly string[]): boolean {
  const values = entriesIn(cells);
  if (kind !== 'value' || values.length === 0) return false;
  const filled = (row: readonly string[]): number => row.filter((cell) => cell.trim() !== '').length;
  const typed = next.filter((cell) => startsLikeNumber(cell)).length;
  // In a table of names and values, each row has them.
  if (canBeRow && filled(cells) >= filled(next) && typed * 2 <= filled(next)) return false;
  const isFirst = cells[0] !== '' && (isUsualName(values[0]?.name ?? '') || startsLikeNumber(next[0] ?? ''));
  return isFirst || values.some(({ name }) => canNameWells(name));
}

/** The index of the header among pending rows: that of an earlier table, else the last row of words. */
function headAt(pending: readonly PendingRow[]): number {
  const repeated = pending.findLastIndex(({ kind }) => kind === 'header');
  if (repeated >= 0) return repeated;
  const words = pending.findLastIndex(({ kind }) => kind === 'words');
  const below = pending.slice(words + 1);
  return below.every(({ kind }) => kind === 'units' || kind === 'blank') ? words : -1;
}

const cellRow = (row: FileRow): CellRow => ({
  cells: row.texts().map((cell) => cell.trim()),
  line: row.record.line,
});

/** Watches the rows of a delimited file, from its first one on, for further tables and repeated headers. */
export class TableWatch {
  readonly #layout: Layout;
  readonly above: CellRow[] = [];
  #header: CellRow | null = null;
  #units: CellRow | null = null;
  #finder: TableFinder | null = null;

  constructor(layout: Layout) {
    this.#layout = layout;
  }

  /** Adds a line with a number sign: a usual name with a value holds for the rows below it. */
  addComment(row: CellRow): void {
    const cells = cellsAfterHash(row);
    if (!isUsualEntry(cells)) return;
    if (row.line < this.#layout.dataLine) this.above.push({ cells, line: row.line });
    else this.#openFinder().add(cells, row.line, false);
  }

  add(row: FileRow): void {
    if (row.record.start >= this.#layout.dataStart) {
      const finder = this.#openFinder();
      if (row.problem === null) finder.add(row.texts(), row.record.line);
      else finder.addUnreadable(row.record.line);
    } else if (row.record.line === this.#layout.headerLine) this.#header = cellRow(row);
    else if (row.record.line === this.#layout.unitLine) this.#units = cellRow(row);
    // The user can set a header far below.
    else if (pairsOf(row.texts()).values.length > 0) this.above.push(cellRow(row));
  }

  #openFinder(): TableFinder {
    return (this.#finder ??= new TableFinder({ header: this.#header, units: this.#units }, this.above));
  }

  end(): FoundTables {
    return this.#openFinder().end();
  }
}

const maxTailRows = 20;
/** Rows within this many bytes of the end of the file are kept for footer detection. */
const tailBytes = 64 << 10;
const maxCellLength = 200;

const sums =
  /^(?:grand |sub[- ]?)?(?:totals?|sums?|averages?|avg|mean|min(?:imum)?|max(?:imum)?|count|summe|gesamt|suma|somme)(?:\s*[:=].*)?$/i;
const remarks =
  /^[*#=-]*\s*(?:(?:source|sources|notes?|remarks?|comments?|disclaimer|footnotes?|legend|copyright|fuente|quelle|kilde)\s*[:.=]|(?:generated|exported|printed|downloaded|created) (?:by|on|at|from)\b|end of (?:file|data|report|table)\b|©|\*\s*\p{L}|[-=*_]{3,}$)/iu;
/** Whether a cell is a total or a remark, by its words. */
const isFooterText = (cell: string): boolean => {
  const text = cell.slice(0, maxCellLength);
  return sums.test(text) || remarks.test(text);
};
/** Whether the first cell of a row that is no number or time is a word such as Total. */
export function isTotal(cells: readonly string[]): boolean {
  const at = cells.findIndex((cell) => !startsLikeNumber(cell) && cell !== '' && cell.trim() !== '');
  const word = cells[at]?.trim() ?? '';
  const isSum = word.length <= maxCellLength && word.charCodeAt(0) >= 0x41 && sums.test(word);
  return isSum && cells.slice(0, at).every((cell) => cell.trim() === '' || isTyped(cell.trim()));
}
const words = /\p{L}{3,}/u;

interface TailRow {
  readonly line: number;
  /** Trimmed; null: they are unreliable. */
  readonly cells: readonly string[] | null;
  /** Whether it fills at most one of several columns. */
  readonly isSparse: boolean;
}

/** Keeps the last rows of a file, and detects a footer among them. */
export class FooterWatch {
  readonly #columns: number;
  readonly #tailFrom: number;
  readonly #last: TailRow[] = [];
  #rows = 0;
  #sparse = 0;

  /** @param bytes of the file */
  constructor(columns: number, bytes: number) {
    this.#columns = columns;
    this.#tailFrom = bytes - tailBytes;
  }

  add(row: FileRow): void {
    const isSparse = this.#isSparse(row);
    this.#rows++;
    if (isSparse) this.#sparse++;
    if (row.record.next < this.#tailFrom) return;
    const cells =
      row.problem === null ? row.texts().map((cell) => cell.trim().slice(0, maxCellLength)) : null;
    this.#last.push({ line: row.record.line, cells, isSparse });
    if (this.#last.length > maxTailRows) this.#last.shift();
  }

  #isSparse(row: FileRow): boolean {
    if (row.problem !== null || this.#columns < 2) return false;
    const cells = row.texts();
    if (this.#columns === 2) return cells.length === 1;
    let filled = 0;
    for (const cell of cells) if (cell !== '' && cell.trim() !== '' && ++filled > 1) return false;
    return true;
  }

  /**
   * Examines the last rows against the columns above them: totals and remarks are recognized by their words, and by values
   * of another type than their column. A row that fills only one column can be data.
   * @returns the number of rows that certainly aren't data, with blank rows around them, else rows that may not be
   */
  detect(columns: readonly ColumnFacts[], notation: Notation) {
    const body = new Body(columns, notation);
    const verdicts: Verdict[] = [];
    for (const row of this.#last.toReversed()) {
      body.remove(row);
      const verdict = body.judge(row);
      if (verdict === 'data') break;
      verdicts.push(verdict);
    }
    const count = verdicts.length;
    const notes = new LineNotes();
    const none = { footer: 0, doubtful: null, notes };
    if (count >= this.#rows) return none;
    // If there is a total or a remark, other rows without data belong to the footer too.
    if (verdicts.includes('footer')) return { ...none, footer: count };
    const [first] = this.#last.slice(-count);
    const isUsual = (this.#sparse - count) * 50 > this.#rows;
    if (count === 0 || !first || isUsual) return none;
    for (const { cells, line } of this.#last.slice(-count))
      notes.add('row', 'may be a footer', { cells: cells ?? [], line });
    return { ...none, doubtful: { count, line: first.line } };
  }
}

type Verdict = 'data' | 'blank' | 'footer' | 'perhaps';

/** The kinds of cells, by column, in the rows before the last ones. */
class Body {
  readonly #columns: readonly ColumnFacts[];
  readonly #notation: Notation;
  readonly #counts: Record<CellKind, number>[];

  constructor(columns: readonly ColumnFacts[], notation: Notation) {
    this.#columns = columns;
    this.#notation = notation;
    this.#counts = columns.map(({ counts }) => ({ ...counts }));
  }

  remove({ cells }: TailRow): void {
    cells?.forEach((cell, index) => {
      const counts = this.#counts[index];
      const kind = cellKind(cell);
      if (counts && counts[kind] > 0) counts[kind]--;
    });
  }

  /** Whether a nonblank cell has another type than its column. */
  #differs(cell: string, index: number): boolean {
    const counts = this.#counts[index];
    const firsts = this.#columns[index]?.firsts;
    if (!counts || !firsts) return true;
    const { type } = columnType({ counts, firsts }, this.#notation, 0.1);
    if (type === 'string') return false;
    if (type === 'empty') return isFooterText(cell);
    const kind = cellKind(cell);
    return (kind === 'text' || kind === 'label') && words.test(cell);
  }

  #isFull(index: number): boolean {
    const counts = this.#counts[index];
    return counts !== undefined && counts.empty === 0 && counts.null_word === 0;
  }

  judge({ cells, isSparse }: TailRow): Verdict {
    if (cells === null) return 'data';
    const columns = this.#columns.length;
    const filled = cells.flatMap((cell, index) => (cell === '' ? [] : [{ cell, index }]));
    if (filled.length === 0) return columns > 1 ? 'blank' : 'data';
    const kinds = filled.map(({ cell }) => cellKind(cell));
    const differs = filled.some(({ cell, index }) => this.#differs(cell, index));
    const isRagged = cells.length < columns;
    const lacks = isRagged || cells.some((cell, index) => cell === '' && this.#isFull(index));
    const leads = isFooterText(filled[0]?.cell ?? '') && (isSparse || differs || lacks);
    const sumsUp = differs && filled.some(({ cell }) => sums.test(cell));
    // A row with its own time is data, even with a remark.
    if (leads || (sumsUp && !kinds.includes('time'))) return 'footer';
    if (isSparse) return differs ? 'footer' : kinds.includes('text') ? 'perhaps' : 'data';
    return isRagged && differs && filled.every(({ cell }) => words.test(cell)) ? 'footer' : 'data';
  }
}

/** Minimum number of short rows, and their minimum share of all rows, for a file to omit blank cells at the ends. */
const minRows = 3;
const minShare = 0.05;
/** Maximum share of short rows with a word in a column of numbers or times. */
const maxOdd = 0.02;

/** Counts rows with fewer cells than the header, and decides whether the missing ones are blank. */
export class ShortRows {
  readonly #names: readonly string[];
  /** Number of short rows by their number of cells, and the first line of each. */
  readonly #byWidth = new Map<number, Finding>();
  /** The columns of numbers and times, in rows with all cells. */
  readonly #typed = new TypedColumns();
  /** Number of words in each column of the short rows. */
  readonly #words: number[] = [];
  #rows = 0;
  #widest = 0;
  #hasBlankEnds = false;

  /** @param names of the columns in the header */
  constructor(names: readonly string[]) {
    this.#names = names;
  }

  add(cells: readonly string[], line: number): void {
    this.#rows++;
    const { length } = cells;
    const width = this.#names.length;
    this.#widest = Math.max(this.#widest, length);
    if (length > 1 && cells[length - 1]?.trim() === '') this.#hasBlankEnds = true;
    if (length >= width) {
      if (!this.#typed.isStudied) this.#typed.study(cells.slice(0, width));
      return;
    }
    this.#byWidth.set(length, counted(this.#byWidth.get(length), line));
    for (const [index, cell] of cells.entries())
      if (cell.trim() !== '' && !isTyped(cell.trim())) this.#words[index] = (this.#words[index] ?? 0) + 1;
  }

  /**
   * The minimum number of cells of rows whose missing cells are blank; null: none, because short rows may be cut off or
   * broken. A program that omits blank cells at the ends of rows never writes some, and its header has a name for each
   * cell. Rows with one of several cells can be titles or remarks.
   */
  fillFrom(): number | null {
    const from = this.#names.length > 2 ? 2 : 1;
    const { count } = this.shorter(from, this.needed - 1);
    if (count < minRows || count < this.#rows * minShare || this.#hasBlankEnds) return null;
    if (this.needed > this.#widest) return null;
    const doesFit = this.#typed.indexes.every((index) => (this.#words[index] ?? 0) <= count * maxOdd);
    return doesFit ? from : null;
  }

  /** Number of cells without which a row is short: those at the end without a name may have no values. */
  get needed(): number {
    return Math.max(this.#names.findLastIndex((name) => name !== '') + 1, this.#widest);
  }

  /** The short rows with at least a number of cells, at most another one. */
  shorter(from: number, to = this.#names.length - 1): Finding {
    let count = 0;
    let line = Infinity;
    for (const [width, entry] of this.#byWidth)
      if (width >= from && width <= to) {
        count += entry.count;
        line = Math.min(line, entry.line);
      }
    return { count, line };
  }
}
