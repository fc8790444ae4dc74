/** Ranges longer than this, in bytes, are copied by a call; shorter ones in a loop, which is faster for them. */
const longRange = 48;
/** Texts up to this length are written faster character by character. */
const shortText = 24;

/** A growing buffer of text in UTF-8, composed of ranges of other bytes and of strings, without a string for each part. */
export class TextBuffer {
  #bytes: Buffer = Buffer.allocUnsafe(64 << 10);
  /** Length of the content, in bytes; bytes after it can be overwritten. */
  length = 0;

  /** The buffer to write to, from {@link length} up to what was reserved. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  byte(byte: number): void {
    if (this.length === this.#bytes.length) this.reserve(1);
    this.#bytes[this.length++] = byte;
  }

  range(source: Uint8Array, start: number, end: number): void {
    this.reserve(end - start);
    const into = this.#bytes;
    let { length } = this;
    if (end - start > longRange) {
      into.set(source.subarray(start, end), length);
      length += end - start;
    } else for (let at = start; at < end; at++) into[length++] = source[at] ?? 0;
    this.length = length;
  }

  text(text: string): void {
    this.reserve(text.length * 3);
    if (text.length <= shortText && this.#ascii(text)) return;
    this.length += this.#bytes.write(text, this.length, 'utf8');
  }

  /** The content from a position on, as text. */
  textFrom(start: number): string {
    return this.#bytes.toString('utf8', start, this.length);
  }

  copy(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.length));
  }

  /** Returns the content, valid until the next addition, and empties the buffer. */
  take(): Uint8Array {
    const content = this.#bytes.subarray(0, this.length);
    this.length = 0;
    return content;
  }

  /** Reserves space, in bytes; {@link bytes} stays valid until other content is added. */
  reserve(bytes: number): void {
    if (this.length + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + bytes));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }

  /** Writes an ASCII text; false, with nothing written, if it has other characters. */
  #ascii(text: string): boolean {
    let { length } = this;
    for (let at = 0; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit >= 0x80) return false;
      this.#bytes[length++] = unit;
    }
    this.length = length;
    return true;
  }
}
