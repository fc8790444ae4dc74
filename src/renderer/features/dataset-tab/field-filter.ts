import type { DatasetType, ScopeField } from '../../../shared/datasets/datasets.ts';
import type { DatasetField } from '../../../shared/datasets/fields.ts';
import { nameOf, scopeCondition } from '../../../shared/language/scope.ts';
import type { ScopedWell } from '../../../shared/wells/scope.ts';
import { wellIdsOf } from '../datasets/well-ids.ts';

/**
 * A starting query that filters by a field within the wells: one of its texts, a range from an example value,
 * or the example itself. Null: no value is known.
 */
export function filterFor(
  field: DatasetField,
  type: DatasetType | null,
  wells: readonly ScopedWell[],
  scope: ScopeField | null,
): string | null {
  const condition = conditionOf(field);
  if (condition === null) return null;
  const { assets, companies } = wellIdsOf(wells);
  const scoped = scopeCondition(type, assets.length > 0, { field: scope, companies });
  const isScopeField = `${nameOf(field.path)}: ${condition}`;
  // A condition on the scope field replaces the scope.
  return scoped === null || field.path === scope ? `{ ${isScopeField} }` : `{ ${scoped}, ${isScopeField} }`;
}

function conditionOf({ types, values, example }: DatasetField): string | null {
  if (values && values.length > 1)
    return `{ $in: [${values.map((text) => JSON.stringify(text)).join(', ')}] }`;
  // Lists, objects, and truncated texts can't be compared.
  if (example === undefined || types.includes('array') || example.endsWith('…"')) return null;
  return types.includes('number') || types.includes('integer') || types.includes('date')
    ? `{ $gte: ${example} }`
    : example;
}
