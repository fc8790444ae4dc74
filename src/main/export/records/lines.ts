const firstLength = 1024 * 1024;
/** Longer ranges are copied by a call, shorter ones byte by byte: a call costs more than so many bytes. */
const longRange = 48;

/** Text that is put together of parts of a page and of texts, as bytes, without a string for each part. */
export class Lines {
  #bytes = Buffer.allocUnsafe(firstLength);
  #length = 0;

  /** In bytes. */
  get length(): number {
    return this.#length;
  }

  byte(byte: number): void {
    this.#need(1);
    this.#bytes[this.#length] = byte;
    this.#length += 1;
  }

  /** A part of other bytes, as it is. */
  range(source: Uint8Array, start: number, end: number): void {
    const length = end - start;
    this.#need(length);
    const bytes = this.#bytes;
    let to = this.#length;
    if (length > longRange) bytes.set(source.subarray(start, end), to);
    else for (let at = start; at < end; at += 1, to += 1) bytes[to] = source[at] ?? 0;
    this.#length += length;
  }

  text(text: string): void {
    this.#need(text.length * 3);
    this.#length += this.#bytes.write(text, this.#length);
  }

  /** Makes room for so many bytes; {@link bytes} are good until more is added in another way. */
  room(bytes: number): void {
    this.#need(bytes);
  }

  /** Where bytes may be put, from {@link length} on, as far as there was made {@link room}. */
  get bytes(): Uint8Array {
    return this.#bytes;
  }

  /** Says up to where bytes were put. */
  set length(length: number) {
    this.#length = length;
  }

  /** What was put together, good until the next part is added; begins anew. */
  take(): Uint8Array {
    const taken = this.#bytes.subarray(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #need(more: number): void {
    if (this.#length + more <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + more));
    this.#bytes.copy(larger, 0, 0, this.#length);
    this.#bytes = larger;
  }
}

/** A list of integers in memory that is used again: as objects, those of some pages would be megabytes of garbage. */
export class Ints {
  #values: Int32Array<ArrayBuffer>;
  #length = 0;

  /** @param spare the memory of a list that nobody needs any more */
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

  /** The integers so far; its memory is all of this list's. */
  taken(): Int32Array<ArrayBuffer> {
    return this.#values.subarray(0, this.#length);
  }

  #grow(): void {
    const larger = new Int32Array(this.#values.length * 2);
    larger.set(this.#values);
    this.#values = larger;
  }
}
