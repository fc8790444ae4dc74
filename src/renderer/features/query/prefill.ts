import type { DatasetType } from '../../../shared/datasets.ts';
import { startingQuery } from '../../../shared/language/scope.ts';
import { scopeOf, type ScopedWell } from '../wells/wells.ts';
import type { FindInputs } from './inputs.ts';

/** What the editor of a dataset starts with: the scope of these wells by their asset ids, newest first. */
export function prefill(type: DatasetType | null, wells: readonly ScopedWell[]): FindInputs {
  const { query, sort, limit } = startingQuery(type, scopeOf(wells));
  return { query, sort, limit: String(limit), fields: '', skip: '0' };
}
