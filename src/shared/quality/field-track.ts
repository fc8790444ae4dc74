import { isNullNumber } from '../upload/null-tokens.ts';
import { type RecordBatch, valueKinds } from './batch.ts';
import type { FlatStretch } from './quality-report.ts';

const maxBuckets = 1024;

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

/** Makes room for a range of the index. @param counts all arrays of counts, which move with the buckets */
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

/**
 * The values around the current one: the window in which a value is compared. Odd, so that it has a median; short enough
 * to follow a trend, long enough that an excursion of a few records leaves the median unchanged.
 */
const windowSize = 15;
const center = (windowSize - 1) / 2;
/** An excursion of more records isn't a spike but an event, such as a connection. */
const maxSpikeRecords = 3;
/** The median absolute deviation of normally distributed values, times this, is their standard deviation. */
const madScale = 1.4826;

/** Receives a value that deviates from those around it; `deviation`: from their median. */
type OnSpike = (index: number, value: number, deviation: number) => void;

/** The moving window of one field of one series. */
interface SpikeWindow {
  /** The last values and their indexes; the oldest is at `next`. */
  readonly values: Float64Array;
  readonly places: Float64Array;
  /** The values, ascending. */
  readonly sorted: Float64Array;
  size: number;
  next: number;
  readonly onSpike: OnSpike;
}

/** An empty window of the values around one. @param onSpike receives each spike */
const createSpikeWindow = (onSpike: OnSpike): SpikeWindow => ({
  values: new Float64Array(windowSize),
  places: new Float64Array(windowSize),
  sorted: new Float64Array(windowSize),
  size: 0,
  next: 0,
  onSpike,
});

/** Adds a value, and judges the one in the middle of the window. */
function addToWindow(window: SpikeWindow, index: number, value: number, threshold: number): void {
  const { values, places, sorted, next } = window;
  if (window.size < windowSize) {
    let at = window.size;
    while (at > 0 && (sorted[at - 1] ?? 0) > value) {
      sorted[at] = sorted[at - 1] ?? 0;
      at -= 1;
    }
    sorted[at] = value;
    values[next] = value;
    places[next] = index;
    window.size += 1;
    window.next = (next + 1) % windowSize;
    // The first values have no full window of their own, and share the first one.
    if (window.size === windowSize)
      for (let place = 0; place <= center; place += 1) judge(window, place, threshold);
    return;
  }
  const leaving = values[next] ?? 0;
  values[next] = value;
  places[next] = index;
  window.next = next + 1 === windowSize ? 0 : next + 1;
  if (leaving !== value) {
    let at = 0;
    while (sorted[at] !== leaving) at += 1;
    while (at < windowSize - 1 && (sorted[at + 1] ?? 0) < value) {
      sorted[at] = sorted[at + 1] ?? 0;
      at += 1;
    }
    while (at > 0 && (sorted[at - 1] ?? 0) > value) {
      sorted[at] = sorted[at - 1] ?? 0;
      at -= 1;
    }
    sorted[at] = value;
  }
  const judged = window.next + center;
  judge(window, judged >= windowSize ? judged - windowSize : judged, threshold);
}

/** Judges the last values, which have no full window of their own. */
function endWindow(window: SpikeWindow, threshold: number): void {
  if (window.size < windowSize) return;
  for (let after = center + 1; after < windowSize; after += 1)
    judge(window, (window.next + after) % windowSize, threshold);
}

function judge({ values, places, sorted, onSpike }: SpikeWindow, place: number, threshold: number): void {
  const value = values[place] ?? 0;
  const median = sorted[center] ?? 0;
  const deviation = Math.abs(value - median);
  if (deviation === 0) return;
  // The MAD is at least the distance to the nearer quartile, which needs no search.
  const lower = median - (sorted[center - 4] ?? 0);
  const upper = (sorted[center + 4] ?? 0) - median;
  const limit = threshold * madScale;
  if (deviation <= limit * Math.min(lower, upper)) return;
  const maxDeviation = limit * madOf(sorted, median);
  if (deviation <= maxDeviation) return;
  let beyond = 0;
  for (const other of sorted)
    if (Math.abs(other - median) > Math.max(maxDeviation, deviation / 4)) beyond += 1;
  if (beyond <= maxSpikeRecords) onSpike(places[place] ?? 0, value, deviation);
}

