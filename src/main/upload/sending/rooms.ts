/** Rooms beyond these are left to the collector: more batches are not under way and prepared ahead together. */
const mostKept = 24;
/** What a body may exceed its budget by, for its last record. */
const slack = 64 << 10;

/**
 * Memory that bodies are written into by the thread that prepares them, and sent from by this one, over and over. A body
 * with memory of its own would cost a whole collection every few batches, and fresh pages each time. The memory is shared,
 * never handed over: whatever a connection still reads of it stays readable.
 */
export class Rooms {
  readonly #free: SharedArrayBuffer[] = [];

  /** Room for a body of so many bytes and its last record. */
  take(bytes: number): SharedArrayBuffer {
    const needed = bytes + slack;
    const found = this.#free.findIndex(({ byteLength }) => byteLength >= needed);
    const [room] = found < 0 ? [] : this.#free.splice(found, 1);
    return room ?? new SharedArrayBuffer(needed);
  }

  /** What nobody reads any more; memory that did not come from here is left alone. */
  giveBack(memory: ArrayBufferLike | undefined): void {
    if (memory instanceof SharedArrayBuffer && this.#free.length < mostKept) this.#free.push(memory);
  }
}
