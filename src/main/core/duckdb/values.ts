import {
  DuckDBArrayType,
  DuckDBDateValue,
  DuckDBFloatType,
  DuckDBListType,
  DuckDBMapType,
  DuckDBStructType,
  DuckDBUnionType,
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
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api';
import { jsonNumber } from '../../../shared/json.ts';
import { shortFloat } from '../records/float-text.ts';

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

/** Days and nanoseconds that are infinite are those of a day too, the last one that there is. */
const infinity = (sign: bigint | number): string => (sign > 0 ? 'infinity' : '-infinity');

/** The text of a time: an instant in UTC, a time without a zone as it is; null for another value. */
export function timeText(value: DuckDBValue): string | null {
  if (value instanceof DuckDBTimestampTZValue) {
    const iso = isoOf(value.micros, 6);
    return iso === null ? value.toString() : `${iso}Z`;
  }
  if (value instanceof DuckDBTimestampValue) return isoOf(value.micros, 6) ?? value.toString();
  if (value instanceof DuckDBTimestampMillisecondsValue) return isoOf(value.millis, 3) ?? value.toString();
  if (value instanceof DuckDBTimestampSecondsValue) return isoOf(value.seconds, 0) ?? value.toString();
  if (value instanceof DuckDBTimestampNanosecondsValue)
    return value.isFinite ? (isoOf(value.nanos, 9) ?? value.toString()) : infinity(value.nanos);
  if (value instanceof DuckDBDateValue && !value.isFinite) return infinity(value.days);
  if (value instanceof DuckDBDateValue)
    return isoOf(BigInt(value.days) * secondsPerDay, 0)?.slice(0, 10) ?? value.toString();
  return null;
}

/** How values without a form of their own in JSON are written: of results, all are seen; of records, they can be stored. */
export type JsonStyle = 'result' | 'record';

function numberJson(value: number, type: DuckDBType, style: JsonStyle): string {
  if (Number.isFinite(value)) return jsonNumber(type instanceof DuckDBFloatType ? shortFloat(value) : value);
  return style === 'record' ? 'null' : JSON.stringify(String(value));
}

const objectJson = (entries: readonly (readonly [key: string, json: string])[]): string =>
  `{${entries.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;

function mapJson(value: DuckDBMapValue, { keyType, valueType }: DuckDBMapType, style: JsonStyle): string {
  const entries = value.entries.map(({ key, value: item }) => [key, jsonOf(item, valueType, style)] as const);
  if (style === 'record') return objectJson(entries.map(([key, json]) => [keyText(key), json]));
  return `[${entries.map(([key, json]) => `{"key":${jsonOf(key, keyType, style)},"value":${json}}`).join(',')}]`;
}

const keyText = (key: DuckDBValue): string => timeText(key) ?? String(key);

/** Whether JSON of a value is a list or an object. */
export const isNested = (type: DuckDBType): boolean =>
  type instanceof DuckDBListType ||
  type instanceof DuckDBArrayType ||
  type instanceof DuckDBStructType ||
  type instanceof DuckDBMapType;

/** JSON text of a value of the engine: integers and decimals with all their digits, times as ISO 8601. */
export function jsonOf(value: DuckDBValue, type: DuckDBType, style: JsonStyle = 'result'): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'number') return numberJson(value, type, style);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  const time = timeText(value);
  if (time !== null) return JSON.stringify(time);
  if (value instanceof DuckDBBlobValue)
    return JSON.stringify(Buffer.from(value.bytes).toString(style === 'record' ? 'base64' : 'hex'));
  if (type instanceof DuckDBListType || type instanceof DuckDBArrayType) {
    const items = value instanceof DuckDBListValue || value instanceof DuckDBArrayValue ? value.items : [];
    return `[${items.map((item) => jsonOf(item, type.valueType, style)).join(',')}]`;
  }
  if (value instanceof DuckDBStructValue && type instanceof DuckDBStructType)
    return objectJson(
      Object.entries(value.entries).map(([key, part]) => [key, jsonOf(part, type.typeForEntry(key), style)]),
    );
  if (value instanceof DuckDBMapValue && type instanceof DuckDBMapType) return mapJson(value, type, style);
  if (value instanceof DuckDBUnionValue && type instanceof DuckDBUnionType)
    return jsonOf(value.value, type.memberTypeForTag(value.tag), style);
  if (value instanceof DuckDBDecimalValue) return value.toString();
  // Intervals, times of day, ids, and bits are texts.
  return JSON.stringify(value.toString());
}
