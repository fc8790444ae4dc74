import type { DatasetType } from '../../../shared/datasets/datasets.ts';
import { datasetShapes } from '../../../shared/datasets/shapes.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { canBeWindowed } from './request.ts';
import type { WindowField } from './rule.ts';

const indexFields: ReadonlySet<string> = new Set(
  Object.values(datasetShapes).flatMap(({ indexField }) => indexField ?? []),
);

/**
 * The key field of pages: the sort field, if the dataset has an index on it and the user's condition on it
 * can be combined with a window. `_id` may follow it in the sort.
 * @returns null if pages need `skip`
 */
export function windowsFor(
  type: DatasetType | null,
  query: JsonObject,
  sort: JsonObject,
): WindowField | null {
  const [first, second, ...others] = Object.entries(sort);
  if (!first || others.length > 0 || (second && second[0] !== '_id')) return null;
  const [field, direction] = first;
  const isIndexed = type === null ? indexFields.has(field) : datasetShapes[type].indexField === field;
  if (!(isIndexed || field === '_id') || !canBeWindowed(query, field)) return null;
  return { field, direction: direction === -1 ? -1 : 1, tie: second?.[1] === -1 ? -1 : 1 };
}
