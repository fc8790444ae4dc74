import { isObject, parseJson } from '../../../shared/json.ts';
import type { JsonValue } from '../../../shared/json.ts';
import { createRecordWriter } from '../mapping/record-writer.ts';
import type { Rules } from '../model/rules.ts';
import { readRows } from '../reading/rows.ts';
import type { Source } from '../reading/source.ts';
import { valueAt } from './canonical.ts';
import type { Preparation } from '../mapping/preparation.ts';

export interface SurveyRequest {
  /** Where a record names its well. */
  readonly scope: readonly string[];
  /** Where a record has its place in time or depth; null: it has none. */
  readonly index: readonly string[] | null;
}

/** Which part of a dataset the rows of a file belong to. */
export interface Survey {
  /** The wells; null: some rows name none, or there are too many. */
  readonly assets: readonly number[] | null;
  /** Smallest and largest of the index; null: some rows have none. */
  readonly range: { readonly min: number; readonly max: number } | null;
}

/** More wells than this are not named in a query. */
export const mostAssets = 1000;

/** Gathers wells and places of rows. */
class Gathering {
  readonly #assets = new Set<number>();
  #assetMissing = false;
  #indexMissing = false;
  #min = Infinity;
  #max = -Infinity;

  add(asset: JsonValue | undefined, place: JsonValue | undefined): void {
    if (typeof asset !== 'number') this.#assetMissing = true;
    else if (this.#assets.size <= mostAssets) this.#assets.add(asset);
    if (typeof place !== 'number') this.#indexMissing = true;
    else {
      if (place < this.#min) this.#min = place;
      if (place > this.#max) this.#max = place;
    }
  }

  found(): Survey {
    const { size } = this.#assets;
    return {
      assets: this.#assetMissing || size > mostAssets || size === 0 ? null : [...this.#assets],
      range: this.#indexMissing || this.#min > this.#max ? null : { min: this.#min, max: this.#max },
    };
  }
}

const isAt = (at: readonly string[]) => {
  const name = at.join('.');
  return ({ path }: { readonly path: readonly string[] }): boolean => path.join('.') === name;
};

/** Reads the whole file for its wells and its range. For worker threads: it blocks. */
export function survey(source: Source, preparation: Preparation, { scope, index }: SurveyRequest): Survey {
  const { fileName, layout, rules, rows: total } = preparation;
  const wanted = [scope, ...(index ? [index] : [])].map(isAt);
  const concerns = (rule: { path: readonly string[] }): boolean => wanted.some((is) => is(rule));
  const few: Rules = {
    ...rules,
    columns: rules.columns.filter(concerns),
    constants: rules.constants.filter(concerns),
    required: [],
  };
  const write = createRecordWriter(few, layout.columns.length, { blankRows: true });
  const rows = readRows(fileName, source.read, layout, {
    byte: layout.dataStart,
    line: layout.dataLine,
  });
  const gathering = new Gathering();
  for (let count = 0; count < total; count++) {
    const row = rows.next();
    if (!row) break;
    const written = write(row);
    // A row that is rejected here is rejected later too: it belongs nowhere.
    if ('problems' in written) continue;
    const record = parseJson(written.record);
    if (isObject(record)) gathering.add(valueAt(record, scope), index ? valueAt(record, index) : undefined);
  }
  return gathering.found();
}
