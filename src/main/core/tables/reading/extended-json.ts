import { isObject, stringifyJson, type JsonObject, type JsonValue } from '../../../../shared/json.ts';

/** A value that JSON doesn't have, as a cell of a table. */
class ExtendedValue {
  /** Null: no value. */
  readonly cell: string | null;
  readonly isText: boolean;

  constructor(cell: string | null, isText: boolean) {
    this.cell = cell;
    this.isText = isText;
  }
}

/** A value of a record that isn't a record itself. */
export type Leaf = JsonValue | ExtendedValue;

/** Whether a value is a text, which stays one even if it looks like a number. */
export const isTextLeaf = (leaf: Leaf): boolean =>
  leaf instanceof ExtendedValue ? leaf.isText : typeof leaf === 'string';

/** Whether there is no value. */
export const isNullLeaf = (leaf: Leaf): boolean =>
  leaf === null || (leaf instanceof ExtendedValue && leaf.cell === null);

const text = (value: JsonValue): ExtendedValue | null =>
  typeof value === 'string' ? new ExtendedValue(value, true) : null;

const notNumbers = /^(?:NaN|-?Infinity)$/;
const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?$/;
const integer = /^-?(?:0|[1-9]\d*)$/;

/** A number in quotes, with all its digits. NaN and infinity, which JSON doesn't have, keep their names. */
function quotedNumber(value: JsonValue, pattern: RegExp): ExtendedValue | null {
  const digits = typeof value === 'number' || typeof value === 'bigint' ? String(value) : value;
  const isNumber = typeof digits === 'string' && (pattern.test(digits) || notNumbers.test(digits));
  return isNumber ? new ExtendedValue(digits, false) : null;
}

/** The years 0 to 9999 in milliseconds since 1970. */
const minTimeMs = -62_167_219_200_000;
const maxTimeMs = 253_402_300_799_999;

function instant(ms: number): ExtendedValue | null {
  const isInRange = Number.isInteger(ms) && ms >= minTimeMs && ms <= maxTimeMs;
  return isInRange ? new ExtendedValue(new Date(ms).toISOString(), true) : null;
}

/** A time as text, or in milliseconds. One outside the years 0 to 9999 stays a number. */
function date(value: JsonValue): ExtendedValue | null {
  if (typeof value === 'string') return new ExtendedValue(value.replace(/([+-]\d\d)(\d\d)$/, '$1:$2'), true);
  const ms = isObject(value) ? value['$numberLong'] : value;
  const milliseconds = ms === undefined ? null : quotedNumber(ms, integer);
  return milliseconds && (instant(Number(milliseconds.cell)) ?? milliseconds);
}

function binary(value: JsonValue): ExtendedValue | null {
  return isObject(value) && typeof value['base64'] === 'string' ? text(value['base64']) : null;
}

/** The time of an entry of the log of operations, without its ordinal. */
function logTime(value: JsonValue): ExtendedValue | null {
  return isObject(value) && typeof value['t'] === 'number' ? instant(value['t'] * 1000) : null;
}

/** The types of MongoDB that JSON doesn't have: its tools write an object with the type and the value. */
const types: Readonly<Record<string, (value: JsonValue) => ExtendedValue | null>> = {
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
  $undefined: () => new ExtendedValue(null, false),
};

/** The value of an object in MongoDB's extended JSON, canonical or relaxed; null: it is an ordinary object. */
export function extendedCell(object: JsonObject): ExtendedValue | null {
  const [name = '', ...others] = Object.keys(object);
  if (!name.startsWith('$') || others.length > 0) return null;
  const value = object[name];
  return Object.hasOwn(types, name) && value !== undefined ? (types[name]?.(value) ?? null) : null;
}

/** A value without extended JSON inside it. */
function plainValue(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isObject(value)) return value;
  const extended = extendedCell(value);
  if (!extended)
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, plainValue(part)]));
  const { cell, isText } = extended;
  if (cell === null || isText) return cell;
  if (notNumbers.test(cell)) return cell;
  return integer.test(cell) && !Number.isSafeInteger(Number(cell)) ? BigInt(cell) : Number(cell);
}

/** A value as a cell: a list or an empty object is JSON, as in exports; null: no value. */
export function cellOf(leaf: Leaf): string | null {
  if (leaf === null || typeof leaf === 'string') return leaf;
  if (leaf instanceof ExtendedValue) return leaf.cell;
  return typeof leaf === 'object' ? stringifyJson(plainValue(leaf)) : String(leaf);
}
