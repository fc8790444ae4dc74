import { datasetShapes } from '../../../shared/datasets/datasets.ts';
import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import type { RowPrint } from '../preparing/prints.ts';

type Path = readonly string[];

/**
 * The ways to ask for rows by key, the narrowest first; an empty key is the whole dataset. A string filter may not
 * match stored dates, so time series have a second way.
 */
export function keysFor(type: DatasetType | null, telling: Path | null): (readonly Path[])[] {
  if (type === 'time' || type === 'depth' || type === 'timeseries') {
    const { scopeField, indexField, indexScope } = datasetShapes[type];
    const scope = scopeField.split('.');
    const index = [...(indexScope ? [[indexScope]] : []), ...(indexField ? [[indexField]] : [])];
    return type === 'timeseries' ? [[scope, ...index], [scope]] : [[scope, ...index]];
  }
  return telling ? [[telling], []] : [[]];
}

type Scalar = string | number | bigint | boolean;
const isScalar = (value: JsonValue | undefined): value is Scalar =>
  value !== undefined && value !== null && typeof value !== 'object';

/** The query for rows with these keys; a path that a row has no value at is not asked for. */
export function queryFor(key: readonly Path[], rows: readonly Pick<RowPrint, 'values'>[]): JsonObject {
  const query: JsonObject = {};
  key.forEach((path, at) => {
    const values = rows.map((row) => row.values[at]);
    if (!values.every(isScalar)) return;
    const [only, ...others] = new Set(values);
    if (only === undefined) return;
    query[path.join('.')] = others.length === 0 ? only : { $in: [only, ...others] };
  });
  return query;
}
