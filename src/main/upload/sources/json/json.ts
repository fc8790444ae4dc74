import type { JsonObject } from '../../../../shared/json.ts';
import { cellOf, eachLeaf, hasRepeatedNames, objectOf } from '../../reading/json-lines.ts';
import { maxColumns } from '../../reading/layout.ts';
import { openSource } from '../../reading/source.ts';
import type { Source } from '../../reading/source.ts';
import type { SourceAdapter, SourceFile, SourceRow, SourceTable, SourceWarning } from '../source.ts';
import { startText } from '../text/start-text.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { arrayElements } from './array-elements.ts';

/** A JSON array of records, as Wellbench exports it. */
export const json: SourceAdapter = {
  format: 'json',
  recognize: (start) => /^\s*\[\s*(?:\{|\]\s*$)/.test(startText(start)),
  async open(path, { fileName, signal }) {
    const source = openSource(path, fileName);
    try {
      return new JsonFile(source, fileName, tableOf(source, fileName, signal));
    } catch (error) {
      source.close();
      throw error;
    }
  },
};

/** The records of a file in batches, parsed. */
function* records(
  source: Source,
  fileName: string,
  signal: AbortSignal,
): Generator<{ readonly text: string; readonly record: JsonObject; readonly place: number }[]> {
  for (const batch of arrayElements(source, fileName, signal))
    yield batch.map(({ text, place, line }) => {
      const record = objectOf(text);
      if (!record) throw unsuitable(fileName, `element ${place} is not valid JSON`, line);
      return { text, record, place };
    });
}

/** The columns are the paths of all records: they are known only at the end. */
function tableOf(source: Source, fileName: string, signal: AbortSignal): SourceTable {
  const areTexts = new Map<string, boolean>();
  let rows = 0;
  for (const batch of records(source, fileName, signal))
    for (const { record, place } of batch) {
      rows++;
      eachLeaf(record, (path, leaf) => {
        if (leaf !== null) areTexts.set(path, typeof leaf === 'string' && areTexts.get(path) !== false);
        else if (!areTexts.has(path)) areTexts.set(path, true);
      });
      if (areTexts.size > maxColumns)
        throw unsuitable(
          fileName,
          `its objects have more than ${maxColumns} different names; Wellbench reads up to ${maxColumns} columns (element ${place})`,
        );
    }
  return {
    name: 'Records',
    columns: [...areTexts].map(([name, isText]) => ({
      name,
      unit: null,
      description: null,
      type: isText ? 'text' : null,
    })),
    rows,
    isHidden: false,
    index: null,
    nulls: [],
  };
}

class JsonFile implements SourceFile {
  readonly format = 'json';
  readonly placeKind = 'element';
  readonly header = [];
  readonly warnings: SourceWarning[] = [];
  readonly tables: readonly SourceTable[];
  readonly #source: Source;
  readonly #fileName: string;

  constructor(source: Source, fileName: string, table: SourceTable) {
    this.#source = source;
    this.#fileName = fileName;
    this.tables = [table];
  }

  async *readRows(index: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const columns = this.tables[index]?.columns ?? [];
    const places = new Map(columns.map(({ name }, at) => [name, at]));
    const repeated = { count: 0, place: 0 };
    for (const batch of records(this.#source, this.#fileName, signal))
      yield batch.map(({ text, record, place }) => {
        if (hasRepeatedNames(text, record) && repeated.count++ === 0) repeated.place = place;
        const cells: (string | null)[] = columns.map(() => null);
        eachLeaf(record, (path, leaf) => {
          const at = places.get(path);
          if (at !== undefined && leaf !== null) cells[at] = cellOf(leaf);
        });
        return { cells, place };
      });
    if (repeated.count > 0)
      this.warnings.push({
        code: 'repeated_names',
        message: `Elements with the same name twice in an object: ${repeated.count}. The last value is used; check that the others aren’t needed.`,
        place: repeated.place,
        table: index,
        count: repeated.count,
      });
  }

  async close(): Promise<void> {
    this.#source.close();
  }
}
