import { DateTime } from 'luxon';
import type { CsvLayout } from '../../../shared/csv.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { isZoneName } from '../../../shared/instants.ts';

/**
 * Columns with times. `instant`: Unix milliseconds, or ISO 8601 text with an offset. `local`: ISO 8601 text without an
 * offset, of a day or of a time in a zone that isn't named.
 */
export type TimeColumns = ReadonlyMap<string, 'instant' | 'local'>;

/** Top-level fields of records with times (specification, section 2.1). */
export const recordTimes: TimeColumns = new Map([
  ['timestamp', 'instant'],
  ['datetime', 'instant'],
]);

/** A year of four digits; Excel reads no other. */
const isoParts = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.(\d{3})/;

function spreadsheetTime(iso: string): string {
  const [, date, time, milliseconds] = isoParts.exec(iso) ?? [];
  if (date === undefined) return iso;
  return `${date} ${time}${milliseconds === '000' ? '' : `.${milliseconds}`}`;
}

export type ZoneWriter = ReturnType<typeof createZoneWriter>;

/** Checks the name of a time zone. @throws AppError `invalid_input` when it is unknown */
export function checkZone(zone: string): void {
  if (isZoneName(zone)) return;
  throw invalidInput(`Unknown time zone “${zone}”. Use a name such as America/Chicago or UTC.`, {
    field: 'timeZone',
  });
}

/** Since 1972, offsets change at quarters of an hour, except in a few zones such as Newfoundland, until 2011 a minute later. */
const quarterMs = 900_000;
const minQuarterMs = Date.UTC(1972, 0, 1);
const hasOffset = /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/i;
const maxCachedOffsets = 10_000;

/** Characters in JSON of a time with milliseconds. */
const maxMsTextLength = '"2026-01-31T10:00:00.000Z"'.length;

const withoutOffset = /^"(\d{4}-\d\d-\d\d)(T\d\d:\d\d:\d\d(?:\.\d+)?)?"$/;

/** Milliseconds from 1970-01-01 00:00 of a time without an offset; null if it isn't one. */
function wallClock(json: string): number | null {
  const [, date, time = 'T00:00:00'] = withoutOffset.exec(json) ?? [];
  const ms = date === undefined ? Number.NaN : Date.parse(`${date}${time}Z`);
  return Number.isFinite(ms) ? ms : null;
}

/**
 * Creates a formatter for times in an IANA zone, by default as ISO 8601. Offsets are slow to compute, so they are cached by quarter
 * of an hour.
 */
export function createZoneWriter(
  zone: string,
  { style = 'iso', columns = recordTimes }: { style?: CsvLayout['times']; columns?: TimeColumns } = {},
) {
  const readOffset = (ms: number) => {
    const time = DateTime.fromMillis(ms, { zone });
    return { minutes: time.offset, text: time.toISO()?.slice('2000-01-01T00:00:00.000'.length) ?? '' };
  };
  const offsets = new Map<number, ReturnType<typeof readOffset>>();
  const offsetAt = (ms: number) => {
    const part = Math.floor(ms / quarterMs);
    const cached = offsets.get(part);
    if (cached) return cached;
    if (offsets.size > maxCachedOffsets) offsets.clear();
    const offset = readOffset(part * quarterMs);
    if (offset.minutes !== readOffset((part + 1) * quarterMs - 1).minutes) return readOffset(ms);
    offsets.set(part, offset);
    return offset;
  };
  const instantOf = (json: string): number => {
    if (json.charCodeAt(0) !== 34) return Number(json);
    const text = String(JSON.parse(json));
    return hasOffset.test(text) ? Date.parse(text) : Number.NaN;
  };
  const localOf = (path: string, json: string): number | null => {
    const kind = columns.get(path);
    if (kind !== 'instant') return kind === 'local' ? wallClock(json) : null;
    const ms = json === 'null' ? Number.NaN : instantOf(json);
    if (!Number.isFinite(ms) || Math.abs(ms) > 8e15) return null;
    const isOld = ms < minQuarterMs;
    return ms + (isOld ? DateTime.fromMillis(ms, { zone }).offset : offsetAt(ms).minutes) * 60_000;
  };
  /** The digits after milliseconds, which a date of JavaScript doesn't have. */
  const furtherDigits = (json: string): string => /\.\d{3}(\d+)/.exec(json)?.[1] ?? '';
  const isoOf = (json: string): string | null => {
    const ms = instantOf(json);
    if (!Number.isFinite(ms) || json === 'null') return null;
    if (ms < minQuarterMs || ms > 8e15) return DateTime.fromMillis(ms, { zone }).toISO();
    const { minutes, text } = offsetAt(ms);
    const digits = json.length > maxMsTextLength ? furtherDigits(json) : '';
    return new Date(ms + minutes * 60_000).toISOString().slice(0, -1) + digits + text;
  };
  return {
    isTime: (path: string): boolean => columns.has(path),
    /**
     * The text of a time in JSON: ISO 8601 with milliseconds and offset, or for a spreadsheet without offset and
     * with milliseconds only if they aren't 0. Null if it isn't a time, or stays as it is.
     */
    write(path: string, json: string): string | null {
      const kind = columns.get(path);
      if (kind === 'instant') {
        const iso = isoOf(json);
        return iso === null || style === 'iso' ? iso : spreadsheetTime(iso);
      }
      return kind === 'local' && style === 'spreadsheet' && json.startsWith('"')
        ? spreadsheetTime(String(JSON.parse(json)))
        : null;
    },
    /** The local time of a time in JSON, as milliseconds from 1970-01-01 00:00 local time. Null if it isn't a time. */
    local: localOf,
  };
}