/** The median absolute deviation of sorted values: the eighth of fifteen distances, merged from the middle. */
function madOf(sorted: Float64Array, median: number): number {
  let low = center;
  let high = center + 1;
  let distance = 0;
  for (let count = 0; count <= center; count += 1) {
    const below = low >= 0 ? median - (sorted[low] ?? 0) : Infinity;
    const above = high < windowSize ? (sorted[high] ?? 0) - median : Infinity;
    if (below <= above) {
      distance = below;
      low -= 1;
    } else {
      distance = above;
      high += 1;
    }
  }
  return distance;
}

/** Shorter runs aren't counted, because most channels consist of them. */
const minRunValues = 4;
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
interface RunLengths {
  /** Number of all values. */
  readonly values: number;
  /** For each power of two, the number of runs that are so long, and of the values in them; null: there is none. */
  long: { readonly runs: Uint32Array; readonly values: Float64Array } | null;
}

/** Adds a run of equal values. @param count number of its values, at least {@link minRunValues} */
function addRun(lengths: RunLengths, count: number): void {
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
function isFlat({ values, long }: RunLengths, count: number, minRecords: number): boolean {
  const otherCount = values - count;
  if (long === null || count < minRecords || otherCount < minRecords) return false;
  const inLongRuns = sumFrom(long.values, bucketOf(minRecords)) - count;
  if (inLongRuns > otherCount * maxStepShare) return false;
  const similar = bucketOf(count) - similarBuckets;
  const similarRuns = sumFrom(long.runs, similar) - 1;
  const inSimilarRuns = sumFrom(long.values, similar) - count;
  return similarRuns < usualRuns || inSimilarRuns < otherCount * usualShare;
}

/** The maximum number of flat stretches, spikes, and values outside limits of a field in a report. */
const maxPlaces = 100;
/** A field with at most this many distinct values is a code or a state, which stays and jumps by nature. */
const maxStates = 16;
/** Spikes of a field are decided at the end, when the spread of its values is known. */
const maxCandidates = 2000;
const sampleSize = 512;
/** A spike deviates by at least this share of the range between the 2nd and the 98th percentile. */
const minSpreadShare = 0.5;
/** Each field of each well takes some hundred bytes; in further ones, flat stretches and spikes aren't looked for. */
const maxRuns = 60_000;

export interface FieldLimits {
  readonly min: number;
  readonly max: number;
}

export interface CheckOptions {
  /** A spike deviates by more than this many robust standard deviations. */
  readonly spikeThreshold: number;
  /** The smallest number of equal values that can be a flat stretch. */
  readonly minFlatRecords: number;
}

/** The last values of one field of one well. */
interface Run {
  readonly series: number;
  values: number;
  last: number;
  since: number;
  lastAt: number;
  count: number;
  long: RunLengths['long'];
  readonly window: SpikeWindow;
}

interface Place {
  readonly series: number;
  readonly at: number;
  readonly value: number;
}

interface SpikeCandidate extends Place {
  readonly deviation: number;
}

interface FlatRun extends Omit<FlatStretch, 'well'> {
  readonly series: number;
  readonly run: RunLengths;
}

export interface FieldTrack {
  readonly name: string;
  readonly limits: FieldLimits | null;
  /** Whether flat stretches and spikes are looked for. */
  readonly isMeasured: boolean;
  tokens: number;
  /** Number of values by kind. */
  readonly kinds: number[];
  first: number;
  last: number;
  min: number;
  max: number;
  outside: number;
  readonly outsidePlaces: Place[];
  /** Distinct numbers; null: more than {@link maxStates}. */
  states: Set<number> | null;
  /** By series; null: it has none, because there are too many. */
  readonly runs: (Run | null | undefined)[];
  /** The number of series with numbers that have no run. */
  uncheckedSeries: number;
  flats: FlatRun[];
  candidates: SpikeCandidate[];
  candidateCount: number;
  /** Every nth number. */
  readonly sample: Float64Array;
  sampleCount: number;
  sampleStride: number;
  untilSample: number;
  readonly present: Uint32Array;
}

/**
 * The state of a field before its first value.
 * @param limits values that are physically possible; null: unknown
 * @param isMeasured whether flat lines and spikes are searched
 */
export const createField = (name: string, limits: FieldLimits | null, isMeasured: boolean): FieldTrack => ({
  name,
  limits,
  isMeasured,
  tokens: 0,
  kinds: Array.from({ length: 7 }, () => 0),
  first: Infinity,
  last: -Infinity,
  min: Infinity,
  max: -Infinity,
  outside: 0,
  outsidePlaces: [],
  states: new Set(),
  runs: [],
  uncheckedSeries: 0,
  flats: [],
  candidates: [],
  candidateCount: 0,
  sample: new Float64Array(sampleSize),
  sampleCount: 0,
  sampleStride: 1,
  untilSample: 1,
  present: new Uint32Array(maxBuckets),
});

/** How many runs all fields have, and in how many series they can have one. */
interface RunsAllowed {
  runs: number;
  readonly maxSeries: number;
}

/** Adds the values of a batch. */
export function addValues(
  field: FieldTrack,
  { kinds, values }: RecordBatch['columns'][number],
  { rows, series }: RecordBatch,
  { places, buckets }: { readonly places: Float64Array; readonly buckets: Int32Array },
  options: CheckOptions,
  allowed: RunsAllowed,
): void {
  const { present, limits } = field;
  const low = limits?.min ?? -Infinity;
  const high = limits?.max ?? Infinity;
  let run: Run | null = null;
  let runSeries = -1;
  for (let row = 0; row < rows; row += 1) {
    const kind = kinds[row] ?? 0;
    if (kind <= valueKinds.null) continue;
    const value = values[row] ?? 0;
    if (kind === valueKinds.token || (kind === valueKinds.number && value <= -999 && isNullNumber(value))) {
      field.tokens += 1;
      continue;
    }
    field.kinds[kind] = (field.kinds[kind] ?? 0) + 1;
    const bucket = buckets[row] ?? -1;
    if (bucket >= 0) present[bucket] = (present[bucket] ?? 0) + 1;
    const at = places[row] ?? Number.NaN;
    if (at < field.first) field.first = at;
    if (at > field.last) field.last = at;
    if (kind !== valueKinds.number) continue;
    const number = series[row] ?? 0;
    if (number !== runSeries) {
      runSeries = number;
      const started = field.runs[number];
      run = started === undefined ? startRun(field, number, allowed) : started;
    }
    if (value < field.min) field.min = value;
    if (value > field.max) field.max = value;
    if (value < low || value > high) addOutside(field, number, at, value);
    // Without a place it is in no stretch and near no other value.
    if (!run) continue;
    run.values += 1;
    if (!Number.isNaN(at)) addNumber(field, run, at, value, options);
  }
}

function startRun(field: FieldTrack, series: number, allowed: RunsAllowed): Run | null {
  if (!field.isMeasured || series >= allowed.maxSeries) return null;
  if (allowed.runs >= maxRuns) {
    field.uncheckedSeries += 1;
    field.runs[series] = null;
    return null;
  }
  allowed.runs += 1;
  const window = createSpikeWindow(candidatesOf(field, series));
  const run = { series, values: 0, last: Number.NaN, since: 0, lastAt: 0, count: 0, long: null, window };
  field.runs[series] = run;
  return run;
}

function addOutside(field: FieldTrack, series: number, at: number, value: number): void {
  field.outside += 1;
  if (!Number.isNaN(at) && field.outsidePlaces.length < maxPlaces)
    field.outsidePlaces.push({ series, at, value });
}

function addNumber(field: FieldTrack, run: Run, at: number, value: number, options: CheckOptions): void {
  if (value === run.last) {
    run.count += 1;
    run.lastAt = at;
  } else {
    endFlat(field, run, options);
    run.last = value;
    run.since = at;
    run.lastAt = at;
    run.count = 1;
    if (field.states !== null && field.states.add(value).size > maxStates) field.states = null;
  }
  field.untilSample -= 1;
  if (field.untilSample === 0) addToSample(field, value);
  addToWindow(run.window, at, value, options.spikeThreshold);
}

function addToSample(field: FieldTrack, value: number): void {
  const { sample } = field;
  if (field.sampleCount === sampleSize) {
    // Every second one remains.
    for (let at = 0; at < sampleSize / 2; at += 1) sample[at] = sample[2 * at] ?? 0;
    field.sampleCount = sampleSize / 2;
    field.sampleStride *= 2;
  }
  sample[field.sampleCount] = value;
  field.sampleCount += 1;
  field.untilSample = field.sampleStride;
}

function endFlat(field: FieldTrack, run: Run, { minFlatRecords }: CheckOptions): void {
  const { count, since, lastAt, last, series } = run;
  if (count < minRunValues) return;
  addRun(run, count);
  if (count < minFlatRecords) return;
  field.flats.push({
    series,
    run,
    from: Math.min(since, lastAt),
    to: Math.max(since, lastAt),
    records: count,
    value: last,
  });
  // Removes the stretches that are usual for the channel so far, then the shortest.
  if (field.flats.length >= 20 * maxPlaces)
    field.flats = topFlats(
      field.flats.filter((flat) => isFlat(flat.run, flat.records, minFlatRecords)),
      10 * maxPlaces,
    );
}

const topFlats = (flats: readonly FlatRun[], count: number): FlatRun[] =>
  flats.toSorted((a, b) => b.to - b.from - (a.to - a.from) || a.from - b.from).slice(0, count);

const candidatesOf =
  (field: FieldTrack, series: number) =>
  (at: number, value: number, deviation: number): void => {
    field.candidateCount += 1;
    field.candidates.push({ series, at, value, deviation });
    if (field.candidates.length >= 2 * maxCandidates)
      field.candidates = topDeviations(field.candidates, maxCandidates);
  };

const topDeviations = (candidates: readonly SpikeCandidate[], count: number): SpikeCandidate[] =>
  candidates.toSorted((a, b) => b.deviation - a.deviation || a.at - b.at).slice(0, count);

interface FieldFindings {
  readonly flats: readonly FlatRun[];
  readonly flatCount: number;
  readonly spikes: number;
  readonly spikePlaces: readonly Place[];
}

/** Ends the checks of a field. */
export function endField(field: FieldTrack, options: CheckOptions): FieldFindings {
  for (const run of field.runs) {
    if (!run) continue;
    endFlat(field, run, options);
    endWindow(run.window, options.spikeThreshold);
  }
  const isState = field.states !== null;
  const minDeviation = minSpreadShare * spreadOf(field);
  const spikes = isState ? [] : field.candidates.filter(({ deviation }) => deviation > minDeviation);
  const spikePlaces = topDeviations(spikes, maxPlaces).toSorted((a, b) => a.at - b.at);
  const flats = isState
    ? []
    : field.flats.filter(({ run, records }) => isFlat(run, records, options.minFlatRecords));
  return {
    flats: topFlats(flats, maxPlaces).toSorted((a, b) => a.from - b.from),
    flatCount: flats.length,
    spikes: spikes.length,
    spikePlaces,
  };
}

function spreadOf({ sample, sampleCount }: FieldTrack): number {
  const sorted = sample.slice(0, sampleCount).sort();
  const at = (share: number): number => sorted[Math.floor(share * (sampleCount - 1))] ?? 0;
  return at(0.98) - at(0.02);
}
