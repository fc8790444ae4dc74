import { isObject, stringifyJson } from '../../../shared/json.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';

/** A value of a JSON object as a cell of a table. */
export interface JsonCell {
  /** Null: no value. */
  readonly cell: string | null;
  /** Whether it is a text, which stays one even if it looks like a number. */
  readonly isText: boolean;
}

const text = (value: JsonValue): JsonCell | null =>
  typeof value === 'string' ? { cell: value, isText: true } : null;

const notNumbers = /^(?:NaN|-?Infinity)$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const integer = /^-?(?:0|[1-9]\d*)$/;

/** A number in quotes, with all its digits. NaN and infinity, which JSON doesn't have, keep their names. */
function quotedNumber(value: JsonValue, pattern: RegExp): JsonCell | null {
  const digits = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  const isNumber = typeof digits === 'string' && (pattern.test(digits) || notNumbers.test(digits));
  return isNumber ? { cell: digits, isText: false } : null;
}

/** The years 0 to 9999 in milliseconds since 1970. */
const minTimeMs = -62_167_219_200_000;
const maxTimeMs = 253_402_300_799_999;

function instant(ms: number): JsonCell | null {
  const isInRange = Number.isInteger(ms) && ms >= minTimeMs && ms <= maxTimeMs;
  return isInRange ? { cell: new Date(ms).toISOString(), isText: true } : null;
}

/** A time as text, or in milliseconds. One outside the years 0 to 9999 stays a number. */
function date(value: JsonValue): JsonCell | null {
  if (typeof value === 'string') return { cell: value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'), isText: true };
  const ms = isObject(value) ? value['$numberLong'] : value;
  const milliseconds = ms === undefined ? null : quotedNumber(ms, integer);
  return milliseconds && (instant(Number(milliseconds.cell)) ?? milliseconds);
}

function binary(value: JsonValue): JsonCell | null {
  return isObject(value) && typeof value['base64'] === 'string' ? text(value['base64']) : null;
}

/** The time of an entry of the log of operations, without its ordinal. */
function logTime(value: JsonValue): JsonCell | null {
  return isObject(value) && typeof value['t'] === 'number' ? instant(value['t'] * 1000) : null;
}

/** The types of MongoDB that JSON doesn't have: its tools write an object with the type and the value. */
const types: Readonly<Record<string, (value: JsonValue) => JsonCell | null>> = {
  $oid: text,
  $numberInt: (value) => quotedNumber(value, integer),
  $numberLong: (value) => quotedNumber(value, integer),
  $numberDouble: (value) => quotedNumber(value, number),
  $numberDecimal: (value) => quotedNumber(value, number),
  $date: date,
  $timestamp: logTime,
  $binary: binary,
  $uuid: text,
  $symbol: text,
  $code: text,
  $undefined: () => ({ cell: null, isText: false }),
};

/** The value of an object in MongoDB's extended JSON, canonical or relaxed; null: it is an ordinary object. */
export function extendedCell(object: JsonObject): JsonCell | null {
  const [name = '', ...others] = Object.keys(object);
  if (!name.startsWith('$') || others.length > 0) return null;
  const value = object[name];
  return Object.hasOwn(types, name) && value !== undefined ? (types[name]?.(value) ?? null) : null;
}

/** A value without extended JSON inside it. */
function plainValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isObject(value)) return value;
  const found = extendedCell(value);
  if (!found)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plainValue(part)]));
  const { cell, isText } = found;
  if (cell === null || isText) return cell;
  if (notNumbers.test(cell)) return cell;
  return integer.test(cell) && !Number.isSafeInteger(Number(cell)) ? BigInt(cell) : Number(cell);
}

/** A value as a cell: a list or an empty object is JSON, as in exports. */
export function jsonCell(value: JsonValue): JsonCell {
  if (value === null) return { cell: null, isText: false };
  if (typeof value === 'string') return { cell: value, isText: true };
  const cell = typeof value === 'object' ? stringifyJson(plainValue(value)) : String(value);
  return { cell, isText: false };
}
