import { datasetShapes, type DatasetType } from '../../../shared/datasets/datasets.ts';
import { nameOf } from '../../../shared/language/scope.ts';
import type { RangeField } from '../../../shared/language/text/range.ts';
import { writeRange } from '../../../shared/language/text/range.ts';

/** A place alone is shown with the records around it: a minute of time, or ten units of depth. */
const around = { time: 30_000, depth: 5 } as const;

/**
 * A query for the records of a range of its index.
 * @param field the index field
 * @param to equals `from` for a single place
 */
export function queryOfRange(query: string, field: string, from: number, to: number): string {
  const of: RangeField['of'] = field === 'measured_depth' ? 'depth' : 'time';
  const margin = to > from ? 0 : around[of];
  const bound = (value: number) =>
    of === 'depth'
      ? ({ kind: 'depth', depth: value } as const)
      : ({ kind: 'time', ms: Math.round(value) } as const);
  return (
    writeRange(query, { path: field, of }, { from: bound(from - margin), to: bound(to + margin) }) ?? query
  );
}

/** A query for the records of some wells; without wells, for all records. */
export function queryOfWells(type: DatasetType | null, assetIds: readonly number[]): string {
  if (assetIds.length === 0) return '{}';
  const field = nameOf(type === null ? 'asset_id' : datasetShapes[type].scopeField);
  return `{ ${field}: ${assetIds.length === 1 ? assetIds[0] : `{ $in: [${assetIds.join(', ')}] }`} }`;
}
