import { parseJson } from '../../../../../shared/json.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { cellOf, eachLeaf, hasRepeatedNames } from '../../reading/ndjson.ts';
import { startText } from '../../reading/encoding.ts';
import { openSource, type Source } from '../../reading/source.ts';
import type { SourceAdapter, SourceFile, SourceRow, SourceWarning } from '../source.ts';
import { recordOf } from './geojson.ts';
import { jsonPieces, type JsonPiece } from './json-pieces.ts';
import { parsedRecord, surveyOf } from './json-survey.ts';
import { contentOf } from './json-tables.ts';
import type { JsonContent, JsonTable } from './json-content.ts';

/** Maximum size of a file that can be a single row, in bytes. */
const maxWholeBytes = 1 << 20;

/** JSON with lists of records: an array, as Wellbench exports it, an object around arrays, GeoJSON, a JSON Well Log. */
export const json: SourceAdapter = {
  format: 'json',
  recognize: (start) => /^\s*(?:\[\s*(?:\{|\]\s*$)|\{\s*(?:"|\}\s*$))/.test(startText(start)),
  async open(path, { fileName, signal, onRead }) {
    const source = openSource(path, fileName);
    try {
      const start = startText(source.sample());
      const isSmall = source.bytes <= maxWholeBytes;
      const content = contentOf({ fileName, start, isSmall }, (what) =>
        surveyOf({ source, fileName, signal, onRead }, what),
      );
      return new JsonFile(source, fileName, content);
    } catch (error) {
      source.close();
      throw error;
    }
  },
};

class JsonFile implements SourceFile {
  readonly format = 'json';
  readonly placeKind = 'element';
  readonly header: JsonContent['header'];
  readonly warnings: SourceWarning[];
  readonly tables: readonly JsonTable[];
  readonly #source: Source;
  readonly #fileName: string;

  constructor(source: Source, fileName: string, { tables, header, warnings }: JsonContent) {
    this.#source = source;
    this.#fileName = fileName;
    this.tables = tables;
    this.header = header;
    this.warnings = [...warnings];
  }

  async *readRows(index: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const table = this.tables[index];
    if (!table) return;
    const { what, log, path } = table.pieces;
    const rows = new TableRows(table, this.#fileName);
    for (const batch of jsonPieces(this.#source, this.#fileName, what, signal)) {
      const pieces = batch.filter((piece) => piece.place > 0 && piece.log === log && piece.path === path);
      if (pieces.length > 0) yield pieces.map((piece) => rows.rowOf(piece));
    }
    const { count, place } = rows.repeatedNames;
    const message = `Elements with the same name twice in an object: ${count}. The last value is used; check that the others aren’t needed.`;
    if (count > 0) this.warnings.push({ code: 'repeated_names', message, place, table: index, count });
  }

  async close(): Promise<void> {
    this.#source.close();
  }
}

class TableRows {
  /** Number of rows with the same name twice in an object, and the first. */
  readonly repeatedNames = { count: 0, place: 0 };
  readonly #fileName: string;
  readonly #places: ReadonlyMap<string, number> | null;

  constructor({ paths }: JsonTable, fileName: string) {
    this.#fileName = fileName;
    this.#places = paths && new Map(paths.map((path, at) => [path, at]));
  }

  rowOf(piece: JsonPiece): SourceRow {
    return {
      cells: this.#places ? this.#recordCells(piece, this.#places) : this.#listCells(piece),
      place: piece.place,
    };
  }

  #recordCells(piece: JsonPiece, places: ReadonlyMap<string, number>): (string | null)[] {
    const record = parsedRecord(this.#fileName, piece);
    if (hasRepeatedNames(piece.text, record) && this.repeatedNames.count++ === 0)
      this.repeatedNames.place = piece.place;
    const cells: (string | null)[] = Array.from({ length: places.size }, () => null);
    eachLeaf(recordOf(record), (path, leaf) => {
      const at = places.get(path);
      if (at !== undefined) cells[at] = cellOf(leaf);
    });
    return cells;
  }

  #listCells({ text, place, line }: JsonPiece): (string | null)[] {
    try {
      const values = parseJson(text);
      if (Array.isArray(values)) return values.map(cellOf);
    } catch {
      // Reported below, like a row that isn't a list.
    }
    throw unsuitable(this.#fileName, `row ${place} of its data is no valid list`, line);
  }
}
