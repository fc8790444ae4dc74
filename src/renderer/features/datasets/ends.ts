import { instantOf } from '../../../shared/instants.ts';
import { formatMoment } from '../../format/moments.ts';
import { formatCount, formatDepth } from '../../format/numbers.ts';
import type { Zone } from '../../format/times.ts';
import { words } from '../../words/words.ts';

const dayMs = 86_400_000;

/** The end of a dataset as a person reads it, from JSON text; times in UTC unless it is said otherwise. */
export function endInWords(field: string, json: string | null, zone: Zone = 'utc'): string {
  if (json === null) return words.unknown;
  const value: unknown = JSON.parse(json);
  if (field === 'timestamp' && typeof value === 'number')
    return `${formatMoment(value, zone)}${zone === 'utc' ? ' UTC' : ''}`;
  return typeof value === 'number' ? formatDepth(value) : String(value);
}

const millisecondsOf = (value: unknown): number =>
  typeof value === 'number' ? value : typeof value === 'string' ? instantOf(value) : Number.NaN;

/** How much lies between the ends: days of times, a length of depths. Null where that can't be said. */
export function spanInWords(field: string, first: string, last: string): string | null {
  const [from, to]: unknown[] = [JSON.parse(first), JSON.parse(last)];
  if (field === 'measured_depth')
    return typeof from === 'number' && typeof to === 'number' ? formatDepth(to - from) : null;
  const ms = millisecondsOf(to) - millisecondsOf(from);
  if (!Number.isFinite(ms) || ms < 0) return null;
  if (ms < dayMs) return words.datasets.underADay;
  return words.datasets.days(Math.round(ms / dayMs), formatCount(Math.round(ms / dayMs)));
}
