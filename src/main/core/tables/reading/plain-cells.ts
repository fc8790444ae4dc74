/** The kind of a plain cell; anything but blanks and decimal digits must be read as text. */
export const plainKinds = { other: 0, integer: 1, number: 2, empty: 3 } as const;

const other = plainKinds.other;
const apostrophe = 0x27;
const minus = 0x2d;
const point = 0x2e;
const zero = 0x30;
/** Maximum number of digits that a double keeps, wherever the point is. */
const maxDigits = 15;
const powers = Float64Array.from({ length: maxDigits + 1 }, (_, power) => 10 ** power);

/**
 * The cells of one record as bytes, without creating texts: most cells of most files are numbers, which are checked and
 * copied as bytes. One object serves all records of a reader.
 * A number here is `-`, digits without a leading zero, and after a point at least one digit: valid JSON. Its value is
 * exactly the result of `Number` for its text.
 */
export class PlainCells {
  bytes: Buffer = Buffer.alloc(0);
  count = 0;
  readonly #delimiter: number;
  /** For each cell: start and end in the bytes, its kind, and its value if it is a number. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  readonly kinds: Uint8Array;
  readonly values: Float64Array;

  private constructor(delimiter: number, columns: number) {
    this.#delimiter = delimiter;
    const capacity = columns + 8;
    this.starts = new Int32Array(capacity);
    this.ends = new Int32Array(capacity);
    this.kinds = new Uint8Array(capacity);
    this.values = new Float64Array(capacity);
  }

  /** Null for a delimiter that can be part of a number. */
  static for(delimiter: string, columns: number): PlainCells | null {
    return /^[^-\d.\0]$/.test(delimiter) ? new PlainCells(delimiter.charCodeAt(0), columns) : null;
  }

  /** The text of a cell. */
  text(index: number): string {
    return this.bytes.toString('latin1', this.starts[index], this.ends[index]);
  }

  /** All cells as texts. */
  texts(): string[] {
    return Array.from({ length: this.count }, (_, index) => this.text(index));
  }

  /**
   * Splits a record without quotation marks into cells.
   * @returns false if it has non-ASCII bytes, NUL, a cell that begins with an apostrophe, which may be an escape, or many
   * more cells than there are columns
   */
  split(bytes: Buffer, start: number, end: number): boolean {
    this.bytes = bytes;
    const { starts, ends, kinds, values } = this;
    const delimiter = this.#delimiter;
    const capacity = starts.length;
    let at = start;
    for (let count = 0; count < capacity; count++) {
      const first = at;
      const negative = bytes[at] === minus && at < end;
      if (negative) at++;
      const digitsFrom = at;
      let value = 0;
      let unit = 0;
      while (at < end && (unit = (bytes[at] ?? 0) - zero) >= 0 && unit <= 9) {
        value = value * 10 + unit;
        at++;
      }
      const whole = at - digitsFrom;
      let fraction = 0;
      let kind: number = plainKinds.integer;
      if (whole > 0 && at < end && bytes[at] === point) {
        const from = ++at;
        while (at < end && (unit = (bytes[at] ?? 0) - zero) >= 0 && unit <= 9) {
          value = value * 10 + unit;
          at++;
        }
        fraction = at - from;
        kind = fraction === 0 ? other : plainKinds.number;
      }
      if (at < end && bytes[at] !== delimiter) {
        kind = other;
        if (bytes[first] === apostrophe) return false;
        for (; at < end; at++) {
          const byte = bytes[at] ?? 0;
          if (byte === delimiter) break;
          if (byte === 0 || byte >= 0x80) return false;
        }
      } else if (at === first) kind = plainKinds.empty;
      else if (whole === 0 || (whole > 1 && bytes[digitsFrom] === zero) || whole + fraction > maxDigits)
        kind = other;
      if (kind === plainKinds.integer || kind === plainKinds.number) {
        // Both operands are exact, so the quotient is rounded once, like parsing the text.
        const magnitude = fraction === 0 ? value : value / (powers[fraction] ?? 1);
        values[count] = negative ? -magnitude : magnitude;
      }
      starts[count] = first;
      ends[count] = at;
      kinds[count] = kind;
      if (at >= end) {
        this.count = count + 1;
        return true;
      }
      at++;
    }
    return false;
  }
}
