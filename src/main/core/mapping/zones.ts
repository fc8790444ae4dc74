import { bracketedEnd } from '../../../shared/channels/brackets.ts';
import { FixedOffsetZone, IANAZone } from 'luxon';
import { isZoneName } from '../../../shared/zone-names.ts';
import { maxOf, minOf } from '../../../shared/lists.ts';

/** A time in UTC, in milliseconds. */
export interface ResolvedTime {
  readonly ms: number;
  /** The second time, if the local time occurs twice because clocks go back; null: it occurs once. */
  readonly laterMs: number | null;
}

/** Converts local times, as milliseconds as if they were UTC, to UTC. */
export type LocalToUtc = (localMs: number) => ResolvedTime | 'gap';

const minute = 60_000;
const day = 86_400_000;
const offsetPattern = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i;

/** Minutes east of UTC of an offset such as `+03:00` or `UTC-5`; null if it isn't an offset. */
export function offsetMinutes(text: string): number | null {
  if (/^(?:UTC|GMT|Z)$/i.test(text)) return 0;
  const match = offsetPattern.exec(text);
  if (!match) return null;
  const hours = Number(match[2]);
  const minutes = Number(match[3] ?? 0);
  if (hours > 18 || minutes > 59) return null;
  return (match[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** Minutes east of UTC in a zone at a time: an IANA name, an offset, or `UTC`. */
export function offsetAt(zone: string, ms: number): number {
  return offsetMinutes(zone) ?? (IANAZone.isValidZone(zone) ? IANAZone.create(zone).offset(ms) : 0);
}

/** Whether a text is a zone: an IANA name, an offset, or UTC. */
export const isZone = (text: string): boolean => offsetMinutes(text) !== null || isZoneName(text);

/** `Time UTC-6`, `time_utc`, `DateTimeUTC`; not a part of a word. */
const utcInName =
  /(?:(?:^|[^A-Za-z])(?:UTC|GMT|Utc|Gmt|utc|gmt)|(?<=[a-z])(?:UTC|GMT))(?: ?[+-]\d{1,2}(?::?\d\d)?)?(?![A-Za-z])/;

/** The time zone in the name of a column, in brackets or as UTC or GMT with an offset; null: none. */
export function zoneInName(name: string): string | null {
  const inside = bracketedEnd(name)?.inside;
  if (inside !== undefined && isZone(inside)) return inside;
  const text = utcInName.exec(name)?.[0].replaceAll(/^[^a-z]+| /gi, '');
  return text !== undefined && isZone(text) ? text.toUpperCase() : null;
}

/**
 * Converts local times of a zone to UTC: an IANA name, an offset, or `UTC`. The result for the last minute is cached,
 * which makes rows in time order fast.
 */
export function localToUtc(zone: string): LocalToUtc {
  const fixed = offsetMinutes(zone);
  if (fixed !== null) return (localMs) => ({ ms: localMs - fixed * minute, laterMs: null });
  const named = IANAZone.isValidZone(zone) ? IANAZone.create(zone) : FixedOffsetZone.utcInstance;
  let lastMinute = Number.NaN;
  let last: Offsets | 'gap' = 'gap';
  return (localMs) => {
    const minuteKey = Math.floor(localMs / minute);
    if (minuteKey !== lastMinute) {
      lastMinute = minuteKey;
      last = offsetsFor(minuteKey * minute, (ms) => named.offset(ms));
    }
    if (last === 'gap') return 'gap';
    const { first, second } = last;
    return { ms: localMs - first * minute, laterMs: second === null ? null : localMs - second * minute };
  };
}

/** The offsets of a local time in minutes: two where clocks go back. */
interface Offsets {
  readonly first: number;
  readonly second: number | null;
}

/** The offsets of a local time: valid if the clock with this offset shows that time. */
function offsetsFor(localMs: number, offsetOf: (ms: number) => number): Offsets | 'gap' {
  const before = offsetOf(localMs - day);
  const after = offsetOf(localMs + day);
  const near = offsetOf(localMs - before * minute);
  const valid = [...new Set([before, near, after])].filter(
    (offset) => offsetOf(localMs - offset * minute) === offset,
  );
  if (valid.length === 0) return 'gap';
  return { first: maxOf(valid), second: valid.length > 1 ? minOf(valid) : null };
}

const searchStep = 7 * day;
/** Clocks of other centuries were set by the sun or by decree. */
const searched = { from: Date.UTC(1900, 0, 1), to: Date.UTC(2100, 0, 1) };

/**
 * Whether the clocks of a zone go back in a range of times, or within two days of it.
 * @param fromMs the earliest time, in milliseconds
 * @param toMs the latest time
 */
export function clocksGoBack(zone: string, fromMs: number, toMs: number): boolean {
  if (offsetMinutes(zone) !== null || !IANAZone.isValidZone(zone)) return false;
  const named = IANAZone.create(zone);
  const end = Math.min(toMs + 2 * day, searched.to);
  let at = Math.max(fromMs - 2 * day, searched.from);
  let offset = named.offset(at);
  while (at < end) {
    at = Math.min(at + searchStep, end);
    const next = named.offset(at);
    if (next < offset) return true;
    offset = next;
  }
  return false;
}
