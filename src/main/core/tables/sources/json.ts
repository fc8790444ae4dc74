import { isUtf8 } from 'node:buffer';
import { StringDecoder } from 'node:string_decoder';
import { childPath, columnTexts, pathNames } from '../../../../shared/column-paths.ts';
import { endOfComposite, endOfString, incomplete, tooDeep } from '../../records/json-text.ts';
import { unsuitable } from '../../../../shared/errors/errors.ts';
import { detectEncoding, type Source, startText } from '../reading/source.ts';
import * as z from 'zod';
import {
  type SourceAdapter,
  batched,
  headerEntry,
  Tally,
  type HeaderEntry,
  type SourceTable,
  type SourceWarning,
  indexOfFirst,
  type SourceColumn,
  type SourceFile,
} from './source.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { append } from '../../../../shared/lists.ts';
import { maxColumns } from '../reading/layout.ts';
import {
  cellOf,
  cellsAt,
  JsonColumns,
  maxDepth,
  objectOf,
  hasRepeatedNames,
  valueOf,
} from '../reading/recognize.ts';

const chunkBytes = 64 << 10;
/** Maximum length of a value that is read as a whole, such as a record. */
const maxPieceBytes = 16 << 20;
/** Maximum depth of the objects around the lists of a file. */
const maxOuterDepth = 64;
const code = (character: string): number => character.charCodeAt(0);
const [quote, comma, colon] = [code('"'), code(','), code(':')];
const [openObject, closeObject, openList, closeList] = [code('{'), code('}'), code('['), code(']')];

/**
 * What is read as a whole. `lists`: the elements of lists; objects around them are opened. `logs`: the same, but the
 * elements of the outermost list are opened, too. `values`: the values of the file, which follow each other.
 */
export type PieceKind = 'lists' | 'logs' | 'values';

/** A value of a file as text. */
interface JsonPiece {
  readonly text: string;
  readonly kind: 'object' | 'list' | 'other';
  /** Its path; of an element, that of its list. The list of a file that is one has an empty path. */
  readonly path: string;
  /** Of the outermost list, the element that was opened and contains it, from 1; 0: none. */
  readonly log: number;
  /** Its place in the list, or among the values of the file, from 1; 0: it is a member of an object. */
  readonly place: number;
  /** Its first line, from 1. */
  readonly line: number;
}

/** The file has more than one value: it is read again as a sequence of them. */
export class SeveralValues extends Error {}

/** An open object or list around the pieces. */
interface Frame {
  readonly isList: boolean;
  readonly path: string;
  readonly log: number;
}

/** Splits a file of JSON into pieces without parsing them; memory is limited to one piece. */
class PieceReader {
  readonly #source: Source;
  readonly #what: PieceKind;
  /** Null: the file is in UTF-8. */
  readonly #decoder: StringDecoder | null;
  /** The byte of the file that is read next. */
  #position: number;
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #line = 1;
  #depth = 0;
  /** Elements of the innermost list that are complete, for a message. */
  #complete = 0;

  constructor(source: Source, what: PieceKind) {
    const { name, bom } = detectEncoding(source.sample(), false);
    if (!['UTF-8', 'UTF-16LE'].includes(name)) throw unsuitable(source.fileName, 'JSON must be in UTF-8');
    this.#source = source;
    this.#what = what;
    this.#decoder = name === 'UTF-8' ? null : new StringDecoder('utf16le');
    this.#position = bom;
  }

  /** @throws AppError file_unsuitable with the line for anything but JSON; SeveralValues */
  *pieces(): Generator<JsonPiece> {
    const isSequence = this.#what === 'values';
    const first = this.#next();
    if (first === null) throw this.#early();
    for (let byte: number | null = first, place = 1; byte !== null; byte = this.#next(), place += 1) {
      if (place > 1 && !isSequence) {
        if (byte === openObject && first === openObject) throw new SeveralValues();
        throw this.#damaged('something follows the end of its list');
      }
      if (byte !== openObject && (isSequence || byte !== openList))
        throw this.#damaged('it isn’t a list of records. Wellbench reads an array of objects');
      if (isSequence) yield this.#piece(byte, { path: '', log: 0, place });
      else yield* this.#members({ isList: byte === openList, path: '', log: 0 });
    }
  }

