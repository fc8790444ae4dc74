import { AppError } from '../../../shared/errors.ts';

/** Why a record's fields can't be trusted; null: they can. */
export type Damage = 'unclosed_quote' | 'bad_quotes' | null;
export type RecordEnd = 'LF' | 'CRLF' | 'CR' | 'none';

/** One record of a file by its bytes; positions count from the file's start. */
export interface RawRecord {
  readonly start: number;
  /** Where its text ends, the line end not counted. */
  readonly end: number;
  /** Where the next record starts. */
  readonly next: number;
  /** Its first line, counted from 1. */
  readonly line: number;
  /** The first line of the next record. */
  readonly nextLine: number;
  readonly hasQuotes: boolean;
  readonly damage: Damage;
  readonly ending: RecordEnd;
}

export interface RecordOptions {
  /** For messages. */
  readonly fileName: string;
  /** Where to begin: a byte position and its line number. */
  readonly start: number;
  readonly line: number;
  /** An ASCII character. */
  readonly delimiter: string;
  /** Whether quotation marks hold records together; in JSON lines they don't. */
  readonly quotes?: boolean;
  /** Whether a CR alone ends a record (old Macintosh files). */
  readonly crEnds: boolean;
  readonly width: 1 | 2;
  /** UTF-16BE: bytes are swapped as they are read. */
  readonly swap: boolean;
  /** Where to stop reading; absent: at the end of the file. */
  readonly stop?: number | undefined;
}

/** Reads bytes of the file at a position into the buffer; 0 at the end. */
export type ReadAt = (into: Buffer, offset: number, length: number, position: number) => number;

const LF = 0x0a;
const CR = 0x0d;
const QUOTE = 0x22;
const SPACE = 0x20;
const TAB = 0x09;

const chunkBytes = 256 << 10;
/** A record longer than this, in bytes, is no record. A quote that is open for longer was never meant to open one. */
export const maxRecordBytes = 4 << 20;
/**
 * Looking for quotes that are never closed may cost so many bytes of reading twice. A file that takes more has another
 * quoting altogether.
 */
const maxLookedAhead = 512 << 20;

const needMore = -1;
const unclosed = -2;

/**
 * Splits the bytes of a file into records without parsing them: quotes and line ends only, so that every record is
 * tied to its exact bytes whatever the encoding. Damage stays in its line: after a quote that closes in the middle of
 * a field, or one that is never closed, the record ends at the line's end and is marked.
 *
 * Memory stays at one chunk and one record.
 */
export class RecordReader {
  readonly #read: ReadAt;
  readonly #options: RecordOptions;
  readonly #delimiter: number;
  #buffer: Buffer = Buffer.alloc(chunkBytes);
  #units: Uint8Array | Uint16Array;
  /** Position of the buffer's first byte in the file. */
  #base: number;
  /** In code units of the buffer. */
  #at = 0;
  #length = 0;
  #ended = false;
  #line: number;
  #nextQuote = needMore;
  #lookedAhead = 0;
  #bad = false;
  /** How far was looked for a closing quote. */
  #reach = 0;

  constructor(read: ReadAt, options: RecordOptions) {
    this.#read = read;
    this.#options = options;
    this.#delimiter = options.delimiter.charCodeAt(0);
    this.#base = options.start;
    this.#line = options.line;
    this.#units = this.#view();
  }

  /** The bytes of a record just returned by {@link next}, in reading order (UTF-16BE swapped); good until the next call. */
  get buffer(): Buffer {
    return this.#buffer;
  }
  /** Position of the buffer's first byte in the file. */
  get base(): number {
    return this.#base;
  }

  /** The line of the next record, counted from 1. */
  get line(): number {
    return this.#line;
  }

