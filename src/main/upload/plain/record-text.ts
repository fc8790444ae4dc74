const comma = 0x2c;
const open = 0x7b;
const close = 0x7d;
/** Maximum length of a text that is written faster character by character. */
const shortText = 24;

/** A growing buffer of JSON text in UTF-8. */
export class RecordText {
  #bytes: Buffer = Buffer.allocUnsafe(64 << 10);
  /** Length of the content; bytes after it can be overwritten. */
  length = 0;

  /** The content from a position on, as text. */
  text(from: number): string {
    return this.#bytes.toString('utf8', from, this.length);
  }

  /** A copy of the content. */
  copy(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(0, this.length));
  }

  comma(): void {
    this.byte(comma);
  }

  open(): void {
    this.byte(open);
  }

  close(): void {
    this.byte(close);
  }

  byte(byte: number): void {
    if (this.length === this.#bytes.length) this.#grow(1);
    this.#bytes[this.length++] = byte;
  }

  /** Appends bytes from another buffer; for short ranges. */
  bytes(from: Uint8Array, start: number, end: number): void {
    if (this.length + end - start > this.#bytes.length) this.#grow(end - start);
    const into = this.#bytes;
    let { length } = this;
    for (let at = start; at < end; at++) into[length++] = from[at] ?? 0;
    this.length = length;
  }

  string(text: string): void {
    if (this.length + text.length * 3 > this.#bytes.length) this.#grow(text.length * 3);
    if (text.length <= shortText && this.#ascii(text)) return;
    this.length += this.#bytes.write(text, this.length, 'utf8');
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

  #grow(more: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + more));
    this.#bytes.copy(larger, 0, 0, this.length);
    this.#bytes = larger;
  }
}
