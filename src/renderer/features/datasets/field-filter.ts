import type { DatasetType, ScopeField } from '../../../shared/datasets/datasets.ts';
import type { DatasetField } from '../../../shared/datasets/fields.ts';
import { nameOf, scopeCondition } from '../../../shared/language/scope.ts';
import type { ScopedWell } from '../wells/scope.ts';
import { chosenWells } from './chosen-wells.ts';

/**
 * A query that filters by a field, to begin with: one of its texts, a value from an example on, or the example itself;
 * within the wells. Null where nothing is known to filter by.
 */
export function filterFor(
  field: DatasetField,
  type: DatasetType | null,
  wells: readonly ScopedWell[],
  scope: ScopeField | null,
): string | null {
  const condition = conditionOf(field);
  if (condition === null) return null;
  const { assets, companies } = chosenWells(wells);
  const scoped = scopeCondition(type, assets, { field: scope, companies });
  const own = `${nameOf(field.path)}: ${condition}`;
  // A field that scopes is filtered by itself.
  return scoped === null || field.path === scope ? `{ ${own} }` : `{ ${scoped}, ${own} }`;
}

function conditionOf({ types, values, example }: DatasetField): string | null {
  if (values && values.length > 1)
    return `{ $in: [${values.map((text) => JSON.stringify(text)).join(', ')}] }`;
  // A list or an object is no value to compare with, and a text that was cut off is none of the dataset's.
  if (example === undefined || types.includes('array') || example.endsWith('…"')) return null;
  return types.includes('number') || types.includes('integer') || types.includes('date')
    ? `{ $gte: ${example} }`
    : example;
}
