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
export interface SpikeWindow {
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
export const createSpikeWindow = (onSpike: OnSpike): SpikeWindow => ({
  values: new Float64Array(windowSize),
  places: new Float64Array(windowSize),
  sorted: new Float64Array(windowSize),
  size: 0,
  next: 0,
  onSpike,
});

/** Adds a value, and judges the one in the middle of the window. */
export function addToWindow(window: SpikeWindow, index: number, value: number, threshold: number): void {
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
export function endWindow(window: SpikeWindow, threshold: number): void {
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
