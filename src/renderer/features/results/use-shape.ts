import { useState, useSyncExternalStore } from 'react';
import type { Shape } from '../records/answer.ts';
import type { Records } from '../records/records.ts';
import { sameHeads } from '../records/columns.ts';
import type { ColumnHead } from '../records/table.ts';

/** How far an answer reaches, as it grows. */
export const useShape = (records: Records): Shape => useSyncExternalStore(records.onGrow, records.shape);

/** The columns as they were where nothing of them changed: a grid has no need to make its own anew. */
export function useHeads(columns: readonly ColumnHead[]): readonly ColumnHead[] {
  const [kept, keep] = useState(columns);
  if (kept === columns || sameHeads(kept, columns)) return kept;
  keep(columns);
  return columns;
}
