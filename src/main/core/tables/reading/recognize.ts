import {
  isObject,
  isWithinDepth,
  stringifyJson,
  type JsonObject,
  type JsonValue,
  parseJson,
} from '../../../../shared/json.ts';
import { extname } from 'node:path';
import { childPath, columnTexts, pathId, pathNames } from '../../../../shared/column-paths.ts';
import {
  readerOptions,
  maxColumns,
  type Column,
  type Layout,
  detectDialect,
  readFrom,
  findLayout,
  rowsAround,
} from './layout.ts';
import {
  type Encoding,
  chosenEncoding,
  detectEncoding,
  detectWholeEncoding,
  textStart,
  unitWidth,
  type Source,
  type RecordProblem,
  type ReadAt,
} from './source.ts';
import { bytesProblem, type FieldReader, RecordReader } from './records.ts';
import { unsuitable, invalidInput } from '../../../../shared/errors/errors.ts';
import type { ReadingOptions } from '../../../../shared/upload/upload.ts';

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

type LeafKind = 'null' | 'text' | 'number' | 'other';

/** What a value is: a text stays one even if it looks like a number. */
function leafKind(leaf: Leaf): LeafKind {
  if (leaf === null || (leaf instanceof ExtendedValue && leaf.cell === null)) return 'null';
  if (leaf instanceof ExtendedValue) return leaf.isText ? 'text' : 'other';
  if (typeof leaf === 'string') return 'text';
  return typeof leaf === 'number' || typeof leaf === 'bigint' ? 'number' : 'other';
}

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

/** The value of JSON text; null if it isn't JSON. */
export function valueOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** Lists and objects within each other; what walks through deeper ones would run out of stack. */
export const maxDepth = 500;

/** A line as an object; null: it isn't an object, or is nested too deeply. */
export function objectOf(text: string): JsonObject | null {
  const value = valueOf(text);
  // A short text can't be that deep.
  const isFlat = text.length < 2 * maxDepth || isWithinDepth(value, maxDepth);
  return isObject(value) && isFlat ? value : null;
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

/** The values of an object as cells, at the places of their paths; null: no value. @param width number of cells */
export function cellsAt(
  object: JsonObject,
  places: ReadonlyMap<string, number>,
  width: number,
): (string | null)[] {
  const cells = Array.from({ length: width }, (): string | null => null);
  eachLeaf(object, (path, leaf) => {
    const at = places.get(path);
    if (at !== undefined) cells[at] = cellOf(leaf);
  });
  return cells;
}

/** Calls back with each value of an object that isn't an object, and its path. */
function eachLeaf(value: JsonObject, tell: (path: string, leaf: Leaf) => void, above = ''): void {
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
  readonly #kinds = new Map<string, LeafKind>();

  /** @param fileName for messages */
  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  /** @throws AppError file_unsuitable with the line if there are more paths than columns allowed */
  add(object: JsonObject, line: number): void {
    const kinds = this.#kinds;
    eachLeaf(object, (path, leaf) => {
      const [before = 'null', kind] = [kinds.get(path), leafKind(leaf)];
      kinds.set(path, kind === 'null' ? before : before === 'null' || before === kind ? kind : 'other');
    });
    if (kinds.size > maxColumns) {
      const reason = `its objects have more than ${maxColumns} different names; Wellbench reads up to ${maxColumns} columns`;
      throw unsuitable(this.#fileName, reason, line);
    }
  }

  get paths(): string[] {
    return [...this.#kinds.keys()];
  }

  /** For each path, the type of all its values; null: they have several, or another. */
  get types(): ('text' | 'number' | null)[] {
    return [...this.#kinds.values()].map((kind) =>
      kind === 'null' ? 'text' : kind === 'other' ? null : kind,
    );
  }
}

/** Lines of JSON have neither delimiter nor quotes: each is a record. */
const jsonDialect = { delimiter: '', crEnds: false, comments: false, jsonLines: true } as const;

/** How a file of JSON lines is read. */
const jsonLayout = (encoding: Encoding, { paths, types }: JsonColumns): Layout => ({
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
    ...(types[at] && { type: types[at] }),
  })),
  dataStart: encoding.bom,
  dataLine: 1,
});

/** The columns of all lines. @throws AppError file_unsuitable if there are more than allowed */
function columnsOfLines(fileName: string, read: ReadAt, encoding: Encoding): JsonColumns {
  const reader = new RecordReader(read, readerOptions(fileName, encoding, jsonDialect));
  const columns = new JsonColumns(fileName);
  for (let record = reader.next(); record; record = reader.next()) {
    const object = objectOf(reader.text(record));
    if (object) columns.add(object, record.line);
  }
  return columns;
}

