import { AppError } from '../../../shared/errors/errors.ts';
import { QUOTE, QuotedRecords, unclosed } from './quoted-records.ts';
import { needMore, UnitWindow } from './unit-window.ts';
import type { LineEnd, ReadAt, WindowOptions } from './unit-window.ts';

/** Why a record's fields can't be trusted; null: they can. */
type Damage = 'unclosed_quote' | 'bad_quotes' | null;

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
  readonly ending: LineEnd;
}

export interface RecordOptions extends WindowOptions {
  /** For messages. */
  readonly fileName: string;
  /** The number of the line that it begins with. */
  readonly line: number;
  /** An ASCII character. */
  readonly delimiter: string;
  /** Whether quotation marks hold records together; in JSON lines they don't. */
  readonly quotes?: boolean;
}

/** A record longer than this, in bytes, is no record. A quote that is open for longer was never meant to open one. */
export const maxRecordBytes = 4 << 20;
/**
 * Looking for quotes that are never closed may cost so many bytes of reading twice. A file that takes more has another
 * quoting altogether.
 */
const maxLookedAhead = 512 << 20;

/**
 * Splits the bytes of a file into records without parsing them: quotes and line ends only, so that every record is
 * tied to its exact bytes whatever the encoding. Damage stays in its line: after a quote that closes in the middle of
 * a field, or one that is never closed, the record ends at the line's end and is marked.
 *
 * Memory stays at one chunk and one record.
 */
export class RecordReader {
  readonly #options: RecordOptions;
  readonly #window: UnitWindow;
  readonly #quoted: QuotedRecords;
  /** In code units of the window. */
  #at = 0;
  #line: number;
  #nextQuote = needMore;
  #lookedAhead = 0;

  constructor(read: ReadAt, options: RecordOptions) {
    this.#options = options;
    this.#window = new UnitWindow(read, options);
    this.#quoted = new QuotedRecords(this.#window, options.delimiter.charCodeAt(0));
    this.#line = options.line;
  }

  /** The bytes of a record just returned by {@link next}, in reading order (UTF-16BE swapped); good until the next call. */
  get buffer(): Buffer {
    return this.#window.buffer;
  }
  /** Position of the buffer's first byte in the file. */
  get base(): number {
    return this.#window.base;
  }

  /** The line of the next record, counted from 1. */
  get line(): number {
    return this.#line;
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
      // Every decision hangs on the record alone, never on how it lies in the buffer: a later reading that begins
      // elsewhere must come to the same records.
      if (end >= 0 && !this.#isTooLong(end))
        return this.#take(end, true, this.#quoted.bad ? 'bad_quotes' : null);
      if (end === unclosed || this.#isTooLong(Math.max(end, window.length)))
        return this.#takeUnclosed(lineEnd);
      this.#fill();
    }
  }

  #isTooLong(end: number): boolean {
    return (end - this.#at) * this.#options.width > maxRecordBytes;
  }

  #place(): { line: number; byte: number } {
    return { line: this.#line, byte: this.base + this.#at * this.#options.width };
  }

  #takeLine(end: number): RawRecord {
    if (this.#isTooLong(end)) throw this.#unsuitable('a line is longer than 4 MB');
    return this.#take(end, false, null);
  }

  #unsuitable(reason: string): AppError {
    return new AppError('file_unsuitable', { file: this.#options.fileName, reason, place: this.#place() });
  }

  #findQuote(): number {
    if (this.#options.quotes === false) return needMore;
    if (this.#nextQuote < this.#at) this.#nextQuote = this.#window.indexOf(QUOTE, this.#at);
    return this.#nextQuote === Infinity ? needMore : this.#nextQuote;
  }

  #takeUnclosed(lineEnd: number): RawRecord {
    const end = lineEnd === needMore ? this.#window.length : lineEnd;
    if (this.#isTooLong(end)) throw this.#unsuitable('a line is longer than 4 MB');
    this.#lookedAhead += (this.#quoted.reach - this.#at) * this.#options.width;
    if (this.#lookedAhead > maxLookedAhead) throw this.#unsuitable('its quotation marks are not closed');
    return this.#take(end, true, 'unclosed_quote');
  }

  #take(end: number, hasQuotes: boolean, damage: Damage): RawRecord {
    const { width } = this.#options;
    const { base } = this.#window;
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
