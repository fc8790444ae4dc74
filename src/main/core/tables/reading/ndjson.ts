import {
  isObject,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../../shared/json.ts';
import { extname } from 'node:path';
import { childPath, columnTexts, pathId, pathNames } from '../../../../shared/column-paths.ts';
import { readerOptions } from './dialect.ts';
import { decoderOf, type Encoding } from './encoding.ts';
import {
  bytesProblem,
  recordText,
  type FieldReader,
  type RecordProblem,
  RecordReader,
  type ReadAt,
} from './records.ts';
import { maxColumns, type Column, type Layout } from './layout.ts';
import { unsuitable } from '../../../../shared/errors/errors.ts';

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
type Leaf = JsonValue | ExtendedValue;

/** Whether a value is a text, which stays one even if it looks like a number. */
const isTextLeaf = (leaf: Leaf): boolean =>
  leaf instanceof ExtendedValue ? leaf.isText : typeof leaf === 'string';

/** Whether there is no value. */
const isNullLeaf = (leaf: Leaf): boolean =>
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

/** A line as an object; null: it isn't an object. */
export function objectOf(text: string): JsonObject | null {
  try {
    const value = parseJson(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

const stringsAndNames = /"(?:[^"\\]|\\.)*"(\s*:)?/g;

const countNames = (value: JsonValue): number => {
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countNames(item), 0);
  if (!isObject(value)) return 0;
  return Object.values(value).reduce<number>((sum, part) => sum + 1 + countNames(part), 0);
};

/** Whether one of the objects in a text has a name twice: of its values, the parsed record has the last only. */
export function hasRepeatedNames(text: string, record: JsonObject): boolean {
  let names = 0;
  for (const [, colon] of text.matchAll(stringsAndNames)) if (colon !== undefined) names++;
  return names > countNames(record);
}

const hasRecords = (value: JsonValue): boolean =>
  Array.isArray(value) ? value.some(isObject) : isObject(value) && Object.values(value).some(hasRecords);

/**
 * Whether a file is NDJSON: it has a line with an object before other lines, or its name says so and it starts like an
 * object. A file with a single object can be one around lists, which is not for a reader of lines.
 */
export function isJsonLines(fileName: string, start: string): boolean {
  const [line = '', second] = start.split(/\r\n|\n/).filter((text) => text.trim() !== '');
  if (!line.trimStart().startsWith('{')) return false;
  const isNamed = ['.ndjson', '.jsonl'].includes(extname(fileName).toLowerCase());
  if (second !== undefined) return isNamed || objectOf(line) !== null;
  return isNamed && !hasRecords(objectOf(line));
}

/** Calls back with each value of an object that isn't an object, and its path. */
export function eachLeaf(value: JsonObject, tell: (path: string, leaf: Leaf) => void, above = ''): void {
  for (const [name, part] of Object.entries(value)) {
    const path = childPath(above, name);
    const isParent = isObject(part) && Object.keys(part).length > 0;
    const extended = isParent ? extendedCell(part) : null;
    if (isParent && !extended) eachLeaf(part, tell, path);
    else tell(path, extended ?? part);
  }
}

/** The columns of objects: the paths of their values, in order of appearance. */
export class JsonColumns {
  readonly #fileName: string;
  readonly #areTexts = new Map<string, boolean>();

  /** @param fileName for messages */
  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  /** @throws AppError file_unsuitable with the line if there are more paths than columns allowed */
  add(object: JsonObject, line: number): void {
    const areTexts = this.#areTexts;
    eachLeaf(object, (path, leaf) => {
      const canBeText = isTextLeaf(leaf) || isNullLeaf(leaf);
      if (!canBeText || !areTexts.has(path)) areTexts.set(path, canBeText);
    });
    if (areTexts.size > maxColumns) {
      const reason = `its objects have more than ${maxColumns} different names; Wellbench reads up to ${maxColumns} columns`;
      throw unsuitable(this.#fileName, reason, line);
    }
  }

  get paths(): string[] {
    return [...this.#areTexts.keys()];
  }

  /** For each path, whether all its values are texts: those stay texts even if they look like numbers. */
  get areTexts(): boolean[] {
    return [...this.#areTexts.values()];
  }
}

/** Lines of JSON have neither delimiter nor quotes: each is a record. */
const jsonDialect = { delimiter: '', crEnds: false, comments: false, jsonLines: true } as const;

/** How a file of JSON lines is read, with columns at the given paths. */
export const jsonLayout = (encoding: Encoding, paths: readonly string[]): Layout => ({
  ...jsonDialect,
  encoding,
  headerLine: 0,
  unitLine: null,
  header: null,
  columns: columnTexts(paths).map((name, at): Column => ({
    name,
    key: name,
    unit: null,
    path: pathNames(paths[at] ?? ''),
  })),
  dataStart: encoding.bom,
  dataLine: 1,
});

/** The columns of all lines. @throws AppError file_unsuitable if there are more than allowed */
export function columnsOfLines(fileName: string, read: ReadAt, encoding: Encoding): JsonColumns {
  const reader = new RecordReader(read, readerOptions(fileName, encoding, jsonDialect));
  const decode = decoderOf(encoding);
  const columns = new JsonColumns(fileName);
  for (let record = reader.next(); record; record = reader.next()) {
    const object = objectOf(recordText(decode, reader, record));
    if (object) columns.add(object, record.line);
  }
  return columns;
}

/** Reads the cells of JSON lines: the values at the paths of the columns. */
export function createJsonReader({ encoding, columns }: Pick<Layout, 'encoding' | 'columns'>): FieldReader {
  const decode = decoderOf(encoding);
  const places = new Map(columns.map(({ name, path }, index) => [path ? pathId(path) : name, index]));
  return {
    text: (reader, record) => recordText(decode, reader, record),
    row(reader, record) {
      const line = recordText(decode, reader, record);
      const broken = (problem: RecordProblem | null) => ({ cells: [line], problem, oddQuotes: false });
      if (line.trim() === '') return broken(null);
      const problem = bytesProblem(line, reader, record, encoding);
      if (problem) return broken(problem);
      const object = objectOf(line);
      if (!object) return broken('bad_json');
      const cells = Array.from({ length: Math.max(columns.length, 1) }, () => '');
      eachLeaf(object, (path, leaf) => {
        const at = places.get(path);
        if (at !== undefined) cells[at] = cellOf(leaf) ?? '';
      });
      return { cells, problem: null, oddQuotes: false, repeatedNames: hasRepeatedNames(line, object) };
    },
  };
}
