import { type AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import { QUOTE, QuotedRecords, unclosed } from './quoted-records.ts';
import { needMore, UnitWindow, type LineEnd, type ReadAt, type WindowOptions } from './unit-window.ts';

/** Why a record's fields are unreliable; null: they are reliable. */
type Damage = 'unclosed_quote' | 'bad_quotes' | null;

/** One record as a range of bytes; positions count from the start of the file. */
export interface RawRecord {
  readonly start: number;
  /** End of its text, without the line end. */
  readonly end: number;
  /** Start of the next record. */
  readonly next: number;
  /** Its first line, from 1. */
  readonly line: number;
  /** The first line of the next record. */
  readonly nextLine: number;
  readonly hasQuotes: boolean;
  /** Whether a quoted field has blanks before its quote. */
  readonly hasBlanks: boolean;
  readonly damage: Damage;
  readonly ending: LineEnd;
}

export interface RecordOptions extends WindowOptions {
  /** Name in messages. */
  readonly fileName: string;
  /** The number of its first line. */
  readonly line: number;
  /** An ASCII character; empty for JSON lines. */
  readonly delimiter: string;
  /** Whether quotation marks can enclose line ends; not in JSON lines. */
  readonly quotes: boolean;
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

  #isTooLong(end: number): boolean {
    return (end - this.#at) * this.#options.width > maxRecordBytes;
  }

  #takeLine(end: number): RawRecord {
    if (this.#isTooLong(end)) throw this.#unsuitable('a line is longer than 4 MB');
    return this.#take(end, false, null);
  }

  #unsuitable(reason: string): AppError {
    const { fileName, width } = this.#options;
    return unsuitable(fileName, reason, { line: this.#line, byte: this.base + this.#at * width });
  }

  #findQuote(): number {
    if (!this.#options.quotes) return needMore;
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
      hasBlanks: hasQuotes && this.#quoted.hasBlanks,
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
