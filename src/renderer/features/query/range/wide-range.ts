import { millisecondsOfMoment, parseMoment } from '../../../../shared/language/moments.ts';
import type { Bound, RangeField, RangeInText } from '../../../../shared/language/text/range.ts';

/** Ranges of more days than this offer a count first. */
export const maxDaysWithoutCount = 31;

function boundTime(bound: Bound | null, now: number): number | null {
  if (bound?.kind === 'time') return bound.ms;
  const moment = bound?.kind === 'moment' ? parseMoment(bound.written) : undefined;
  return typeof moment === 'object' ? (millisecondsOfMoment(moment, now, 'UTC') ?? null) : null;
}

/**
 * Whether a range is so wide that a count is worthwhile: no range, no start, or many days. Ranges that can't
 * be read don't count.
 * @param now Unix milliseconds
 */
export function isWideRange(range: RangeInText, { of }: RangeField, now: number): boolean {
  if (range.kind === 'odd') return false;
  const { from, to } = range;
  if (of === 'depth') return from === null && to === null;
  const begin = boundTime(from, now);
  return begin === null || (boundTime(to, now) ?? now) - begin > maxDaysWithoutCount * 86_400_000;
}
