/** The maximum number of buckets of the index. */
export const maxBuckets = 1024;

/**
 * Counts values by range of the index. The width of a bucket is a power of two, and buckets start at its multiples: when
 * the range grows, pairs of buckets merge, and the result is the same as with the final width from the start.
 */
export interface Buckets {
  width: number;
  /** The number of the first bucket: its start divided by the width. */
  first: number;
  /** The lowest and the highest index. */
  min: number;
  max: number;
  readonly rows: Uint32Array;
}

/** Less than a millisecond, and less than a resolution of depth. */
const minWidth = 2 ** -10;

/** Empty buckets over an index, of the least width; they widen as the index grows. */
export const createBuckets = (): Buckets => ({
  width: minWidth,
  first: 0,
  min: Infinity,
  max: -Infinity,
  rows: new Uint32Array(maxBuckets),
});

/**
 * Makes room for a range of the index.
 * @param counts all arrays of counts, which move with the buckets
 */
export function includeRange(
  buckets: Buckets,
  min: number,
  max: number,
  counts: readonly Uint32Array[],
): void {
  if (min >= buckets.min && max <= buckets.max) return;
  const isEmpty = buckets.min > buckets.max;
  const newMin = Math.min(buckets.min, min);
  const newMax = Math.max(buckets.max, max);
  let { width } = buckets;
  while (Math.floor(newMax / width) - Math.floor(newMin / width) >= maxBuckets) width *= 2;
  const first = Math.floor(newMin / width);
  if (!isEmpty && (width !== buckets.width || first !== buckets.first)) {
    const ratio = width / buckets.width;
    for (const array of counts) moveCounts(array, buckets.first, first, ratio);
  }
  buckets.width = width;
  buckets.first = first;
  buckets.min = newMin;
  buckets.max = newMax;
}

function moveCounts(counts: Uint32Array, oldFirst: number, first: number, ratio: number): void {
  const old = counts.slice();
  counts.fill(0);
  for (let bucket = 0; bucket < maxBuckets; bucket += 1) {
    const count = old[bucket] ?? 0;
    if (count === 0) continue;
    const target = Math.floor((oldFirst + bucket) / ratio) - first;
    counts[target] = (counts[target] ?? 0) + count;
  }
}

/** The number of buckets between the lowest and the highest index. */
export const usedBuckets = ({ min, max, width, first }: Buckets): number =>
  min > max ? 0 : Math.floor(max / width) - first + 1;
