/** Numbers that follow from a seed. */
export class Chance {
  #state: number;

  constructor(seed: number) {
    // Neighboring seeds must not begin alike.
    this.#state = Math.imul(seed ^ 0x5bd1e995, 0x9e3779b1) >>> 0;
    for (let n = 0; n < 4; n += 1) this.next();
  }

  /** From 0 up to 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from `min` to `max`. */
  integer(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1));
  }

  /** An integer from `min` to `max`, small ones as likely as large ones. */
  scale(min: number, max: number): number {
    return Math.min(max, Math.floor(min * ((max + 1) / min) ** this.next()));
  }

  is(rate: number): boolean {
    return this.next() < rate;
  }

  pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() * items.length)];
    if (item === undefined) throw new Error('there is nothing to pick');
    return item;
  }

  bytes(length: number): Buffer {
    return Buffer.from(Array.from({ length }, () => Math.floor(this.next() * 256)));
  }
}
