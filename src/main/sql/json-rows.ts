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

const msPerDay = 86_400_000;

/** ISO 8601 in UTC; the engine's own text where a date has no such form. */
function instant(ms: number, value: { toString(): string }): string {
  const date = new Date(ms);
  return Number.isNaN(date.getTime()) ? value.toString() : date.toISOString();
}

/** Whole milliseconds, also before 1970, where a division would round up. */
const floorMs = (ticks: bigint, perMs: bigint): number =>
  Number((ticks - (((ticks % perMs) + perMs) % perMs)) / perMs);

/** The shortest decimal that stands for a number of 32 bits: 0.1, where the same number of 64 bits has more digits. */
export function shortFloat(value: number): number {
  for (let digits = 1; digits < 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(9));
}

/** Milliseconds of a timestamp of any precision; null for another value. */
function msOf(value: DuckDBValue): number | null {
  if (value instanceof DuckDBTimestampValue || value instanceof DuckDBTimestampTZValue)
    return floorMs(value.micros, 1000n);
  if (value instanceof DuckDBTimestampMillisecondsValue) return Number(value.millis);
  if (value instanceof DuckDBTimestampSecondsValue) return Number(value.seconds) * 1000;
  if (value instanceof DuckDBTimestampNanosecondsValue) return floorMs(value.nanos, 1_000_000n);
  return null;
}

/** JSON text of a value of the engine: integers and decimals with all their digits, times as ISO 8601 in UTC. */
export function jsonOf(value: DuckDBValue): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return jsonNumber(value);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  const ms = msOf(value);
  if (ms !== null) return JSON.stringify(instant(ms, value));
  if (value instanceof DuckDBDateValue)
    return JSON.stringify(instant(value.days * msPerDay, value).slice(0, 10));
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
