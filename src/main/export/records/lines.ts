const firstLength = 1024 * 1024;
/**
 * Ranges longer than this, in bytes, are copied by a call; shorter ones in a loop, which is faster for them.
 */
const longRange = 48;

/** A byte buffer for text composed of parts of pages and strings, without a string for each part. */
export class Lines {
  #bytes = Buffer.allocUnsafe(firstLength);
  #length = 0;

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  byte(byte: number): void {
    this.#ensure(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  /** Adds a range of other bytes. */
  range(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.#ensure(length);
    const bytes = this.#bytes;
    let to = this.#length;
    if (length > longRange) bytes.set(source.subarray(start, end), to);
    else for (let at = start; at < end; at += 1, to += 1) bytes[to] = source[at] ?? 0;
    this.#length += length;
  }

  text(text: string): void {
    this.#ensure(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Reserves space, in bytes; {@link bytes} stays valid until other content is added. */
  reserve(bytes: number): void {
    this.#ensure(bytes);
  }

  /** The buffer to write to, from {@link length} up to the {@link reserve} reserved. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Sets the end of the written bytes. */
  set length(length: number) {
    this.#length = length;
  }

  /** Returns the content, valid until the next addition, and empties the buffer. */
  take(): Uint8Array {
    const content = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return content;
  }

  #ensure(extraBytes: number): void {
    if (this.#length + extraBytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + extraBytes));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** A list of integers in reusable memory: as objects they would be megabytes of garbage. */
export class Ints {
  #values: Int32Array<ArrayBuffer>;
  #length = 0;

  /**
   * @param spare memory of a list that is no longer used
   */
  constructor(spare: Int32Array<ArrayBuffer> = new Int32Array(1024)) {
    this.#values = spare;
  }

  get length(): number {
    return this.#length;
  }

  /** Adds three integers. */
  add(first: number, second: number, third: number): void {
    const at = this.#length;
    if (at + 3 > this.#values.length) this.#grow();
    const values = this.#values;
    values[at] = first;
    values[at + 1] = second;
    values[at + 2] = third;
    this.#length = at + 3;
  }

  /** The integers; the memory remains the list's. */
  content(): Int32Array<ArrayBuffer> {
    return this.#values.subarray(0, this.#length);
  }

  #grow(): void {
    const larger = new Int32Array(this.#values.length * 2);
    larger.set(this.#values);
    this.#values = larger;
  }
}
