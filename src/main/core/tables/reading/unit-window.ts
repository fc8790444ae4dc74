/** Reads bytes of the file at a position into the buffer; returns 0 at the end. */
export type ReadAt = (into: Buffer, offset: number, length: number, position: number) => number;

export type LineEnd = 'LF' | 'CRLF' | 'CR' | 'none';

export interface WindowOptions {
  /** Start position in the file, in bytes. */
  readonly start: number;
  /** Whether a CR alone ends a line (old Macintosh files). */
  readonly crEnds: boolean;
  readonly width: 1 | 2;
  /** UTF-16BE: bytes are swapped as they are read. */
  readonly swap: boolean;
}

const endMark = 0x1a;

/**
 * The end of text without the end mark of DOS (Ctrl+Z), which old programs write behind the last line and perhaps fill
 * up with NUL.
 * @param unitAt the bytes or code units of the text
 * @param length number of units that count
 */
export function textEnd(unitAt: (at: number) => number | undefined, length: number): number {
  let end = length;
  for (let at = length; at > 0; at--) {
    const unit = unitAt(at - 1);
    if (unit === endMark) end = at - 1;
    else if (unit !== 0) break;
  }
  return end;
}

const LF = 0x0a;
const CR = 0x0d;

const chunkBytes = 256 << 10;

/** The result if more of the file must be read first. */
export const needMore = -1;

/** The part of a file that is in memory, as code units: it moves forward, and grows if necessary. */
export class UnitWindow {
  readonly #read: ReadAt;
  readonly #options: WindowOptions;
  /** The bytes in reading order (UTF-16BE swapped). */
  buffer: Buffer = Buffer.allocUnsafe(chunkBytes);
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

  /** The kind of line end at the end of a line. */
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
    const { width, swap } = this.#options;
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
    else if (swap) this.buffer.subarray(kept, kept + readBytes).swap16();
    this.length = (kept + Math.max(0, readBytes)) / width;
    if (this.ended) this.length = textEnd((at) => this.units[at], this.length);
  }

  #view(): Uint8Array | Uint16Array {
    const { buffer, byteOffset, byteLength } = this.buffer;
    return this.#options.width === 2 ? new Uint16Array(buffer, byteOffset, byteLength >> 1) : this.buffer;
  }

  #grow(kept: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.buffer.length * 2, kept + chunkBytes));
    this.buffer.copy(larger, 0, 0, kept);
    this.buffer = larger;
    this.units = this.#view();
  }
}
