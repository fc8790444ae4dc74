/** Shorter runs aren't counted, because most channels consist of them. */
export const minRunValues = 4;
const bucketCount = 28;
const bucketOf = (values: number): number => Math.min(bucketCount - 1, 31 - Math.clz32(values));

/** A run is like another one if it has at least about an eighth of its values. */
const similarBuckets = 3;
/** With so many similar runs, they are what the channel does, unless few of its values are in them. */
const usualRuns = 2;
const usualShare = 0.03;
/** A channel with a larger share of its other values in long runs moves in steps, such as a set point. */
const maxStepShare = 0.5;

/** The runs of equal values of one field of one well, by length: memory doesn't grow with the number of records. */
export interface RunLengths {
  /** Number of all values. */
  readonly values: number;
  /** For each power of two, the number of runs that are so long, and of the values in them; null: there is none. */
  long: { readonly runs: Uint32Array; readonly values: Float64Array } | null;
}

/** Adds a run of equal values. @param count number of its values, at least {@link minRunValues} */
export function addRun(lengths: RunLengths, count: number): void {
  lengths.long ??= { runs: new Uint32Array(bucketCount), values: new Float64Array(bucketCount) };
  const { runs, values } = lengths.long;
  const bucket = bucketOf(count);
  runs[bucket] = (runs[bucket] ?? 0) + 1;
  values[bucket] = (values[bucket] ?? 0) + count;
}

const sumFrom = (counts: ArrayLike<number>, bucket: number): number => {
  let sum = 0;
  for (let at = Math.max(0, bucket); at < bucketCount; at += 1) sum += counts[at] ?? 0;
  return sum;
};

/**
 * Whether a run is far longer than what the channel does otherwise, so its sensor may be stuck.
 * @param count number of values of a run that was added
 * @param minRecords the smallest number of values that can be a flat stretch
 */
export function isFlat({ values, long }: RunLengths, count: number, minRecords: number): boolean {
  const otherCount = values - count;
  if (long === null || count < minRecords || otherCount < minRecords) return false;
  const inLongRuns = sumFrom(long.values, bucketOf(minRecords)) - count;
  if (inLongRuns > otherCount * maxStepShare) return false;
  const similar = bucketOf(count) - similarBuckets;
  const similarRuns = sumFrom(long.runs, similar) - 1;
  const inSimilarRuns = sumFrom(long.values, similar) - count;
  return similarRuns < usualRuns || inSimilarRuns < otherCount * usualShare;
}