/** Reads the cells of JSON lines: the values at the paths of the columns. */
export function createJsonReader({ columns }: Pick<Layout, 'columns'>): FieldReader {
  const places = new Map(columns.map(({ name, path }, index) => [path ? pathId(path) : name, index]));
  return (reader, record) => {
    const line = reader.text(record);
    const broken = (problem: RecordProblem | null) => ({ cells: [line], problem, oddQuotes: false });
    if (line.trim() === '') return broken(null);
    const problem = bytesProblem(line, reader, record);
    if (problem) return broken(problem);
    const object = objectOf(line);
    if (!object) return broken('bad_json');
    const cells = cellsAt(object, places, Math.max(columns.length, 1)).map((cell) => cell ?? '');
    return { cells, problem: null, oddQuotes: false, repeatedNames: hasRepeatedNames(line, object) };
  };
}

/** Kinds of binary files and what to do, by their first 128 bytes as one character each. */
const binaryKinds: readonly (readonly [what: string, ...signs: (string | ((start: string) => boolean))[]])[] =
  [
    ['a PDF document (get the data as LAS, CSV, or Excel)', '%PDF'],
    ['a zip archive or an Excel workbook (save the sheet as CSV first)', 'PK\x03\x04'],
    ['a binary Office file, such as an old Excel workbook (save the sheet as CSV first)', '\xd0\xcf\x11\xe0'],
    ['a PNG image', '\x89PNG'],
    ['a JPEG image', '\xff\xd8\xff'],
    ['a GIF image', 'GIF8'],
    ['a TIFF image', 'II*\0', 'MM\0*'],
    ['a gzip archive (unpack it first)', '\x1f\x8b'],
    ['a 7-Zip archive (unpack it first)', '7z\xbc\xaf'],
    ['a RAR archive (unpack it first)', 'Rar!'],
    ['an xz archive (unpack it first)', '\xfd7zXZ'],
    ['a bzip2 archive (unpack it first)', (start) => /^BZh[1-9]1AY&SY/.test(start)],
    ['a Zstandard archive (unpack it first)', '\x28\xb5\x2f\xfd'],
    ['a Parquet file', 'PAR1'],
    ['an encrypted Parquet file (write it without encryption)', 'PARE'],
    ['an Arrow file (convert it to Parquet, for example with DuckDB)', 'ARROW1'],
    [
      'an ORC file (convert it to Parquet, for example with DuckDB)',
      (start) => start.startsWith('ORC') && start.includes('\0'),
    ],
    ['an Avro file (convert it to Parquet, for example with DuckDB)', 'Obj\x01'],
    ['an HDF5 file (export the table as CSV, for example with HDFView)', '\x89HDF'],
    ['an SQLite database (export the table as CSV, for example with sqlite3)', 'SQLite format 3'],
    [
      'an Access database (export the table as CSV in Access)',
      '\0\x01\0\0Standard Jet DB',
      '\0\x01\0\0Standard ACE DB',
    ],
    ['text in UTF-32 (save it as UTF-8 first)', '\xff\xfe\0\0', '\0\0\xfe\xff'],
  ];

