import { extname } from 'node:path';
import { childPath, columnTexts, pathId, pathNames } from '../../../../shared/column-paths.ts';
import { isObject, parseJson, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { readerOptions } from './dialect.ts';
import { decoderOf, type Encoding } from './encoding.ts';
import { cellOf, extendedCell, isNullLeaf, isTextLeaf, type Leaf } from './extended-json.ts';
import { bytesProblem, recordText, type FieldReader, type RecordProblem } from './fields.ts';
import { maxColumns, type Column, type Layout } from './layout.ts';
import { RecordReader } from './records.ts';
import type { ReadAt } from './unit-window.ts';
import { unsuitable } from '../../../../shared/errors/errors.ts';

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
