import { columnTexts, pathNames } from '../../../../shared/column-paths.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import { eachLeaf, hasRepeatedNames, JsonColumns, objectOf } from '../../reading/json-lines.ts';
import { openSource } from '../../reading/source.ts';
import type { Source } from '../../reading/source.ts';
import type { SourceAdapter, SourceFile, SourceRow, SourceTable, SourceWarning } from '../source.ts';
import { startText } from '../text/start-text.ts';
import { unsuitable } from '../../model/unsuitable.ts';
import { arrayElements } from './array-elements.ts';
import type { ArrayElement } from './array-elements.ts';

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
): Generator<(ArrayElement & { readonly record: JsonObject })[]> {
  for (const batch of arrayElements(source, fileName, signal))
    yield batch.map(({ text, place, line }) => {
      const record = objectOf(text);
      if (!record) throw unsuitable(fileName, `element ${place} is not valid JSON`, line);
      return { text, record, place, line };
    });
}

/** The columns are the paths of all records: they are known only at the end. */
function tableOf(source: Source, fileName: string, signal: AbortSignal): JsonTable {
  const columns = new JsonColumns(fileName);
  let rows = 0;
  for (const batch of records(source, fileName, signal))
    for (const { record, line } of batch) {
      rows++;
      columns.add(record, line);
    }
  const { paths, areTexts } = columns;
  const names = columnTexts(paths);
  return {
    name: 'Records',
    paths,
    columns: paths.map((path, at) => ({
      name: names[at] ?? path,
      unit: null,
      description: null,
      type: areTexts[at] === true ? 'text' : null,
      path: pathNames(path),
    })),
    rows,
    isHidden: false,
    index: null,
    nulls: [],
  };
}

/** A table with the path of each column. */
interface JsonTable extends SourceTable {
  readonly paths: readonly string[];
}

class JsonFile implements SourceFile {
  readonly format = 'json';
  readonly placeKind = 'element';
  readonly header = [];
  readonly warnings: SourceWarning[] = [];
  readonly tables: readonly JsonTable[];
  readonly #source: Source;
  readonly #fileName: string;

  constructor(source: Source, fileName: string, table: JsonTable) {
    this.#source = source;
    this.#fileName = fileName;
    this.tables = [table];
  }

  async *readRows(index: number, signal: AbortSignal): AsyncGenerator<readonly SourceRow[]> {
    const paths = this.tables[index]?.paths ?? [];
    const places = new Map(paths.map((path, at) => [path, at]));
    const repeated = { count: 0, place: 0 };
    for (const batch of records(this.#source, this.#fileName, signal))
      yield batch.map(({ text, record, place }) => {
        if (hasRepeatedNames(text, record) && repeated.count++ === 0) repeated.place = place;
        const cells: (string | null)[] = paths.map(() => null);
        eachLeaf(record, (path, { cell }) => {
          const at = places.get(path);
          if (at !== undefined) cells[at] = cell;
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
