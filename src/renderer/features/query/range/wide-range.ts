import { millisecondsOfMoment, parseMoment } from '../../../../shared/language/moments.ts';
import type { Bound, RangeField, RangeInText } from '../../../../shared/language/text/range.ts';

/** More days than this are worth a count before they are asked for. */
export const wideDays = 31;

function timeOf(bound: Bound | null, now: number): number | null {
  if (bound?.kind === 'time') return bound.ms;
  const moment = bound?.kind === 'moment' ? parseMoment(bound.written) : undefined;
  return typeof moment === 'object' ? (millisecondsOfMoment(moment, now, 'UTC') ?? null) : null;
}

/**
 * Whether a range may hold so much that it is worth a count first: no range at all, times without a begin, or many days.
 * What can't be read from the text is not judged.
 * @param now Unix milliseconds
 */
export function isWide(range: RangeInText, { of }: RangeField, now: number): boolean {
  if (range.kind === 'odd') return false;
  const { from, to } = range;
  if (of === 'depth') return from === null && to === null;
  const begin = timeOf(from, now);
  return begin === null || (timeOf(to, now) ?? now) - begin > wideDays * 86_400_000;
}
