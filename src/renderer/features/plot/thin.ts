import { placeOf } from '../../ui/plot/nearest.ts';

/** Points in the order of their x; NaN for y: no value, and the line has a gap. */
export interface Points {
  readonly x: Float64Array<ArrayBuffer>;
  readonly y: Float64Array<ArrayBuffer>;
}

/** Points with the extremes of each {@link blockLength} of them, so that many points in one pixel are read quickly. */
export interface BlockedPoints extends Points {
  /** The index of the first minimum of each block, and of its first maximum; -1: a point has no value. */
  readonly lowest: Int32Array;
  readonly highest: Int32Array;
}

const blockLength = 16;

/**
 * Finds the extremes of each block of points.
 * @param points in the order of their x
 * @returns the same points, with the extremes; a last block that isn't complete has none
 */
export function inBlocks<T extends Points>(points: T): T & BlockedPoints {
  const { y } = points;
  const lowest = new Int32Array(Math.floor(y.length / blockLength)).fill(-1);
  const highest = lowest.slice();
  for (let block = 0; block < lowest.length; block += 1) {
    const start = block * blockLength;
    let [low, high] = [start, start];
    for (let at = start; at < start + blockLength; at += 1) {
      const value = y[at] ?? Number.NaN;
      if (Number.isNaN(value)) {
        low = -1;
        break;
      }
      if (value < (y[low] ?? 0)) low = at;
      if (value > (y[high] ?? 0)) high = at;
    }
    lowest[block] = low;
    highest[block] = high;
  }
  return { ...points, lowest, highest };
}

/** A part of an axis, inclusive of both ends. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** The points to draw for a part of the axis. */
export interface Thinned extends Points {
  /** Whether every point of the part is included. */
  readonly exact: boolean;
  /** Minimum and maximum value of all points of the part, drawn or not; null: none. */
  readonly values: Range | null;
}

const most = 4;

/**
 * Downsamples points to the resolution of the screen: of each pixel's points the first, the last, the minimum, and the
 * maximum, so at most four, in order and with all gaps. A part with fewer points is returned completely. One point on
 * either side of the part is added, so that the line continues beyond the frame.
 * @param pixels width of the part in pixels
 */
export function thin(points: Points | BlockedPoints, { from, to }: Range, pixels: number): Thinned {
  const { x, y } = points;
  const begin = placeOf(x, from);
  const end = placeOf(x, to, true);
  const first = Math.max(begin - 1, 0);
  const last = Math.min(end + 1, x.length);
  if (end - begin <= most * pixels) {
    const drawn = { x: x.slice(first, last), y: y.slice(first, last) };
    return { ...drawn, exact: true, values: extremes(y, begin, end) };
  }
  return byPixel(points, { first, begin, end, last }, { from, to }, pixels);
}

function extremes(y: Float64Array<ArrayBuffer>, begin: number, end: number): Range | null {
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (let at = begin; at < end; at += 1) {
    const value = y[at] ?? Number.NaN;
    if (value < from) from = value;
    if (value > to) to = value;
  }
  return from <= to ? { from, to } : null;
}

interface Part {
  readonly first: number;
  readonly begin: number;
  readonly end: number;
  readonly last: number;
}

/** Collects indexes of points; adds a gap between two points that have one between them. */
class Kept {
  readonly #points: Points;
  readonly #x: Float64Array<ArrayBuffer>;
  readonly #y: Float64Array<ArrayBuffer>;
  #length = 0;
  #newest = -1;

  constructor(points: Points, room: number) {
    this.#points = points;
    this.#x = new Float64Array(room);
    this.#y = new Float64Array(room);
  }

  /** @param gap index of the last gap before the point; -1: none */
  add(at: number, gap: number): void {
    if (at <= this.#newest) return;
    const { x, y } = this.#points;
    if (gap > this.#newest && gap !== at && this.#length > 0) this.#put(x[gap], Number.NaN);
    this.#put(x[at], y[at]);
    this.#newest = at;
  }

  #put(x: number | undefined, y: number | undefined): void {
    this.#x[this.#length] = x ?? Number.NaN;
    this.#y[this.#length] = y ?? Number.NaN;
    this.#length += 1;
  }

  points(): Points {
    return { x: this.#x.slice(0, this.#length), y: this.#y.slice(0, this.#length) };
  }
}

function byPixel(points: Points | BlockedPoints, part: Part, { from, to }: Range, pixels: number): Thinned {
  const { x, y } = points;
  const blocks = 'lowest' in points ? points : null;
  const { first, begin, end, last } = part;
  // Each of the four can have a gap before it.
  const kept = new Kept(points, 2 * most * (pixels + 2) + 4);
  let values: { from: number; to: number } | null = null;
  let gap = -1;
  if (begin > first) {
    if (Number.isNaN(y[first])) gap = first;
    else kept.add(first, -1);
  }
  // A part without a length is one pixel.
  const perUnit = to > from ? pixels / (to - from) : 0;
  let at = begin;
  while (at < end) {
    // One pixel: from its left edge to that of the next one.
    const pixel = Math.min(Math.floor(((x[at] ?? from) - from) * perUnit), pixels - 1);
    const edge =
      pixel >= pixels - 1 || perUnit === 0 ? Number.POSITIVE_INFINITY : from + (pixel + 1) / perUnit;
    let firstAt = -1;
    let lastAt = -1;
    let lowAt = -1;
    let highAt = -1;
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    let firstGap = gap;
    let lowGap = gap;
    let highGap = gap;
    let lastGap = gap;
    do {
      // A complete block within the pixel is read by its extremes, otherwise a point by itself.
      let lowestAt = at;
      let highestAt = at;
      let next = at + 1;
      if (blocks && at % blockLength === 0) {
        const blockLowest = blocks.lowest[at / blockLength] ?? -1;
        const after = at + blockLength;
        if (blockLowest >= 0 && after <= end && (x[after - 1] ?? Number.NaN) < edge) {
          lowestAt = blockLowest;
          highestAt = blocks.highest[at / blockLength] ?? -1;
          next = after;
        }
      }
      const lowest = y[lowestAt] ?? Number.NaN;
      const highest = y[highestAt] ?? Number.NaN;
      // Both comparisons are false for NaN.
      if (lowest >= low || lowest < low) {
        if (firstAt < 0) {
          firstAt = at;
          firstGap = gap;
        }
        if (lowest < low) {
          low = lowest;
          lowAt = lowestAt;
          lowGap = gap;
        }
        if (highest > high) {
          high = highest;
          highAt = highestAt;
          highGap = gap;
        }
        lastAt = next - 1;
        lastGap = gap;
      } else gap = at;
      at = next;
    } while (at < end && (x[at] ?? Number.NaN) < edge);
    if (firstAt < 0) continue;
    kept.add(firstAt, firstGap);
    if (lowAt <= highAt) {
      kept.add(lowAt, lowGap);
      kept.add(highAt, highGap);
    } else {
      kept.add(highAt, highGap);
      kept.add(lowAt, lowGap);
    }
    kept.add(lastAt, lastGap);
    if (values === null) values = { from: low, to: high };
    else {
      if (low < values.from) values.from = low;
      if (high > values.to) values.to = high;
    }
  }
  if (end < last && !Number.isNaN(y[end])) kept.add(end, gap);
  return { ...kept.points(), exact: false, values };
}
