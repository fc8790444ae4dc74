import {
  DuckDBDateValue,
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDecimalValue,
  DuckDBListValue,
  DuckDBMapValue,
  DuckDBStructValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBUnionValue,
  type DuckDBValue,
} from '@duckdb/node-api';
import { jsonNumber } from '../../shared/json.ts';

const secondsPerDay = 86_400n;

/** ISO 8601 with at least milliseconds, and all further digits; null where a date has no such form. */
function isoOf(ticks: bigint, digits: 0 | 3 | 6 | 9): string | null {
  const perSecond = 10n ** BigInt(digits);
  // Before 1970, a division would round up.
  const fraction = ((ticks % perSecond) + perSecond) % perSecond;
  const date = new Date(Number((ticks - fraction) / perSecond) * 1000);
  if (Number.isNaN(date.getTime())) return null;
  const shown = (digits === 0 ? '' : String(fraction).padStart(digits, '0')).padEnd(3, '0');
  return `${date.toISOString().slice(0, -4)}${shown.slice(0, 3)}${shown.slice(3).replace(/(?:000)+$/, '')}`;
}

/** The shortest decimal that stands for a number of 32 bits: 0.1, where the same number of 64 bits has more digits. */
export function shortFloat(value: number): number {
  for (let digits = 1; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

/** The text of a time: an instant in UTC, a time without a zone as it is; null for another value. */
function timeText(value: DuckDBValue): string | null {
  if (value instanceof DuckDBTimestampTZValue) {
    const iso = isoOf(value.micros, 6);
    return iso === null ? value.toString() : `${iso}Z`;
  }
  if (value instanceof DuckDBTimestampValue) return isoOf(value.micros, 6) ?? value.toString();
  if (value instanceof DuckDBTimestampMillisecondsValue) return isoOf(value.millis, 3) ?? value.toString();
  if (value instanceof DuckDBTimestampSecondsValue) return isoOf(value.seconds, 0) ?? value.toString();
  if (value instanceof DuckDBTimestampNanosecondsValue) return isoOf(value.nanos, 9) ?? value.toString();
  if (value instanceof DuckDBDateValue)
    return isoOf(BigInt(value.days) * secondsPerDay, 0)?.slice(0, 10) ?? value.toString();
  return null;
}

/** JSON has no such numbers, and null would be another value. */
const notFinite = (value: number): string => JSON.stringify(String(value));

/** JSON text of a value of the engine: integers and decimals with all their digits, times as ISO 8601. */
export function jsonOf(value: DuckDBValue): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return Number.isFinite(value) ? jsonNumber(value) : notFinite(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  const time = timeText(value);
  if (time !== null) return JSON.stringify(time);
  if (value instanceof DuckDBBlobValue) return JSON.stringify(Buffer.from(value.bytes).toString('hex'));
  if (value instanceof DuckDBListValue || value instanceof DuckDBArrayValue)
    return `[${value.items.map(jsonOf).join(',')}]`;
  if (value instanceof DuckDBStructValue)
    return `{${Object.entries(value.entries)
      .map(([key, part]) => `${JSON.stringify(key)}:${jsonOf(part)}`)
      .join(',')}}`;
  if (value instanceof DuckDBMapValue)
    return `[${value.entries.map(({ key, value: part }) => `{"key":${jsonOf(key)},"value":${jsonOf(part)}}`).join(',')}]`;
  if (value instanceof DuckDBUnionValue) return jsonOf(value.value);
  if (value instanceof DuckDBDecimalValue) return value.toString();
  // Intervals, times of day, ids, and bits are texts.
  return JSON.stringify(value.toString());
}
