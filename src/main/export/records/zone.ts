import { DateTime, IANAZone } from 'luxon';
import { invalidInput } from '../../../shared/errors/errors.ts';

/** Top-level fields that are times (specification, section 2.1): Unix milliseconds, and ISO 8601 text. */
export const timeFields: ReadonlySet<string> = new Set(['timestamp', 'datetime']);

export type ZoneWriter = ReturnType<typeof createZoneWriter>;

/** @throws AppError invalid_input when the zone's name is unknown */
export function checkZone(zone: string): void {
  if (IANAZone.isValidZone(zone)) return;
  throw invalidInput(`Unknown time zone “${zone}”. Use a name such as America/Chicago or UTC.`, {
    field: 'timeZone',
  });
}

/** Offsets change at full quarters of an hour only, in every zone since 1972. */
const quarter = 900_000;
const steady = Date.UTC(1972, 0, 1);
const withOffset = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i;
const mostKept = 10_000;

/** Writes times in an IANA zone. Looking up an offset is slow, so it is kept for the quarter of an hour. */
export function createZoneWriter(zone: string) {
  const offsets = new Map<number, { readonly minutes: number; readonly text: string }>();
  const offsetAt = (ms: number) => {
    const part = Math.floor(ms / quarter);
    const kept = offsets.get(part);
    if (kept) return kept;
    if (offsets.size > mostKept) offsets.clear();
    const time = DateTime.fromMillis(part * quarter, { zone });
    const found = { minutes: time.offset, text: time.toISO()?.slice('2000-01-01T00:00:00.000'.length) ?? '' };
    offsets.set(part, found);
    return found;
  };
  const instantOf = (json: string): number => {
    if (json.charCodeAt(0) !== 34) return Number(json);
    const text = String(JSON.parse(json));
    return withOffset.test(text) ? Date.parse(text) : Number.NaN;
  };
  return {
    /** ISO 8601 with milliseconds and offset for a time as it stands in JSON; null for what is no instant. */
    write(json: string): string | null {
      const ms = instantOf(json);
      if (!Number.isFinite(ms) || json === 'null') return null;
      if (ms < steady || ms > 8e15) return DateTime.fromMillis(ms, { zone }).toISO();
      const { minutes, text } = offsetAt(ms);
      return new Date(ms + minutes * 60_000).toISOString().slice(0, -1) + text;
    },
  };
}