/** The position after the lines at the start of a text that are blank or remarks. */
function contentStart(text: string): number {
  const line = /[^\S\n\r]*(?:#[^\n\r]*)?(?:\r\n|\n|\r)/y;
  let at = 0;
  while (line.test(text)) at = line.lastIndex;
  return at;
}

/** Kinds of text that aren't tables, from their first line that is neither blank nor a remark. */
const textKinds: readonly (readonly [what: string, sign: RegExp])[] = [
  ['a LAS file (export its curves as CSV first)', /^\s*~v/i],
  [
    'a web page with a table, as some programs write .xls files (open it in Excel, and save it as .xlsx)',
    /^\s*<(?:!doctype html|html|table)(?=[\s\S]*<t[dh][\s>])/i,
  ],
  [
    'an Excel 2003 XML workbook (open it in Excel, and save it as .xlsx)',
    /^\s*<\?xml(?=[\s\S]{0,2000}(?:progid="Excel\.Sheet"|urn:schemas-microsoft-com:office:spreadsheet))/i,
  ],
  ['a web page, perhaps a sign-in page (download the data itself)', /^\s*<(?:!doctype html|html)/i],
  [
    'an XML file without a WITSML log (export it as CSV first)',
    /^\s*<(?:\?xml|!--|[A-Za-z_][\w.-]*(?::[\w.-]+)?(?:\s+[\w:.-]+\s*=\s*["']|\s*\/?>))/i,
  ],
  ['an RTF document (save it as text first)', /^\{\\rtf/],
  [
    'a JSON file that isn’t a list of records (export it as CSV, or as NDJSON with one object per line)',
    /^\s*(?:\[\s*[[{]|\{\s*"(?:[^"\\]|\\.)*"\s*:)/,
  ],
];

/**
 * Detects the text format of a file from its start, except where the user set it.
 * @throws AppError file_unsuitable for anything but a table in text, with the kind and the place; invalid_input for an
 * invalid setting
 */
export function recognize(source: Source, chosen: Omit<ReadingOptions, 'table'>): Layout {
  const { fileName } = source;
  const sample = source.sample();
  const whole = sample.length >= source.bytes;
  const encoding = chosen.encoding ? chosenEncoding(chosen.encoding, sample) : detectEncoding(sample, whole);
  refuseBinary(fileName, sample, unitWidth(encoding) === 2);
  const start = textStart(sample, encoding);
  if (isJsonLines(fileName, start))
    return jsonLayout(encoding, columnsOfLines(fileName, readFrom(sample), encoding));
  refuseOtherText(fileName, start);
  if (chosen.delimiter !== undefined && !/^[\t\x20-\x7e]$/.test(chosen.delimiter))
    throw invalidInput('The delimiter must be a tab or a printable ASCII character.', { field: 'delimiter' });
  if (chosen.delimiter === '"')
    throw invalidInput('A quotation mark can’t be the delimiter.', { field: 'delimiter' });
  const hasEscapes = source.placeOf === null && chosen.apostrophes !== 'keep';
  const { dialect, ...first } = detectDialect(fileName, sample, whole, encoding, chosen, hasEscapes);
  const line = chosen.headerRow || chosen.unitRow || 0;
  const isFar = line > (first.rows.at(-1)?.line ?? 0);
  const around = isFar ? rowsAround(line, fileName, source.read, encoding, dialect) : first;
  return findLayout(fileName, encoding, dialect, around.rows.length > 0 ? around : first, chosen);
}

/**
 * As {@link recognize}, by the whole file: its start can be ASCII, unlike the rest, and lines of JSON can have columns that
 * the first ones don't.
 * @throws AppError as {@link recognize}, file_unreadable
 */
export function recognizeWhole(source: Source, chosen: Omit<ReadingOptions, 'table'>): Layout {
  const layout = recognize(source, chosen);
  if (layout.jsonLines)
    return jsonLayout(layout.encoding, columnsOfLines(source.fileName, source.read, layout.encoding));
  const encoding = chosen.encoding === undefined ? detectWholeEncoding(source) : layout.encoding;
  if (encoding.name === layout.encoding.name) return layout;
  return { ...recognize(source, { ...chosen, encoding: encoding.name }), encoding };
}

const signBytes = 128;

/** Bytes of a file that are searched for control characters. */
const binarySample = 64 << 10;

/**
 * Rejects files that aren't text: known binary formats by their first bytes, others by NUL and control characters.
 * `wide`: the file is UTF-16, where every other byte can be zero.
 * @throws AppError file_unsuitable with the kind or the byte
 */
function refuseBinary(file: string, sample: Uint8Array, wide: boolean): void {
  if (sample.length === 0) throw unsuitable(file, 'it is empty');
  const start = Buffer.from(sample.subarray(0, signBytes)).toString('latin1');
  for (const [what, ...signs] of binaryKinds)
    if (signs.some((sign) => (typeof sign === 'string' ? start.startsWith(sign) : sign(start))))
      throw unsuitable(file, `it is ${what}`, { byte: 0 });
  if (wide) return;
  const firstBytes = sample.subarray(0, binarySample);
  let controls = 0;
  for (let byte = 0; byte < firstBytes.length; byte++) {
    const value = firstBytes[byte] ?? 0;
    if (value === 0)
      throw unsuitable(file, 'it contains NUL bytes, like a binary file', {
        line: lineAt(firstBytes, byte),
        byte,
      });
    if (value < 0x20 && (value < 0x09 || value > 0x0d) && value !== 0x1b && value !== 0x1a) controls++;
  }
  if (controls > firstBytes.length / 50)
    throw unsuitable(file, 'it contains control characters, like a binary file');
}

const lineAt = (bytes: Uint8Array, at: number): number =>
  bytes.subarray(0, at).filter((byte) => byte === 0x0a).length + 1;

/** Rejects text that isn't a table of delimited columns. @throws AppError file_unsuitable with the kind and the line */
function refuseOtherText(file: string, start: string): void {
  if (start.trim() === '') throw unsuitable(file, 'it contains only whitespace');
  const from = contentStart(start);
  const content = start.slice(from);
  for (const [what, sign] of textKinds) {
    const match = sign.exec(content);
    if (!match) continue;
    const end = from + Math.max(1, match[0].trimEnd().length);
    throw unsuitable(file, `it is ${what}`, start.slice(0, end).split(/\r\n|\r|\n/).length);
  }
}
