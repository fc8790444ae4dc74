import { parseJson, type JsonObject, type JsonValue } from '../../../../../shared/json.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { JsonColumns, objectOf } from '../../reading/ndjson.ts';
import { maxColumns } from '../../reading/layout.ts';
import type { Source } from '../../reading/source.ts';
import type { OpenOptions } from '../source.ts';
import { recordOf } from './geojson.ts';
import { jsonPieces, SeveralValues, type JsonPiece, type PieceKind } from './json-pieces.ts';

/** Maximum number of lists of a file that are tables. */
const maxLists = 1000;
/** Maximum number of values outside of lists that are kept, and the characters of each. */
const maxEntries = 1000;
const maxEntryChars = 300;

/** A list of a file. */
export interface JsonList {
  /** The log that it belongs to, from 1; 0: none. */
  readonly log: number;
  readonly path: string;
  readonly columns: JsonColumns;
  /** The first elements, of the lists of curves only. */
  readonly starts: readonly JsonObject[];
  readonly rows: number;
  readonly chars: number;
  /** The first element that isn't an object. */
  readonly other: JsonPiece | null;
}

/** A value outside of lists. */
export interface JsonEntry {
  readonly log: number;
  readonly path: string;
  readonly value: string;
}

/** The lists of a file of JSON, and the values beside them. */
export interface JsonSurvey {
  readonly what: PieceKind;
  readonly lists: readonly JsonList[];
  readonly entries: readonly JsonEntry[];
  /** Characters of the values outside of lists. */
  readonly entryChars: number;
}

interface SurveyedFile extends Pick<OpenOptions, 'fileName' | 'signal' | 'onRead'> {
  readonly source: Source;
}

/** The path of the curves of a JSON Well Log. */
export const curvesPath = 'curves';

class Survey {
  readonly lists = new Map<
    string,
    { -readonly [Key in keyof JsonList]: JsonList[Key] } & { starts: JsonObject[] }
  >();
  readonly entries: JsonEntry[] = [];
  entryChars = 0;
  readonly #fileName: string;

  constructor(fileName: string) {
    this.#fileName = fileName;
  }

  add(piece: JsonPiece): void {
    if (piece.place === 0) this.#addEntry(piece);
    else this.#addElement(piece);
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
    const object = parsedRecord(this.#fileName, piece);
    if (piece.path === curvesPath && list.starts.length < maxColumns) list.starts.push(object);
    list.columns.add(recordOf(object), piece.line);
  }

  #listOf({ log, path }: JsonPiece) {
    const key = `${log} ${path}`;
    const existing = this.lists.get(key);
    if (existing) return existing;
    if (this.lists.size >= maxLists)
      throw unsuitable(this.#fileName, `it has more than ${maxLists.toLocaleString('en')} lists`);
    const list = {
      log,
      path,
      columns: new JsonColumns(this.#fileName),
      starts: [],
      rows: 0,
      chars: 0,
      other: null,
    };
    this.lists.set(key, list);
    return list;
  }
}

function valueOf(text: string): JsonValue {
  try {
    return parseJson(text);
  } catch {
    return null;
  }
}

/** The object of a piece. @throws AppError file_unsuitable with the line */
export function parsedRecord(fileName: string, { text, place, line }: JsonPiece): JsonObject {
  const object = objectOf(text);
  if (!object) throw unsuitable(fileName, `element ${place} is not valid JSON`, line);
  return object;
}

/**
 * Reads a whole file of JSON for the lists that it has. A file of several objects is surveyed as a list of them.
 * @throws AppError file_unsuitable with the line, file_unreadable, cancelled
 */
export function surveyOf(file: SurveyedFile, what: PieceKind): JsonSurvey {
  const { source, fileName, signal, onRead } = file;
  const survey = new Survey(fileName);
  try {
    for (const batch of jsonPieces(source, fileName, what, signal)) {
      for (const piece of batch) survey.add(piece);
      onRead?.();
    }
  } catch (error) {
    if (error instanceof SeveralValues) return surveyOf(file, 'values');
    throw error;
  }
  return { what, lists: [...survey.lists.values()], entries: survey.entries, entryChars: survey.entryChars };
}
