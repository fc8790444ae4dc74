import {
  createTrack,
  frequentStep,
  gapsOf,
  stepCounts,
  trackIndex,
} from '../../../shared/quality/index-track.ts';
import type { Line } from './lines.ts';
import type { Range } from './thin.ts';

/** The ranges of a plot's axis in which no well has a record, although its step demands some; at most 1,000. */
export function gapsOfLines(lines: readonly Pick<Line, 'x' | 'group'>[]): Range[] {
  const byGroup = new Map(lines.map((line) => [line.group, line.x]));
  const gaps = [...byGroup.values()].map(gapsOfGroup);
  // Where one well has no records, another may have them.
  return gaps.reduce((common, own) => intersection(common, own), gaps[0] ?? []);
}

/** The ranges without records of one well: between its records, and beyond them. */
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
function intersection(one: readonly Range[], other: readonly Range[]): Range[] {
  const common: Range[] = [];
  let [a, b] = [0, 0];
  while (a < one.length && b < other.length) {
    const [left, right] = [one[a], other[b]];
    if (!left || !right) break;
    const range = { from: Math.max(left.from, right.from), to: Math.min(left.to, right.to) };
    if (range.to > range.from) common.push(range);
    if (left.to < right.to) a += 1;
    else b += 1;
  }
  return common;
}
