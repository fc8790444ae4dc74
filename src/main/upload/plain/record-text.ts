const comma = 0x2c;
const open = 0x7b;
const close = 0x7d;
/** A text no longer than this is written faster letter by letter. */
const shortText = 24;

/** JSON text on its way, as UTF-8; grows as it needs to. */
export class RecordText {
  #bytes: Buffer = Buffer.allocUnsafe(64 << 10);
  /** How much stands in it; what is behind may be written over. */
  length = 0;

  /** What stands in it from a place on, as a text. */
  text(from: number): string {
    return this.#bytes.toString('utf8', from, this.length);
  }

  /** A copy of all that stands in it. */
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

  /** Bytes of another place, which are short. */
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

  /** Writes a text of ASCII alone; false, with nothing written, when it is another. */
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