  /** The next record, blank ones included; null at the end. @throws AppError file_unsuitable */
  next(): RawRecord | null {
    for (;;) {
      if (this.#at >= this.#length && this.#ended) return null;
      const quote = this.#findQuote();
      const lineEnd = this.#breakFrom(this.#at);
      if (lineEnd !== needMore && (quote === needMore || quote > lineEnd)) return this.#takeLine(lineEnd);
      if (lineEnd === needMore && quote === needMore && this.#ended) return this.#takeLine(this.#length);
      const end = quote === needMore ? needMore : this.#quotedEnd(this.#at);
      // Every decision hangs on the record alone, never on how it lies in the buffer: a later reading that begins
      // elsewhere must come to the same records.
      if (end >= 0 && !this.#isTooLong(end)) return this.#take(end, true, this.#bad ? 'bad_quotes' : null);
      if (end === unclosed || this.#isTooLong(Math.max(end, this.#length)))
        return this.#takeUnclosed(lineEnd);
      this.#fill();
    }
  }

  #isTooLong(end: number): boolean {
    return (end - this.#at) * this.#options.width > maxRecordBytes;
  }

  #place(): { line: number; byte: number } {
    return { line: this.#line, byte: this.#base + this.#at * this.#options.width };
  }

  #takeLine(end: number): RawRecord {
    if (this.#isTooLong(end)) throw this.#unsuitable('a line is longer than 4 MB');
    return this.#take(end, false, null);
  }

  #unsuitable(reason: string): AppError {
    return new AppError('file_unsuitable', { file: this.#options.fileName, reason, place: this.#place() });
  }

  #view(): Uint8Array | Uint16Array {
    const { buffer, byteOffset, byteLength } = this.#buffer;
    return this.#options.width === 2 ? new Uint16Array(buffer, byteOffset, byteLength >> 1) : this.#buffer;
  }

  #findQuote(): number {
    if (this.#options.quotes === false) return needMore;
    if (this.#nextQuote < this.#at) this.#nextQuote = this.#indexOf(QUOTE, this.#at);
    return this.#nextQuote === Infinity ? needMore : this.#nextQuote;
  }

  #indexOf(unit: number, from: number): number {
    const found = this.#units.indexOf(unit, from);
    return found < 0 || found >= this.#length ? Infinity : found;
  }

  /** Where the next line end begins, or needMore. */
  #breakFrom(from: number): number {
    const lf = this.#indexOf(LF, from);
    if (this.#options.crEnds) {
      const cr = this.#indexOf(CR, from);
      if (cr < lf) return cr + 1 < this.#length || this.#ended ? cr : needMore;
    }
    if (lf === Infinity) return needMore;
    return lf > from && this.#units[lf - 1] === CR ? lf - 1 : lf;
  }

  #isBreak(at: number): boolean {
    const unit = this.#units[at];
    if (unit === LF) return true;
    return unit === CR && (this.#options.crEnds || (at + 1 < this.#length && this.#units[at + 1] === LF));
  }

  /** Where a record with quotes ends. */
  #quotedEnd(from: number): number {
    this.#bad = false;
    let at = from;
    for (;;) {
      if (this.#units[at] === QUOTE && at < this.#length) {
        at = this.#closingEnd(at + 1);
        if (at < 0) return at;
      } else {
        while (at < this.#length && this.#units[at] !== this.#delimiter && !this.#isBreak(at)) at++;
      }
      if (at + 1 >= this.#length && !this.#ended) return needMore;
      if (at >= this.#length || this.#units[at] !== this.#delimiter) return at;
      at++;
    }
  }

  /** From inside a quoted field: where the delimiter or line end behind its closing quote stands. */
  #closingEnd(from: number): number {
    let at = from;
    for (;;) {
      const quote = this.#indexOf(QUOTE, at);
      this.#reach = Math.min(quote, this.#length);
      if (this.#bad) {
        const lineEnd = this.#breakFrom(at);
        if (lineEnd !== needMore && lineEnd < quote) return lineEnd;
        if (quote === Infinity) return this.#ended ? this.#length : needMore;
      }
      if (quote === Infinity) return this.#ended ? unclosed : needMore;
      if (quote + 1 >= this.#length && !this.#ended) return needMore;
      if (quote + 1 < this.#length && this.#units[quote + 1] === QUOTE) {
        at = quote + 2;
        continue;
      }
      const behind = this.#skipBlanks(quote + 1);
      if (behind + 1 >= this.#length && !this.#ended) return needMore;
      if (behind >= this.#length || this.#units[behind] === this.#delimiter || this.#isBreak(behind)) {
        this.#bad = false;
        return behind;
      }
      // Beyond its first line, a cell with a misplaced quote may as well be one that was never closed.
      const crossed = this.#breakFrom(from);
      this.#bad = true;
      if (crossed !== needMore && crossed < quote) return unclosed;
      at = quote + 1;
    }
  }

  #skipBlanks(from: number): number {
    let at = from;
    while (at < this.#length) {
      const unit = this.#units[at];
      if (unit === this.#delimiter || (unit !== SPACE && unit !== TAB)) break;
      at++;
    }
    return at;
  }

  #takeUnclosed(lineEnd: number): RawRecord {
    const end = lineEnd === needMore ? this.#length : lineEnd;
    if (this.#isTooLong(end)) throw this.#unsuitable('a line is longer than 4 MB');
    this.#lookedAhead += (this.#reach - this.#at) * this.#options.width;
    if (this.#lookedAhead > maxLookedAhead) throw this.#unsuitable('its quotation marks are not closed');
    return this.#take(end, true, 'unclosed_quote');
  }

  #take(end: number, hasQuotes: boolean, damage: Damage): RawRecord {
    const { width } = this.#options;
    const ending = this.#endingAt(end);
    const next = end + (ending === 'CRLF' ? 2 : ending === 'none' ? 0 : 1);
    const line = this.#line;
    const within = hasQuotes ? this.#countLines(this.#at, end) : 0;
    this.#line += within + (ending === 'none' ? 0 : 1);
    const record: RawRecord = {
      start: this.#base + this.#at * width,
      end: this.#base + end * width,
      next: this.#base + next * width,
      line,
      nextLine: this.#line,
      hasQuotes,
      damage,
      ending,
    };
    this.#at = next;
    return record;
  }

  #endingAt(end: number): RecordEnd {
    if (end >= this.#length) return 'none';
    if (this.#units[end] === LF) return 'LF';
    return end + 1 < this.#length && this.#units[end + 1] === LF ? 'CRLF' : 'CR';
  }

  #countLines(from: number, to: number): number {
    let lines = 0;
    for (let at = from; at < to; at++) {
      const unit = this.#units[at];
      if (unit === LF || (unit === CR && this.#options.crEnds && this.#units[at + 1] !== LF)) lines++;
    }
    return lines;
  }

  /** Moves what is left to the front and reads a further chunk behind it. */
  #fill(): void {
    const { width, swap, stop } = this.#options;
    const from = this.#at * width;
    const kept = this.#length * width - from;
    this.#buffer.copyWithin(0, from, from + kept);
    this.#base += from;
    if (this.#buffer.length - kept < chunkBytes) this.#grow(kept);
    const room = this.#buffer.length - kept;
    const left = stop === undefined ? room : Math.min(room, stop - (this.#base + kept));
    let got = left > 0 ? this.#read(this.#buffer, kept, left, this.#base + kept) : 0;
    // Half of a code unit: the other half is read too, unless the file ends in the middle.
    if (got % width === 1) {
      const more = this.#read(this.#buffer, kept + got, 1, this.#base + kept + got);
      got = more === 1 ? got + 1 : got - 1;
    }
    if (got <= 0) this.#ended = true;
    else if (swap) this.#buffer.subarray(kept, kept + got).swap16();
    this.#at = 0;
    this.#length = (kept + Math.max(0, got)) / width;
    this.#nextQuote = needMore;
  }

  #grow(kept: number): void {
    const larger = Buffer.alloc(Math.max(this.#buffer.length * 2, kept + chunkBytes));
    this.#buffer.copy(larger, 0, 0, kept);
    this.#buffer = larger;
    this.#units = this.#view();
  }
}
