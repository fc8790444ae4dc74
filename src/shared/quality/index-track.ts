/** The places at which the index of a series advances in one direction, and what is missing between them. */
export interface IndexTrack {
  readonly sign: 1 | -1;
  /** The highest index so far, times the sign. */
  frontier: number;
  advances: number;
  /** The number of advances by each distance, rounded; see {@link roundStep}. */
  readonly steps: Map<number, number>;
  /** Advances by the rarest distances beyond the maximum number of distinct ones: those of similar length together. */
  readonly similar: Map<number, { count: number; sum: number }>;
  lastStep: number;
  lastCount: number;
  /** Advances that may be gaps, in order; those beyond the maximum are the shortest. */
  froms: number[];
  tos: number[];
  /** Only longer advances are candidates. */
  minCandidate: number;
}

const maxDistinctSteps = 4096;
/** Distances within this ratio are together when there are too many distinct ones. */
const similarRatio = 1.01;
/** The maximum number of gaps of a series in a report. */
export const maxGaps = 1000;

/** A tenth of a millimeter, or less than a millisecond: smaller differences are noise of the numbers. */
export const roundStep = (step: number): number => Math.round(step * 10_000) / 10_000;

/** The state of an index before its first record. @param sign 1: it increases; -1: it decreases */
export const createTrack = (sign: 1 | -1): IndexTrack => ({
  sign,
  frontier: Number.NaN,
  advances: 0,
  steps: new Map(),
  similar: new Map(),
  lastStep: Number.NaN,
  lastCount: 0,
  froms: [],
  tos: [],
  minCandidate: 0,
});

/** Records the next index of a series. */
export function trackIndex(track: IndexTrack, index: number): void {
  const at = index * track.sign;
  const { frontier } = track;
  if (at > frontier) {
    const step = at - frontier;
    track.frontier = at;
    track.advances += 1;
    countStep(track, roundStep(step));
    if (step > track.minCandidate) addCandidate(track, frontier, at);
  } else if (at < frontier) fillCandidate(track, at);
  else if (Number.isNaN(frontier)) track.frontier = at;
}

function countStep(track: IndexTrack, step: number): void {
  // Most steps repeat, and a map is slower than a comparison.
  if (step === track.lastStep) {
    track.lastCount += 1;
    return;
  }
  flushSteps(track);
  track.lastStep = step;
  track.lastCount = 1;
}

/** Adds the last repeated step to the map. */
function flushSteps(track: IndexTrack): void {
  if (track.lastCount > 0) changeCount(track, track.lastStep, track.lastCount);
  track.lastCount = 0;
}

function changeCount(track: IndexTrack, step: number, change: number): void {
  const { steps } = track;
  const count = steps.get(step) ?? 0;
  // A distance that is taken away may have moved to the similar ones.
  if (count + change < 0) changeSimilar(track, step, change);
  else if (count + change === 0) steps.delete(step);
  else steps.set(step, count + change);
  if (steps.size <= maxDistinctSteps) return;
  // Frequent distances stay exact.
  const rarest = [...steps].toSorted(([, a], [, b]) => a - b).slice(0, maxDistinctSteps / 2);
  for (const [rare, times] of rarest) {
    steps.delete(rare);
    changeSimilar(track, rare, times);
  }
}

function changeSimilar({ similar }: IndexTrack, step: number, change: number): void {
  const length = Math.floor(Math.log(step) / Math.log(similarRatio));
  const { count, sum } = similar.get(length) ?? { count: 0, sum: 0 };
  if (count + change === 0) similar.delete(length);
  else similar.set(length, { count: count + change, sum: sum + change * step });
}

function addCandidate(track: IndexTrack, from: number, to: number): void {
  track.froms.push(from);
  track.tos.push(to);
  if (track.froms.length < 2 * maxGaps) return;
  const order = track.froms
    .map((start, place) => ({ place, length: (track.tos[place] ?? 0) - start }))
    .toSorted((a, b) => b.length - a.length || a.place - b.place)
    .slice(0, maxGaps);
  track.minCandidate = order.at(-1)?.length ?? 0;
  const places = order.map(({ place }) => place).toSorted((a, b) => a - b);
  track.froms = places.map((place) => track.froms[place] ?? 0);
  track.tos = places.map((place) => track.tos[place] ?? 0);
}

