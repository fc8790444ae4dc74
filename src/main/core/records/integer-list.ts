/** A list of integers in reusable memory: as objects they would be megabytes of garbage. */
export class IntegerList {
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
  addThree(first: number, second: number, third: number): void {
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
