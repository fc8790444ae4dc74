import { cellKind, type CellKind } from './cells.ts';
import type { ColumnFacts } from './column-facts.ts';
import { columnType, notationOf, type Notation } from './column-type.ts';
import type { FileRow } from './rows.ts';
import type { Finding } from './gathering.ts';

/** Maximum number of rows in a detected footer. */
const maxTailRows = 20;
/** Rows within this many bytes of the end of the file are kept for footer detection. */
export const tailBytes = 64 << 10;
const maxCellLength = 200;

interface TailRow {
  readonly line: number;
  /** Trimmed; null: the cells are unreliable. */
  readonly cells: readonly string[] | null;
  readonly sparse: boolean;
}

/** The state of footer detection. */
export interface FileTail {
  readonly rows: number;
  /** Number of rows that fill at most one of several columns. */
  readonly sparse: number;
  readonly last: readonly TailRow[];
}

interface FooterWatch {
  add(row: FileRow): void;
  /** The rows so far. */
  seen(): FileTail;
}

/** @param tailFrom position in bytes from which rows can be the last ones of the file */
export function createFooterWatch(columns: number, tailFrom: number): FooterWatch {
  let rows = 0;
  let sparse = 0;
  const last: TailRow[] = [];
  const isSparse = (row: FileRow): boolean => {
    if (row.problem !== null || columns < 2) return false;
    const cells = row.texts();
    if (columns === 2) return cells.length === 1;
    let filled = 0;
    for (const cell of cells) if (cell !== '' && cell.trim() !== '' && ++filled > 1) return false;
    return true;
  };
  return {
    add(row) {
      const isSparseRow = isSparse(row);
      rows++;
      if (isSparseRow) sparse++;
      if (row.record.next < tailFrom) return;
      const cells =
        row.problem === null ? row.texts().map((cell) => cell.trim().slice(0, maxCellLength)) : null;
      last.push({ line: row.record.line, cells, sparse: isSparseRow });
      if (last.length > maxTailRows) last.shift();
    },
    seen: () => ({ rows, sparse, last: [...last] }),
  };
}

const sums =
  /^(?:grand |sub[- ]?)?(?:totals?|sums?|averages?|avg|mean|min(?:imum)?|max(?:imum)?|count|summe|gesamt|suma|somme)(?:\s*[:=].*)?$/i;
const remarks =
  /^[*#=-]*\s*(?:(?:source|sources|notes?|remarks?|comments?|disclaimer|footnotes?|legend|copyright|fuente|quelle|kilde)\s*[:.=]|(?:generated|exported|printed|downloaded|created) (?:by|on|at|from)\b|end of (?:file|data|report|table)\b|©|\*\s*\p{L}|[-=*_]{3,}$)/iu;
/** Whether a cell is a total or a remark, by its words. */
export const isFooterText = (cell: string): boolean => {
  const text = cell.slice(0, maxCellLength);
  return sums.test(text) || remarks.test(text);
};
/** Whether the first filled cell of a row is a word such as Total. */
export function isTotal(cells: readonly string[]): boolean {
  const first = cells.find((cell) => cell !== '' && cell.trim() !== '')?.trim() ?? '';
  // Most rows begin with a digit or a sign.
  return first.length <= maxCellLength && first.charCodeAt(0) >= 0x41 && sums.test(first);
}
const words = /\p{L}{3,}/u;

/** The kinds of cells, by column, in the rows before the last ones. */
class Body {
  readonly #columns: readonly ColumnFacts[];
  readonly #notation: Notation;
  readonly #counts: Record<CellKind, number>[];

  constructor(columns: readonly ColumnFacts[], delimiter: string) {
    this.#columns = columns;
    this.#notation = notationOf(columns, delimiter);
    this.#counts = columns.map(({ counts }) => ({ ...counts }));
  }

  /** Removes a row from the counts. */
  remove({ cells }: TailRow): void {
    cells?.forEach((cell, index) => {
      const counts = this.#counts[index];
      const kind = cellKind(cell);
      if (counts && counts[kind] > 0) counts[kind]--;
    });
  }

  /** Whether a nonblank cell has another type than its column. */
  differs(cell: string, index: number): boolean {
    const counts = this.#counts[index];
    const firsts = this.#columns[index]?.firsts;
    if (!counts || !firsts) return true;
    const { type } = columnType({ counts, firsts }, this.#notation, 0.1);
    if (type === 'string') return false;
    if (type === 'empty') return isFooterText(cell);
    const kind = cellKind(cell);
    return (kind === 'text' || kind === 'label') && words.test(cell);
  }

  /** Whether a column has a value in each row. */
  isFull(index: number): boolean {
    const counts = this.#counts[index];
    return counts !== undefined && counts.empty === 0 && counts.null_word === 0;
  }
}

type Verdict = 'data' | 'blank' | 'footer' | 'perhaps';

function judge({ cells, sparse }: TailRow, body: Body, columns: number): Verdict {
  if (cells === null) return 'data';
  const filled = cells.flatMap((cell, index) => (cell === '' ? [] : [{ cell, index }]));
  if (filled.length === 0) return columns > 1 ? 'blank' : 'data';
  const [first] = filled;
  const differs = filled.some(({ cell, index }) => body.differs(cell, index));
  const isRagged = cells.length < columns;
  const lacks = isRagged || cells.some((cell, index) => cell === '' && body.isFull(index));
  const leads = isFooterText(first?.cell ?? '') && (sparse || differs || lacks);
  const sumsUp = differs && filled.some(({ cell }) => sums.test(cell));
  // A row with its own time is data, even with a remark.
  if (leads || (sumsUp && !filled.some(({ cell }) => cellKind(cell) === 'time'))) return 'footer';
  if (sparse) return differs ? 'footer' : hasText(filled) ? 'perhaps' : 'data';
  return isRagged && differs && filled.every(({ cell }) => words.test(cell)) ? 'footer' : 'data';
}

const hasText = (filled: readonly { readonly cell: string }[]): boolean =>
  filled.some(({ cell }) => cellKind(cell) === 'text');

/** Rows at the end of a file that aren't data. */
interface DetectedFooter {
  /** Rows that are certainly not data: totals and remarks below the table, and blank rows around them. */
  readonly footer: number;
  /** Rows that may not be data; null if there are none, or if some are certain. */
  readonly doubtful: Finding | null;
}

/**
 * Examines the last rows of a file against the columns above them: totals and remarks are recognized by their words,
 * and by values of another type than their column. A row that fills only one column can be data.
 */
export function detectFooter(
  { rows, sparse, last }: FileTail,
  columns: readonly ColumnFacts[],
  delimiter: string,
): DetectedFooter {
  const body = new Body(columns, delimiter);
  const verdicts: Verdict[] = [];
  for (const row of last.toReversed()) {
    body.remove(row);
    const verdict = judge(row, body, columns.length);
    if (verdict === 'data') break;
    verdicts.push(verdict);
  }
  const none = { footer: 0, doubtful: null };
  if (verdicts.length >= rows) return none;
  const count = verdicts.length;
  // If there is a total or a remark, other rows without data belong to the footer too.
  if (verdicts.includes('footer')) return { footer: count, doubtful: null };
  const sparseElsewhere = sparse - count;
  const [first] = last.slice(-count);
  if (count === 0 || !first || sparseElsewhere * 50 > rows) return none;
  return { footer: 0, doubtful: { count, line: first.line } };
}