/** A late record splits the gap that it is in. */
function fillCandidate(track: IndexTrack, at: number): void {
  const { froms, tos } = track;
  let low = 0;
  let high = froms.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((froms[middle] ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  const place = low - 1;
  const from = froms[place];
  const to = tos[place];
  if (from === undefined || to === undefined || at <= from || at >= to) return;
  flushSteps(track);
  changeCount(track, roundStep(to - from), -1);
  changeCount(track, roundStep(at - from), 1);
  changeCount(track, roundStep(to - at), 1);
  froms.splice(place, 1, from, at);
  tos.splice(place, 1, at, to);
}

/** All distances with their counts, shortest first; similar ones beyond the maximum number by their mean. */
export function stepCounts(track: IndexTrack): [step: number, count: number][] {
  flushSteps(track);
  const means = [...track.similar.values()].map(({ count, sum }): [number, number] => [
    roundStep(sum / count),
    count,
  ]);
  return [...track.steps, ...means].toSorted(([a], [b]) => a - b);
}

/** Steps within this ratio belong together: clocks and depth counters jitter. */
const binRatio = 1.1;
/** The smallest share of the steps that must be near the most frequent one; else the index is irregular. */
const minRegularShare = 0.5;

/**
 * The most frequent step: the most frequent distance of the most frequent range of distances.
 * @returns null if the index is irregular, or has no two places
 */
export function frequentStep(counts: readonly (readonly [step: number, count: number])[]): number | null {
  const bins = new Map<number, number>();
  let all = 0;
  for (const [step, count] of counts) {
    if (step <= 0) continue;
    const bin = Math.floor(Math.log(step) / Math.log(binRatio));
    bins.set(bin, (bins.get(bin) ?? 0) + count);
    all += count;
  }
  let bestBin = 0;
  let bestCount = 0;
  for (const bin of bins.keys()) {
    const count = (bins.get(bin) ?? 0) + (bins.get(bin + 1) ?? 0);
    if (count > bestCount || (count === bestCount && bin < bestBin)) [bestBin, bestCount] = [bin, count];
  }
  if (bestCount === 0) return null;
  const inBin = counts.filter(
    ([step]) => step > 0 && [0, 1].includes(Math.floor(Math.log(step) / Math.log(binRatio)) - bestBin),
  );
  const [first] = inBin.toSorted(([a, countA], [b, countB]) => countB - countA || a - b);
  if (!first) return null;
  const [step] = first;
  const near = counts.reduce((sum, [other, count]) => sum + (isNearStep(other, step) ? count : 0), 0);
  return near >= all * minRegularShare ? step : null;
}

const isNearStep = (distance: number, step: number): boolean => distance >= step / 2 && distance < step * 1.5;

/** The number of records missing between two places. */
const missingBetween = (distance: number, step: number): number =>
  Math.max(0, Math.round(roundStep(distance) / step) - 1);

/** The longest distance between two records; null: there are no two. */
export function maxDistanceOf({ froms, tos, sign }: IndexTrack): { from: number; to: number } | null {
  let longest: { from: number; to: number } | null = null;
  for (const [place, from] of froms.entries()) {
    const to = tos[place] ?? from;
    if (longest === null || to - from > longest.to - longest.from) longest = { from, to };
  }
  return longest === null || sign === 1 ? longest : { from: -longest.to, to: -longest.from };
}

interface TrackGaps {
  /** The longest, in order of the index. */
  readonly gaps: readonly { readonly from: number; readonly to: number; readonly missing: number }[];
  readonly count: number;
  readonly missing: number;
}

/** The gaps between the records of a series. */
export function gapsOf(track: IndexTrack, step: number): TrackGaps {
  flushSteps(track);
  let count = 0;
  let missing = 0;
  for (const [distance, times] of track.steps) {
    const between = missingBetween(distance, step);
    if (between === 0) continue;
    count += times;
    missing += times * between;
  }
  for (const { count: times, sum } of track.similar.values()) {
    if (missingBetween(sum / times, step) === 0) continue;
    count += times;
    missing += Math.max(times, Math.round(sum / step) - times);
  }
  const listed = track.froms
    .map((from, place) => ({ from, to: track.tos[place] ?? from }))
    .map((gap) => ({ ...gap, missing: missingBetween(gap.to - gap.from, step) }))
    .filter((gap) => gap.missing > 0);
  const longest =
    listed.length > maxGaps
      ? listed.toSorted((a, b) => b.missing - a.missing || a.from - b.from).slice(0, maxGaps)
      : listed;
  const gaps = longest.map(({ from, to, missing }) =>
    track.sign === 1 ? { from, to, missing } : { from: -to, to: -from, missing },
  );
  return { gaps: gaps.toSorted((a, b) => a.from - b.from), count, missing };
}
