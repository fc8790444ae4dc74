import { DateTime } from 'luxon';
import type { CsvLayout } from '../../../shared/export/csv-layout.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { isZoneName } from '../../../shared/zone-names.ts';

/** Top-level fields with times (specification, section 2.1): Unix milliseconds, and ISO 8601 text. */
export const timeFields: ReadonlySet<string> = new Set(['timestamp', 'datetime']);

/** A year of four digits; Excel reads no other. */
const isoParts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.(\d{3})/;

function spreadsheetTime(iso: string): string {
  const [, date, time, milliseconds] = isoParts.exec(iso) ?? [];
  if (date === undefined) return iso;
  return `${date} ${time}${milliseconds === '000' ? '' : `.${milliseconds}`}`;
}

export type ZoneWriter = ReturnType<typeof createZoneWriter>;

/**
 * Checks the name of a time zone.
 * @throws AppError `invalid_input` when it is unknown
 */
export function checkZone(zone: string): void {
  if (isZoneName(zone)) return;
  throw invalidInput(`Unknown time zone “${zone}”. Use a name such as America/Chicago or UTC.`, {
    field: 'timeZone',
  });
}

/** Since 1972, offsets change only at quarters of an hour, in every zone. */
const quarterMs = 900_000;
const minQuarterMs = Date.UTC(1972, 0, 1);
const hasOffset = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i;
const maxCachedOffsets = 10_000;

/**
 * Creates a formatter for times in an IANA zone, by default as ISO 8601. Offsets are slow to compute, so they are cached by quarter
 * of an hour.
 */
export function createZoneWriter(zone: string, times: CsvLayout['times'] = 'iso') {
  const offsets = new Map<number, { readonly minutes: number; readonly text: string }>();
  const offsetAt = (ms: number) => {
    const part = Math.floor(ms / quarterMs);
    const cached = offsets.get(part);
    if (cached) return cached;
    if (offsets.size > maxCachedOffsets) offsets.clear();
    const time = DateTime.fromMillis(part * quarterMs, { zone });
    const offset = {
      minutes: time.offset,
      text: time.toISO()?.slice('2000-01-01T00:00:00.000'.length) ?? '',
    };
    offsets.set(part, offset);
    return offset;
  };
  const instantOf = (json: string): number => {
    if (json.charCodeAt(0) !== 34) return Number(json);
    const text = String(JSON.parse(json));
    return hasOffset.test(text) ? Date.parse(text) : Number.NaN;
  };
  const localOf = (json: string): number | null => {
    const ms = json === 'null' ? Number.NaN : instantOf(json);
    if (!Number.isFinite(ms) || Math.abs(ms) > 8e15) return null;
    const isOld = ms < minQuarterMs;
    return ms + (isOld ? DateTime.fromMillis(ms, { zone }).offset : offsetAt(ms).minutes) * 60_000;
  };
  const isoOf = (json: string): string | null => {
    const ms = instantOf(json);
    if (!Number.isFinite(ms) || json === 'null') return null;
    if (ms < minQuarterMs || ms > 8e15) return DateTime.fromMillis(ms, { zone }).toISO();
    const { minutes, text } = offsetAt(ms);
    return new Date(ms + minutes * 60_000).toISOString().slice(0, -1) + text;
  };
  return {
    /**
     * The text of a time in JSON: ISO 8601 with milliseconds and offset, or for a spreadsheet without offset and
     * with milliseconds only if they aren't 0. Null if it isn't a time.
     */
    write(json: string): string | null {
      const iso = isoOf(json);
      return iso === null || times === 'iso' ? iso : spreadsheetTime(iso);
    },
    /** The local time of a time in JSON, as milliseconds from 1970-01-01 00:00 local time. Null if it isn't a time. */
    local: localOf,
  };
}
