import { type AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import {
  decoderOf,
  isDamaged,
  type Encoding,
  type ReadAt,
  type RecordProblem,
  textEnd,
  unitWidth,
} from './source.ts';

export type LineEnd = 'LF' | 'CRLF' | 'CR' | 'none';

interface WindowOptions {
  /** Start position in the file, in bytes. */
  readonly start: number;
  /** Whether a CR alone ends a line (old Macintosh files). */
  readonly crEnds: boolean;
  readonly encoding: Encoding;
}

const LF = 0x0a;
const CR = 0x0d;

const chunkBytes = 256 << 10;

/** The result if more of the file must be read first. */
const needMore = -1;

/** The part of a file that is in memory, as code units: it moves forward, and grows if necessary. */
export class UnitWindow {
  readonly #read: ReadAt;
  readonly #options: WindowOptions;
  /** Bytes of a code unit. */
  readonly width: 1 | 2;
  /** The bytes in reading order (UTF-16BE swapped). */
  buffer: Buffer = Buffer.alloc(chunkBytes);
  units: Uint8Array | Uint16Array;
  /** Position of the first byte in the file. */
  base: number;
  /** In code units. */
  length = 0;
  /** Whether the window reaches the end of the file. */
  ended = false;

  constructor(read: ReadAt, options: WindowOptions) {
    this.#read = read;
    this.#options = options;
    this.width = unitWidth(options.encoding);
    this.base = options.start;
    this.units = this.#view();
  }

  /** The position of a code unit; Infinity: not in the window. */
  indexOf(unit: number, from: number): number {
    const index = this.units.indexOf(unit, from);
    return index < 0 || index >= this.length ? Infinity : index;
  }

  /** The start of the next line end, or needMore. */
  breakFrom(from: number): number {
    const lf = this.indexOf(LF, from);
    if (this.#options.crEnds) {
      const cr = this.indexOf(CR, from);
      if (cr < lf) return cr + 1 < this.length || this.ended ? cr : needMore;
    }
    if (lf === Infinity) return needMore;
    return lf > from && this.units[lf - 1] === CR ? lf - 1 : lf;
  }

  isBreak(at: number): boolean {
    const unit = this.units[at];
    if (unit === LF) return true;
    return unit === CR && (this.#options.crEnds || (at + 1 < this.length && this.units[at + 1] === LF));
  }

  endingAt(end: number): LineEnd {
    if (end >= this.length) return 'none';
    if (this.units[end] === LF) return 'LF';
    return end + 1 < this.length && this.units[end + 1] === LF ? 'CRLF' : 'CR';
  }

  countLines(from: number, to: number): number {
    let lines = 0;
    for (let at = from; at < to; at++) {
      const unit = this.units[at];
      if (unit === LF || (unit === CR && this.#options.crEnds && this.units[at + 1] !== LF)) lines++;
    }
    return lines;
  }

  /** Moves the content from a position on to the front and reads another chunk after it. */
  moveTo(place: number): void {
    const { width } = this;
    const from = place * width;
    const kept = this.length * width - from;
    this.buffer.copyWithin(0, from, from + kept);
    this.base += from;
    if (this.buffer.length - kept < chunkBytes) this.#grow(kept);
    const freeUnits = this.buffer.length - kept;
    let readBytes = this.#read(this.buffer, kept, freeUnits, this.base + kept);
    // Half a code unit: the other half is read too, unless the file ends there.
    if (readBytes % width === 1) {
      const more = this.#read(this.buffer, kept + readBytes, 1, this.base + kept + readBytes);
      readBytes = more === 1 ? readBytes + 1 : readBytes - 1;
    }
    if (readBytes <= 0) this.ended = true;
    else if (this.#options.encoding.name === 'UTF-16BE')
      this.buffer.subarray(kept, kept + readBytes).swap16();
    this.length = (kept + Math.max(0, readBytes)) / width;
    if (this.ended) this.length = textEnd((at) => this.units[at], this.length);
  }

  #view(): Uint8Array | Uint16Array {
    const { buffer, byteOffset, byteLength } = this.buffer;
    return this.width === 2 ? new Uint16Array(buffer, byteOffset, byteLength >> 1) : this.buffer;
  }

  #grow(kept: number): void {
    const larger = Buffer.alloc(Math.max(this.buffer.length * 2, kept + chunkBytes));
    this.buffer.copy(larger, 0, 0, kept);
    this.buffer = larger;
    this.units = this.#view();
  }
}

/** What encloses cells with delimiters or line ends. */
export type Quote = '"' | "'";

const SPACE = 0x20;
const TAB = 0x09;

/** A quote without a closing quote. */
export const unclosed = -2;

/** Maximum number of code units from a quote after blanks to its closing quote. */
const maxAfterBlanks = 64 << 10;

/** The ends of records that contain quotation marks, and their problems. */
class QuotedRecords {
  readonly #window: UnitWindow;
  readonly #delimiter: number;
  readonly #quote: number;
  /** Whether the last record has a quote that closes in the middle of a field. */
  bad = false;
  /** How far the search for a closing quote went. */
  reach = 0;

  constructor(window: UnitWindow, delimiter: number, quote: number) {
    this.#window = window;
    this.#delimiter = delimiter;
    this.#quote = quote;
  }

  /** The end of a record with quotes; needMore or {@link unclosed} if it isn't known. */
  endFrom(from: number): number {
    const window = this.#window;
    this.bad = false;
    let at = from;
    for (;;) {
      if (at < window.length && window.units[at] === this.#quote) {
        at = this.#closingEnd(at + 1);
        if (at < 0) return at;
      } else {
        const end = this.#endAfterBlanks(at);
        if (end === needMore) return end;
        if (end >= 0) at = end;
        else while (at < window.length && window.units[at] !== this.#delimiter && !window.isBreak(at)) at++;
      }
      if (at + 1 >= window.length && !window.ended) return needMore;
      if (at >= window.length || window.units[at] !== this.#delimiter) return at;
      at++;
    }
  }

  /**
   * The position after a quoted field with blanks before its quote; unclosed: it is another field. A quote that encloses
   * no whole field, such as a ditto mark, is part of an unquoted one.
   */
  #endAfterBlanks(from: number): number {
    const window = this.#window;
    const unit = window.units[from];
    if (unit !== SPACE && unit !== TAB) return unclosed;
    const open = this.#skipBlanks(from);
    if (open >= window.length || window.units[open] !== this.#quote) return unclosed;
    const first = this.#endBehind(open + 1);
    if (first !== unclosed) return first === needMore ? needMore : unclosed;
    for (let at = open + 1; ;) {
      const quote = window.indexOf(this.#quote, at);
      if (Math.min(quote, window.length) - open > maxAfterBlanks) return unclosed;
      if (quote === Infinity) return window.ended ? unclosed : needMore;
      if (quote + 1 >= window.length && !window.ended) return needMore;
      if (quote + 1 >= window.length || window.units[quote + 1] !== this.#quote)
        return this.#endBehind(quote + 1);
      at = quote + 2;
    }
  }

  /** The position of the delimiter or line end after blanks; needMore, or unclosed if something else is there. */
  #endBehind(from: number): number {
    const window = this.#window;
    const behind = this.#skipBlanks(from);
    if (behind + 1 >= window.length && !window.ended) return needMore;
    const isEnd =
      behind >= window.length || window.units[behind] === this.#delimiter || window.isBreak(behind);
    return isEnd ? behind : unclosed;
  }

  /** From inside a quoted field: the position of the delimiter or line end after its closing quote. */
  #closingEnd(from: number): number {
    const window = this.#window;
    // Searched once, however many quotes are misplaced: after its line, a cell with a misplaced quote is unclosed.
    let firstBreak: number | null = null;
    let at = from;
    for (;;) {
      const quote = window.indexOf(this.#quote, at);
      this.reach = Math.min(quote, window.length);
      if (this.bad) {
        firstBreak ??= window.breakFrom(from);
        if (firstBreak !== needMore && firstBreak < quote) return firstBreak;
        if (quote === Infinity) return window.ended ? window.length : needMore;
      }
      if (quote === Infinity) return window.ended ? unclosed : needMore;
      if (quote + 1 >= window.length && !window.ended) return needMore;
      if (quote + 1 < window.length && window.units[quote + 1] === this.#quote) {
        at = quote + 2;
        continue;
      }
      const behind = this.#endBehind(quote + 1);
      if (behind === needMore) return needMore;
      if (behind !== unclosed) {
        this.bad = false;
        return behind;
      }
      // After its first line, a cell with a misplaced quote may as well be an unclosed one.
      firstBreak ??= window.breakFrom(from);
      this.bad = true;
      if (firstBreak !== needMore && firstBreak < quote) return unclosed;
      at = quote + 1;
    }
  }

  #skipBlanks(from: number): number {
    const { units, length } = this.#window;
    let at = from;
    while (at < length) {
      const unit = units[at];
      if (unit === this.#delimiter || (unit !== SPACE && unit !== TAB)) break;
      at++;
    }
    return at;
  }
}

/** Why a record's fields are unreliable; null: they are reliable. */
type Damage = 'unclosed_quote' | 'bad_quotes' | null;

/** One record as a range of bytes; positions count from the start of the file. */
export interface RawRecord {
  readonly start: number;
  /** End of its text, without the line end. */
  readonly end: number;
  readonly next: number;
  /** Its first line, from 1. */
  readonly line: number;
  readonly nextLine: number;
  readonly hasQuotes: boolean;
  readonly damage: Damage;
  readonly ending: LineEnd;
}

export interface RecordOptions extends WindowOptions {
  readonly fileName: string;
  readonly line: number;
  /** An ASCII character; empty for JSON lines. */
  readonly delimiter: string;
  /** Whether quotation marks can enclose line ends; not in JSON lines. */
  readonly quotes: boolean;
  /** Absent: the quotation mark. */
  readonly quote?: Quote | undefined;
}

/** Maximum size of a record in bytes. A quote that is open for longer wasn't an opening quote. */
export const maxRecordBytes = 4 << 20;
/**
 * Maximum number of bytes that are read twice to search for unclosed quotes. A file that needs more uses another
 * quoting style.
 */
const maxLookedAhead = 512 << 20;

/**
 * Splits the bytes of a file into records by quotes and line ends only, so that every record keeps its exact bytes in
 * any encoding. Damage affects one line: after a quote that closes in the middle of a field, or an unclosed one, the
 * record ends at the end of the line and is marked.
 * Memory is limited to one chunk and one record.
 */
export class RecordReader {
  readonly #options: RecordOptions;
  readonly #window: UnitWindow;
  readonly #quoted: QuotedRecords;
  readonly #quote: number;
  readonly #decode: ReturnType<typeof decoderOf>;
  /** In code units of the window. */
  #at = 0;
  #line: number;
  #nextQuote = needMore;
  #lookedAhead = 0;

  constructor(read: ReadAt, options: RecordOptions) {
    this.#options = options;
    this.#window = new UnitWindow(read, options);
    this.#quote = (options.quote ?? '"').charCodeAt(0);
    this.#quoted = new QuotedRecords(this.#window, options.delimiter.charCodeAt(0), this.#quote);
    this.#decode = decoderOf(options.encoding);
    this.#line = options.line;
  }

  /**
   * The bytes of the record that {@link next} returned last, in reading order (UTF-16BE swapped); valid until the next
   * call.
   */
  get buffer(): Buffer {
    return this.#window.buffer;
  }
  /** Position of the buffer's first byte in the file. */
  get base(): number {
    return this.#window.base;
  }

  /** The line of the next record, from 1. */
  get line(): number {
    return this.#line;
  }

  /** The text of the record that {@link next} returned last. */
  text({ start, end }: RawRecord): string {
    return this.#decode(this.buffer, start - this.base, end - this.base);
  }

  /** Whether that record has bytes that are invalid in the encoding. @param text of it */
  hasBadBytes({ start, end }: RawRecord, text: string): boolean {
    if (!text.includes('\uFFFD')) return false;
    // The file itself can contain U+FFFD; only then are the bytes examined.
    return isDamaged(this.buffer.subarray(start - this.base, end - this.base), this.#options.encoding);
  }

  /** The next record, blank ones included; null at the end. @throws AppError file_unsuitable */
  next(): RawRecord | null {
    const window = this.#window;
    for (;;) {
      if (this.#at >= window.length && window.ended) return null;
      const quote = this.#findQuote();
      const lineEnd = window.breakFrom(this.#at);
      if (lineEnd !== needMore && (quote === needMore || quote > lineEnd)) return this.#takeLine(lineEnd);
      if (lineEnd === needMore && quote === needMore && window.ended) return this.#takeLine(window.length);
      const end = quote === needMore ? needMore : this.#quoted.endFrom(this.#at);
      // Every decision depends on the record alone, never on its position in the buffer: a later pass that starts
      // elsewhere must give the same records.
      if (end >= 0 && !this.#isTooLong(end))
        return this.#take(end, true, this.#quoted.bad ? 'bad_quotes' : null);
      if (end === unclosed || this.#isTooLong(Math.max(end, window.length)))
        return this.#takeUnclosed(lineEnd);
      this.#fill();
    }
  }

  /** The records from the next one on. @throws AppError file_unsuitable */
  *all(): Generator<RawRecord> {
    for (let record = this.next(); record; record = this.next()) yield record;
  }

  #isTooLong(end: number): boolean {
    return (end - this.#at) * this.#window.width > maxRecordBytes;
  }

  #takeLine(end: number): RawRecord {
    if (this.#isTooLong(end)) throw this.#unsuitable('a line is longer than 4 MB');
    return this.#take(end, false, null);
  }

  #unsuitable(reason: string): AppError {
    const { fileName } = this.#options;
    return unsuitable(fileName, reason, {
      line: this.#line,
      byte: this.base + this.#at * this.#window.width,
    });
  }

  #findQuote(): number {
    if (!this.#options.quotes) return needMore;
    if (this.#nextQuote < this.#at) this.#nextQuote = this.#window.indexOf(this.#quote, this.#at);
    return this.#nextQuote === Infinity ? needMore : this.#nextQuote;
  }

  #takeUnclosed(lineEnd: number): RawRecord {
    const end = lineEnd === needMore ? this.#window.length : lineEnd;
    if (this.#isTooLong(end)) throw this.#unsuitable('a line is longer than 4 MB');
    this.#lookedAhead += (this.#quoted.reach - this.#at) * this.#window.width;
    if (this.#lookedAhead > maxLookedAhead) throw this.#unsuitable('its quotation marks are not closed');
    return this.#take(end, true, 'unclosed_quote');
  }

  #take(end: number, hasQuotes: boolean, damage: Damage): RawRecord {
    const { base, width } = this.#window;
    const ending = this.#window.endingAt(end);
    const next = end + (ending === 'CRLF' ? 2 : ending === 'none' ? 0 : 1);
    const line = this.#line;
    const within = hasQuotes ? this.#window.countLines(this.#at, end) : 0;
    this.#line += within + (ending === 'none' ? 0 : 1);
    const record: RawRecord = {
      start: base + this.#at * width,
      end: base + end * width,
      next: base + next * width,
      line,
      nextLine: this.#line,
      hasQuotes,
      damage,
      ending,
    };
    this.#at = next;
    return record;
  }

  #fill(): void {
    this.#window.moveTo(this.#at);
    this.#at = 0;
    this.#nextQuote = needMore;
  }
}

/** A record's cells; `problem` if they are unreliable. */
export interface Row {
  readonly cells: readonly string[];
  readonly problem: RecordProblem | null;
  /** An undoubled quotation mark inside a quoted cell; the content is still unambiguous. */
  readonly oddQuotes: boolean;
  /** Of JSON: an object with the same name twice, of whose values the last is used. */
  readonly repeatedNames?: boolean;
}

/**
 * Splits one record at a time into cells, so that damage in it can't affect the next.
 * @param width number of cells of the table's rows; 0: unknown. A single quote at the start of a cell is text if only then
 * the row has all of them
 */
export function createFieldReader(delimiter: string, quote: Quote = '"', width = 0): FieldReader {
  return (reader, record) => {
    const text = reader.text(record);
    const { hasQuotes, damage } = record;
    const problem = damage ?? bytesProblem(text, reader, record);
    if (!hasQuotes || damage !== null) return { cells: text.split(delimiter), problem, oddQuotes: false };
    const { cells, oddQuotes, isClosed } = quotedCells(text, delimiter, quote);
    if (oddQuotes && cells.length < width) {
      const split = quotedCells(text, delimiter, quote, true);
      if (split.isClosed && split.cells.length === width) return { cells: split.cells, problem, oddQuotes };
    }
    if (isClosed) return { cells, problem, oddQuotes };
    return { cells: text.split(delimiter), problem: 'bad_quotes', oddQuotes: false };
  };
}

export const numberSign = 0x23;

/** Whether the record that its reader returned last begins with a number sign outside of quotes, like a comment. */
export const startsWithHash = (
  [first = '']: readonly string[],
  { buffer, base }: RecordReader,
  { start }: RawRecord,
): boolean => first.startsWith('#') && buffer[start - base] === numberSign;

export type FieldReader = (reader: RecordReader, record: RawRecord) => Row;

/** The encoding problem of a record; null: none. */
export function bytesProblem(text: string, reader: RecordReader, record: RawRecord): RecordProblem | null {
  if (text.includes('\0')) return 'nul_bytes';
  return reader.hasBadBytes(record, text) ? 'bad_bytes' : null;
}

function skipBlanks(text: string, from: number, delimiter: string): number {
  let at = from;
  while ((text[at] === ' ' || text[at] === '\t') && text[at] !== delimiter) at++;
  return at;
}

/** Whether a cell ends at a position, except for blanks; a blank that is the delimiter ends it. */
function endsBehind(text: string, from: number, delimiter: string): boolean {
  const behind = skipBlanks(text, from, delimiter);
  return behind === text.length || text[behind] === delimiter;
}

/**
 * The closing quote of a cell, and whether a quote before it isn't doubled; null: none.
 * @param endsAtOpening whether a quote at the start of a later cell shows that this one opens none
 */
function closingQuote(
  text: string,
  open: number,
  delimiter: string,
  endsAtOpening: boolean,
): { readonly at: number; readonly isOdd: boolean } | null {
  const quote = text.charAt(open);
  let isOdd = false;
  for (let at = text.indexOf(quote, open + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    if (text[at + 1] === quote) at++;
    else if (endsBehind(text, at + 1, delimiter)) return { at, isOdd };
    else if (endsAtOpening && text[at - 1] === delimiter) return null;
    else isOdd = true;
  }
  return null;
}

/**
 * The cells of a text with quotes. A quote after blanks opens a cell only if it encloses all of it. Of a quote that isn't
 * closed, the rest is split as if it had none.
 * @param hasStray whether a quote is text if another one opens a cell before the one that would close it
 */
export function quotedCells(
  text: string,
  delimiter: string,
  quote: Quote,
  hasStray = false,
): { readonly cells: string[]; readonly oddQuotes: boolean; readonly isClosed: boolean } {
  const cells: string[] = [];
  let oddQuotes = false;
  // If a quote isn't closed, no later one is.
  let isClosed = true;
  for (let at = 0; ;) {
    const open = skipBlanks(text, at, delimiter);
    const isAfterBlanks = open > at;
    const isQuoted =
      isClosed && text[open] === quote && !(isAfterBlanks && endsBehind(text, open + 1, delimiter));
    let close = isQuoted ? closingQuote(text, open, delimiter, hasStray) : null;
    if (isAfterBlanks && close?.isOdd === true) close = null;
    else if (isQuoted && !close && !isAfterBlanks && !hasStray) isClosed = false;
    if (close?.isOdd === true) oddQuotes = true;
    const next = text.indexOf(delimiter, close?.at ?? at);
    if (close) cells.push(text.slice(open + 1, close.at).replaceAll(quote + quote, quote));
    else cells.push(text.slice(at, next < 0 ? undefined : next));
    if (next < 0) return { cells, oddQuotes, isClosed };
    at = next + 1;
  }
}
