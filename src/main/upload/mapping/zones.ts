import { FixedOffsetZone, IANAZone } from 'luxon';

/** What a local time is in UTC, in milliseconds; `gap`: the clocks skipped it. */
export interface ResolvedTime {
  readonly ms: number;
  /** The clocks showed it twice; the first time is taken. */
  readonly twice: boolean;
}

/** Turns local times, written as if they were UTC, into UTC. */
export type LocalToUtc = (localMs: number) => ResolvedTime | 'gap';

const minute = 60_000;
const day = 86_400_000;
const offsetPattern = /^(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?$/i;

/** Minutes east of UTC that an offset such as `+03:00` or `UTC-5` says; null when it is none. */
export function offsetMinutes(text: string): number | null {
  if (/^(?:UTC|GMT|Z)$/i.test(text)) return 0;
  const found = offsetPattern.exec(text);
  if (!found) return null;
  const hours = Number(found[2]);
  const minutes = Number(found[3] ?? 0);
  if (hours > 18 || minutes > 59) return null;
  return (found[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
}

/** Minutes east of UTC that the clocks of a zone show at a time: an IANA name, an offset or `UTC`. */
export function offsetAt(zone: string, ms: number): number {
  return offsetMinutes(zone) ?? (IANAZone.isValidZone(zone) ? IANAZone.create(zone).offset(ms) : 0);
}

/** Whether a text names a zone: an IANA name, an offset or UTC. */
export const isZone = (text: string): boolean => offsetMinutes(text) !== null || IANAZone.isValidZone(text);

/**
 * How local times of a zone become UTC: an IANA name, an offset or `UTC`.
 * Answers are kept for the minute asked last, which makes rows in time order quick.
 */
export function localToUtc(zone: string): LocalToUtc {
  const fixed = offsetMinutes(zone);
  if (fixed !== null) return (localMs) => ({ ms: localMs - fixed * minute, twice: false });
  const named = IANAZone.isValidZone(zone) ? IANAZone.create(zone) : FixedOffsetZone.utcInstance;
  let lastMinute = Number.NaN;
  let last: { offset: number; twice: boolean } | 'gap' = 'gap';
  return (localMs) => {
    const minuteKey = Math.floor(localMs / minute);
    if (minuteKey !== lastMinute) {
      lastMinute = minuteKey;
      last = offsetFor(minuteKey * minute, (ms) => named.offset(ms));
    }
    return last === 'gap' ? 'gap' : { ms: localMs - last.offset * minute, twice: last.twice };
  };
}

/** The offset of a local time: it holds if the clock, set by it, shows that time. Two can hold where clocks go back. */
function offsetFor(
  localMs: number,
  offsetOf: (ms: number) => number,
): { offset: number; twice: boolean } | 'gap' {
  const before = offsetOf(localMs - day);
  const after = offsetOf(localMs + day);
  const near = offsetOf(localMs - before * minute);
  const holding = [...new Set([before, near, after])].filter(
    (offset) => offsetOf(localMs - offset * minute) === offset,
  );
  if (holding.length === 0) return 'gap';
  return { offset: Math.max(...holding), twice: holding.length > 1 };
}
