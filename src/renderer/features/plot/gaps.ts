import {
  createTrack,
  frequentStep,
  gapsOf,
  stepCounts,
  trackIndex,
} from '../../../shared/quality/index-track.ts';
import type { Line } from './lines.ts';
import { placeOf, type Points, type Range } from './thin.ts';

/** The ranges in which records of each group are missing, by its usual step; at most 1,000 of each. */
export type GroupGaps = ReadonlyMap<number, readonly Range[]>;

/** The gaps of each group: between its records, and beyond them. */
export function gapsByGroup(lines: readonly Pick<Line, 'x' | 'group'>[]): GroupGaps {
  const byGroup = new Map(lines.map((line) => [line.group, line.x]));
  return new Map([...byGroup].map(([group, x]) => [group, gapsOfGroup(x)]));
}

/** The ranges of a plot's axis in which no group has a record: where one has none, another may have some. */
export function commonGaps(gaps: GroupGaps): readonly Range[] {
  const [first = [], ...otherGaps] = gaps.values();
  return otherGaps.reduce((common, ranges) => intersection(common, ranges), first);
}

/** The points of a line with one more, without a value, in the middle of each gap: the line is broken there. */
export function brokenAt<T extends Points>(line: T, gaps: readonly Range[]): T {
  const between = gaps.filter(({ from, to }) => Number.isFinite(from) && Number.isFinite(to));
  if (between.length === 0) return line;
  const x = new Float64Array(line.x.length + between.length);
  const y = new Float64Array(x.length);
  let read = 0;
  between.forEach(({ from, to }, at) => {
    const end = placeOf(line.x, from, true);
    x.set(line.x.subarray(read, end), read + at);
    y.set(line.y.subarray(read, end), read + at);
    x[end + at] = (from + to) / 2;
    y[end + at] = Number.NaN;
    read = end;
  });
  x.set(line.x.subarray(read), read + between.length);
  y.set(line.y.subarray(read), read + between.length);
  return { ...line, x, y };
}

function gapsOfGroup(x: Float64Array): Range[] {
  const track = createTrack(1);
  for (const at of x) trackIndex(track, at);
  const [first] = x;
  const step = frequentStep(stepCounts(track));
  const between = step === null ? [] : gapsOf(track, step).gaps.map(({ from, to }) => ({ from, to }));
  if (first === undefined) return [{ from: -Infinity, to: Infinity }];
  return [{ from: -Infinity, to: first }, ...between, { from: track.frontier, to: Infinity }];
}

/** The ranges that are in both lists; both are in order. */
function intersection(ranges: readonly Range[], others: readonly Range[]): readonly Range[] {
  const common: Range[] = [];
  let [a, b] = [0, 0];
  while (a < ranges.length && b < others.length) {
    const [left, right] = [ranges[a], others[b]];
    if (!left || !right) break;
    const range = { from: Math.max(left.from, right.from), to: Math.min(left.to, right.to) };
    if (range.to > range.from) common.push(range);
    if (left.to < right.to) a += 1;
    else b += 1;
  }
  return common;
}
