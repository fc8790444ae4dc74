import { isObject, parseJson } from '../../../shared/json.ts';
import { createRecordWriter } from '../mapping/record-writer.ts';
import type { Rules } from '../mapping/rules.ts';
import { readRows } from '../reading/rows.ts';
import type { Source } from '../reading/source.ts';
import type { Preparation } from '../sending/prepare.ts';
import { valueAt } from './canonical.ts';

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
const mostAssets = 1000;

/** Reads the whole file for its wells and its range. For worker threads: it blocks. */
export function survey(source: Source, preparation: Preparation, { scope, index }: SurveyRequest): Survey {
  const { fileName, layout, rules, rows: total } = preparation;
  const wanted = [scope, ...(index ? [index] : [])].map((path) => path.join('.'));
  const concerns = ({ path }: { path: readonly string[] }): boolean => wanted.includes(path.join('.'));
  const few: Rules = {
    ...rules,
    columns: rules.columns.filter(concerns),
    constants: rules.constants.filter(concerns),
    required: [],
  };
  const write = createRecordWriter(few, layout.columns.length, { blankRows: true });
  const rows = readRows(fileName, source.read, layout, { byte: layout.dataStart, line: layout.dataLine });
  const assets = new Set<number>();
  let assetMissing = false;
  let indexMissing = index === null;
  let min = Infinity;
  let max = -Infinity;
  for (let count = 0; count < total; count++) {
    const row = rows.next();
    if (!row) break;
    const written = write(row);
    // A row that is rejected here is rejected later too: it belongs nowhere.
    if ('problems' in written) continue;
    const record = parseJson(written.record);
    if (!isObject(record)) continue;
    const asset = valueAt(record, scope);
    if (typeof asset === 'number' && assets.size <= mostAssets) assets.add(asset);
    else if (typeof asset !== 'number') assetMissing = true;
    const place = index ? valueAt(record, index) : undefined;
    if (typeof place !== 'number') indexMissing = true;
    else {
      min = Math.min(min, place);
      max = Math.max(max, place);
    }
  }
  return {
    assets: assetMissing || assets.size > mostAssets || assets.size === 0 ? null : [...assets],
    range: indexMissing || min > max ? null : { min, max },
  };
}
