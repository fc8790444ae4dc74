/** A well-mixed 32-bit hash of up to four integers: the same numbers always give the same hash. */
export function hash(a: number, b = 0, c = 0, d = 0): number {
  const rest = Math.imul(b, 0x85ebca6b) + Math.imul(c, 0xc2b2ae35) + Math.imul(d, 0x27d4eb2f);
  return mix(mix(a ^ 0x9e3779b9) + rest) >>> 0;
}

function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x7feb352d);
  h = Math.imul(h ^ (h >>> 15), 0x846ca68b);
  return h ^ (h >>> 16);
}

/** A number from 0 (inclusive) to 1 (exclusive) that depends only on the given integers. */
export function unit(a: number, b = 0, c = 0, d = 0): number {
  return hash(a, b, c, d) / 4294967296;
}

/**
 * A smooth curve through hashed points, from -1 to 1: nearby points are similar, points `period` apart are independent.
 */
export function wave(seed: number, at: number, period: number): number {
  const position = at / period;
  const left = Math.floor(position);
  const share = position - left;
  const smooth = share * share * (3 - 2 * share);
  const a = unit(seed, left);
  return (a + (unit(seed, left + 1) - a) * smooth) * 2 - 1;
}

/** A hash of a text, for seeds named by words. */
export function hashText(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  return h >>> 0;
}

/** A sequence of random numbers that is the same for the same seed. */
export class Random {
  #seed: number;
  #drawn = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#drawn += 1;
    return unit(this.#seed, this.#drawn);
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** An integer from `low` to `high`, both inclusive. */
  integer(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(share: number): boolean {
    return this.next() < share;
  }
}

/** A number rounded to the given number of decimals. */
export function round(value: number, decimals: number): number {
  const factor = 10 ** decimals;
  return Math.round(value * factor) / factor;
}

/** The element of a list at an index, from the start again after its end. */
export const cycled = <T>(list: readonly T[], at: number): T => list[at % list.length]!;