  #damaged(what: string): Error {
    return unsuitable(this.#source.fileName, what, this.#line);
  }

  #early(): Error {
    return this.#damaged(
      this.#complete === 0 ? 'it ends too early' : `it ends too early, after element ${this.#complete}`,
    );
  }

  /** Drops what was read, and reads more. Returns whether there is more. */
  #fill(): boolean {
    const rest = this.#bytes.subarray(this.#at);
    if (rest.length > maxPieceBytes) throw this.#damaged('an element is longer than 16 MB');
    // As much again as is there, because an incomplete value is searched for its end from its start.
    const chunk = Buffer.allocUnsafe(Math.max(chunkBytes, rest.length));
    const length = this.#source.read(chunk, 0, chunk.length, this.#position);
    if (length === 0) return false;
    this.#position += length;
    const more = chunk.subarray(0, length);
    this.#bytes = Buffer.concat([rest, this.#decoder ? Buffer.from(this.#decoder.write(more)) : more]);
    this.#at = 0;
    return true;
  }

  /** The next byte that isn't white space; null: the file ends. */
  #next(): number | null {
    for (;;) {
      const byte = this.#bytes[this.#at];
      if (byte === undefined) {
        if (!this.#fill()) return null;
      } else if (byte > 0x20) return byte;
      else {
        if (byte === 0x0a) this.#line += 1;
        this.#at += 1;
      }
    }
  }

  #required(): number {
    const byte = this.#next();
    if (byte === null) throw this.#early();
    return byte;
  }

  /** The text of the value at the current position, which begins with a byte; the position moves behind it. */
  #text(byte: number): string {
    let end = this.#endFrom(byte);
    while (end === incomplete) {
      if (!this.#fill()) throw this.#early();
      end = this.#endFrom(byte);
    }
    if (end === tooDeep) throw this.#damaged('its objects are nested too deeply');
    const start = this.#at;
    const text = this.#bytes.toString('utf8', start, end);
    // The file itself can contain U+FFFD.
    if (text.includes('\uFFFD') && !isUtf8(this.#bytes.subarray(start, end)))
      throw this.#damaged('an element has bytes that are invalid in UTF-8');
    for (
      let at = this.#bytes.indexOf(0x0a, start);
      at >= 0 && at < end;
      at = this.#bytes.indexOf(0x0a, at + 1)
    )
      this.#line += 1;
    this.#at = end;
    return text;
  }

  #endFrom(byte: number): number {
    if (byte === quote) return endOfString(this.#bytes, this.#at);
    if (byte === openObject || byte === openList) return endOfComposite(this.#bytes, this.#at, maxDepth);
    // A number or a literal ends where something else begins.
    for (let at = this.#at; at < this.#bytes.length; at += 1) {
      const next = this.#bytes[at] ?? 0;
      if (next <= 0x20 || next === comma || next === closeList || next === closeObject) return at;
    }
    return incomplete;
  }

  #piece(byte: number, place: Pick<JsonPiece, 'path' | 'log' | 'place'>): JsonPiece {
    const line = this.#line;
    const kind = byte === openObject ? 'object' : byte === openList ? 'list' : 'other';
    return { text: this.#text(byte), kind, line, ...place };
  }

  /** The pieces in an object or a list, whose opening bracket is at the current position. */
  *#members(frame: Frame): Generator<JsonPiece> {
    this.#depth += 1;
    if (this.#depth > maxOuterDepth) throw this.#damaged('its objects are nested too deeply');
    this.#at += 1;
    const { isList } = frame;
    const closing = isList ? closeList : closeObject;
    this.#complete = 0;
    let byte = this.#required();
    for (let count = 1; byte !== closing || count > 1; count += 1) {
      const name = isList ? '' : this.#name(byte);
      const shown = isList ? `element ${count}` : `“${name.slice(0, 60)}”`;
      yield* this.#member(frame, { count, name, shown });
      this.#complete = isList ? count : 0;
      byte = this.#required();
      if (byte === closing) break;
      if (byte !== comma) throw this.#damaged(`a comma is missing after ${shown}`);
      this.#at += 1;
      byte = this.#required();
    }
    this.#at += 1;
    this.#depth -= 1;
  }

  *#member(
    { isList, path, log }: Frame,
    { count, name, shown }: { readonly count: number; readonly name: string; readonly shown: string },
  ): Generator<JsonPiece> {
    const byte = this.#required();
    const isContainer = byte === openObject || byte === openList;
    const memberPath = isList ? path : childPath(path, name);
    if (byte === comma || byte === closeList || byte === closeObject)
      throw this.#damaged(isList ? `${shown} is missing` : `${shown} has no value`);
    if (isList && this.#what === 'logs' && this.#depth === 1 && byte === openObject)
      yield* this.#members({ isList: false, path: '', log: count });
    else if (!isList && isContainer)
      yield* this.#members({ isList: byte === openList, path: memberPath, log });
    else yield this.#piece(byte, { path: memberPath, log, place: isList ? count : 0 });
  }

  /** The name of a member, and the colon behind it. */
  #name(byte: number): string {
    if (byte !== quote) throw this.#damaged('the name of a value is missing');
    const text = this.#text(byte);
    const name = this.#parsedName(text);
    if (this.#required() !== colon) throw this.#damaged(`a colon is missing after “${name.slice(0, 60)}”`);
    this.#at += 1;
    return name;
  }

  #parsedName(text: string): string {
    try {
      return String(JSON.parse(text));
    } catch {
      throw this.#damaged(`the name ${text.slice(0, 60)} is not valid JSON`);
    }
  }
}

const batchSize = 256;

/**
 * The pieces of a file of JSON.
 * @throws AppError file_unsuitable with the line, file_unreadable, cancelled; SeveralValues
 */
export const jsonPieces = (source: Source, what: PieceKind): Generator<JsonPiece> =>
  new PieceReader(source, what).pieces();

/** A table of a file of JSON: the pieces that are its rows, and what their columns are. */
interface JsonTable extends SourceTable {
  readonly pieces: { readonly what: PieceKind; readonly log: number; readonly path: string };
  /** The path of each column; null: rows are lists, with a value for each column. */
  readonly paths: readonly string[] | null;
}

type JsonContent = Pick<SourceFile, 'header' | 'warnings'> & { readonly tables: readonly JsonTable[] };

/** A table whose rows are objects, with columns at their paths. */
function tableOf(name: string, columns: JsonColumns, rows: number, pieces: JsonTable['pieces']): JsonTable {
  const { paths, types } = columns;
  const names = columnTexts(paths);
  return {
    name,
    pieces,
    paths,
    columns: paths.map((path, at) => ({
      name: names[at] ?? path,
      unit: null,
      type: types[at] ?? null,
      path: pathNames(path),
    })),
    rows,
    index: null,
  };
}

const headerOf = (entries: readonly JsonEntry[], group: string): HeaderEntry[] =>
  entries.map(({ path, value }) => headerEntry(group, pathNames(path).at(-1) ?? '', value));

const positionNames = ['longitude', 'latitude', 'elevation'];

/** The members of a point, by name; any other geometry stays as it is. */
function placeOf(geometry: JsonValue | undefined): JsonObject {
  if (!isObject(geometry)) return {};
  const { type, coordinates } = geometry;
  const isPoint = type === 'Point' && Array.isArray(coordinates);
  if (!isPoint || !coordinates.every((coordinate) => typeof coordinate === 'number')) return { geometry };
  return Object.fromEntries(
    positionNames.flatMap((name, at) => {
      const value = coordinates[at];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

/**
 * The record of an element of a list: of a feature of GeoJSON (RFC 7946), its properties, and the position of a point as
 * longitude and latitude; any other object is a record itself.
 */
function recordOf(element: JsonObject): JsonObject {
  const { type, properties, geometry, id } = element;
  if (type !== 'Feature' || geometry === undefined || properties === undefined) return element;
  const members = isObject(properties) ? properties : {};
  const added = { ...(id === undefined ? {} : { id }), ...placeOf(geometry) };
  // A property with the name of a member added here keeps its name.
  const isTaken = Object.keys(added).some((name) => Object.hasOwn(members, name));
  return isTaken ? { ...members, feature: added } : { ...members, ...added };
}

const maxLists = 1000;
/** Maximum number of values outside of lists that are kept, and the characters of each. */
const maxEntries = 1000;
const maxEntryChars = 300;

interface JsonList {
  /** The log that it belongs to, from 1; 0: none. */
  readonly log: number;
  readonly path: string;
  readonly columns: JsonColumns;
  /** The first elements, of the lists of curves only. */
  readonly starts: JsonObject[];
  rows: number;
  chars: number;
  /** The first element that isn't an object. */
  other: JsonPiece | null;
}

interface JsonEntry {
  readonly log: number;
  readonly path: string;
  readonly value: string;
}

const curvesPath = 'curves';

/** The lists of a file of JSON, and the values beside them. */
class JsonSurvey {
  readonly fileName: string;
  readonly what: PieceKind;
  readonly entries: JsonEntry[] = [];
  entryChars = 0;
  readonly #lists = new Map<string, JsonList>();

  /**
   * Reads a whole file of JSON.
   * @throws AppError file_unsuitable with the line, file_unreadable, cancelled; SeveralValues
   */
  constructor(source: Source, what: PieceKind) {
    this.what = what;
    this.fileName = source.fileName;
    for (const piece of jsonPieces(source, what))
      if (piece.place === 0) this.#addEntry(piece);
      else this.#addElement(piece);
  }

  get lists(): JsonList[] {
    return [...this.#lists.values()];
  }

  #addEntry({ log, path, text }: JsonPiece): void {
    this.entryChars += text.length;
    if (this.entries.length >= maxEntries || text.length > maxEntryChars) return;
    const value = valueOf(text);
    if (typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint')
      this.entries.push({ log, path, value: String(value) });
  }

  #addElement(piece: JsonPiece): void {
    const list = this.#listOf(piece);
    list.rows++;
    list.chars += piece.text.length;
    if (piece.kind !== 'object') {
      list.other ??= piece;
      return;
    }
    const object = parsedRecord(this.fileName, piece);
    if (piece.path === curvesPath && list.starts.length < maxColumns) list.starts.push(object);
    list.columns.add(recordOf(object), piece.line);
  }

  #listOf({ log, path }: JsonPiece): JsonList {
    const key = `${log} ${path}`;
    const existing = this.#lists.get(key);
    if (existing) return existing;
    if (this.#lists.size >= maxLists)
      throw unsuitable(this.fileName, `it has more than ${maxLists.toLocaleString('en')} lists`);
    const columns = new JsonColumns(this.fileName);
    const list = { log, path, columns, starts: [], rows: 0, chars: 0, other: null };
    this.#lists.set(key, list);
    return list;
  }
}

/** The object of a piece. @throws AppError file_unsuitable with the line */
function parsedRecord(fileName: string, { text, place, line }: JsonPiece): JsonObject {
  const object = objectOf(text);
  if (!object) throw unsuitable(fileName, `element ${place} is not valid JSON`, line);
  return object;
}

/** The survey of a file; one of several objects is surveyed as a list of them. */
function surveyOf(source: Source, what: PieceKind): JsonSurvey {
  try {
    return new JsonSurvey(source, what);
  } catch (error) {
    if (error instanceof SeveralValues) return new JsonSurvey(source, 'values');
    throw error;
  }
}

const dataPath = 'data';
const headerPath = 'header.';

/** Whether the start of a file is that of a JSON Well Log: objects with a header, curves, and data. */
const isWellLog = (start: string): boolean =>
  /^\s*(?:\[\s*)?\{\s*"(?:header|curves|data)"\s*:/.test(start) &&
  /"header"\s*:\s*\{/.test(start) &&
  /"curves"\s*:\s*\[\s*\{/.test(start);

const curve = z.object({
  name: z.string(),
  unit: z.string().nullish(),
  valueType: z.string().nullish(),
});

const curveTypes: Readonly<Record<string, SourceColumn['type']>> = { string: 'text', datetime: 'time' };

function columnsOf(curves: JsonList | undefined, log: string, fileName: string): SourceColumn[] {
  const parsed = curve.array().safeParse(curves?.starts ?? []);
  if (!parsed.success || parsed.data.length === 0)
    throw unsuitable(fileName, `${log} has no curves with names`);
  return parsed.data.map(({ name, unit, valueType }) => ({
    name,
    unit: unit?.trim() || null,
    type: curveTypes[valueType ?? ''] ?? null,
  }));
}

/**
 * The logs of a JSON Well Log (jsonwelllogformat.org), each a table with its curves as columns.
 * @throws AppError file_unsuitable for a log without curves
 */
function logsOf({ fileName, what, lists, entries }: JsonSurvey): JsonContent {
  const logs = [...new Set([...lists, ...entries].map(({ log }) => log))].toSorted((a, b) => a - b);
  const tables = logs.map((log): JsonTable => {
    const listAt = (at: string): JsonList | undefined =>
      lists.find((list) => list.log === log && list.path === at);
    const logEntries = entries.filter((entry) => entry.log === log && entry.path.startsWith(headerPath));
    const name =
      logEntries.find(({ path }) => path === `${headerPath}name`)?.value.trim() || `Log ${Math.max(log, 1)}`;
    const data = listAt(dataPath);
    const columns = columnsOf(listAt(curvesPath), logs.length > 1 ? `log ${log}` : 'it', fileName);
    return {
      name,
      pieces: { what, log, path: dataPath },
      paths: null,
      columns,
      rows: data?.rows ?? 0,
      index: indexOfFirst(columns, true),
      header: headerOf(logEntries, logs.length > 1 ? name : 'Log'),
    };
  });
  return { tables, header: tables[0]?.header ?? [], warnings: [] };
}

const plainName = 'Records';
/** The name of the table whose only row is the whole file. */
const wholeName = 'Whole file';

const listTable = ({ log, path, columns, rows }: JsonList, what: PieceKind): JsonTable =>
  tableOf(path === '' ? plainName : pathNames(path).join('.'), columns, rows, { what, log, path });

/** Members of a record of the service, which an object around records doesn't have. */
const recordMembers = [
  '_id',
  'asset_id',
  'timestamp',
  'measured_depth',
  'log_identifier',
  'stage_number',
  'datetime',
];

/** Whether the object of a file is a record of the service, although it has lists. */
const isRecord = ({ lists, entries }: JsonSurvey): boolean =>
  entries.some(({ path }) => recordMembers.includes(pathNames(path)[0] ?? '')) &&
  [...lists, ...entries].some(({ path }) => path.startsWith('data.'));

const isTable = ({ rows, other }: JsonList): boolean => rows > 0 && other === null;

/** The table of records that a file is. @throws AppError file_unsuitable if one isn't an object */
function recordsOf({ fileName, what, lists }: JsonSurvey): JsonTable {
  const [records] = lists;
  if (!records) return tableOf(plainName, new JsonColumns(fileName), 0, { what, log: 0, path: '' });
  const { other } = records;
  if (other) throw unsuitable(fileName, `element ${other.place} isn’t an object`, other.line);
  return listTable(records, what);
}

/**
 * The tables of an object: the only list if it has most of the content, else all lists of objects and the object
 * itself, the likeliest first.
 * @param readWhole the table with the object as its only row; null: it is too large for a row
 */
function tablesIn(survey: JsonSurvey, readWhole: () => JsonTable | null): JsonContent {
  const { fileName, what, entries, entryChars } = survey;
  const lists = survey.lists.filter(isTable);
  const isAlreadyRecord = isRecord(survey);
  const [first, ...others] = lists;
  const header = headerOf(entries, 'File');
  if (first && others.length === 0 && first.chars >= entryChars && !isAlreadyRecord)
    return { tables: [listTable(first, what)], header, warnings: [] };
  const table = readWhole();
  const whole = table ? [table] : [];
  const inner = lists.toSorted((a, b) => b.rows - a.rows).map((list) => listTable(list, what));
  const tables = isAlreadyRecord ? [...whole, ...inner] : [...inner, ...whole];
  if (tables.length === 0)
    throw unsuitable(fileName, 'it isn’t a list of records. Wellbench reads an array of objects');
  const warnings = isAlreadyRecord || whole.length === 0 ? [] : [singleRecord(tables.length - 1)];
  return { tables, header, warnings };
}

const singleRecord = (table: number): SourceWarning => ({
  code: 'single_record',
  message:
    'The file is an object, which is read as one row. If the rows are inside it, save them as a list of objects.',
  place: null,
  table,
  count: 1,
});

/**
 * The tables of a file, whose content is surveyed until they are certain.
 * @throws AppError file_unsuitable for a file without records
 */
function contentOf(source: Source): JsonContent {
  const start = startText(source.sample());
  const isList = start.trimStart().startsWith('[');
  if (isWellLog(start)) return logsOf(surveyOf(source, isList ? 'logs' : 'lists'));
  const lists = surveyOf(source, 'lists');
  if (!isList && lists.what === 'lists')
    return tablesIn(lists, () =>
      source.bytes <= maxWholeBytes ? { ...recordsOf(surveyOf(source, 'values')), name: wholeName } : null,
    );
  const records = recordsOf(lists);
  // The only element of a list can be the object around the records.
  const inside = records.rows === 1 && isList ? surveyOf(source, 'logs') : null;
  return inside?.lists.some(isTable) === true
    ? tablesIn(inside, () => records)
    : { tables: [records], header: [], warnings: [] };
}

/** Maximum size of a file that can be a single row, in bytes. */
const maxWholeBytes = 1 << 20;

/** JSON with lists of records: an array, as Wellbench exports it, an object around arrays, GeoJSON, a JSON Well Log. */
export const json: SourceAdapter = {
  format: 'json',
  recognize: (start) => /^\s*(?:\[\s*(?:\{|\]\s*$)|\{\s*(?:"|\}\s*$))/.test(startText(start)),
  open: jsonFile,
};

function jsonFile(source: Source): SourceFile {
  const { fileName } = source;
  const { tables, header, ...content } = contentOf(source);
  const warnings = [...content.warnings];
  const recordCells = (
    piece: JsonPiece,
    places: ReadonlyMap<string, number>,
    repeated: Tally,
  ): (string | null)[] => {
    const record = parsedRecord(fileName, piece);
    if (hasRepeatedNames(piece.text, record)) repeated.add(piece.place);
    return cellsAt(recordOf(record), places, places.size);
  };
  const listCells = ({ text, place, line }: JsonPiece): (string | null)[] => {
    const values = valueOf(text);
    if (Array.isArray(values)) return values.map(cellOf);
    throw unsuitable(fileName, `row ${place} of its data isn’t a valid list`, line);
  };
  return {
    placeKind: 'element',
    tables,
    header,
    warnings,
    async *readRows(index) {
      const table = tables[index];
      if (!table) return;
      const { what, log, path } = table.pieces;
      const places = table.paths && new Map(table.paths.map((text, at) => [text, at]));
      const repeated = new Tally();
      const rows = jsonPieces(source, what)
        .filter((piece) => piece.place > 0 && piece.log === log && piece.path === path)
        .map((piece) => ({
          cells: places ? recordCells(piece, places, repeated) : listCells(piece),
          place: piece.place,
        }));
      yield* batched(rows, batchSize);
      const message = (count: number): string =>
        `Elements with the same name twice in an object: ${count}. The last value is used; check that the others aren’t needed.`;
      append(warnings, repeated.warnings('repeated_names', index, message));
    },
  };
}
