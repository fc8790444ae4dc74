import { useState, useSyncExternalStore } from 'react';
import type { ResultShape } from '../records/result.ts';
import type { Records } from '../records/records.ts';
import { sameHeads } from '../records/columns.ts';
import type { ColumnHead } from '../records/table.ts';

/** The shape of a result as it grows. */
export const useShape = (records: Records): ResultShape =>
  useSyncExternalStore(records.onGrow, records.shape);

/** The same array while columns are unchanged, so that the grid keeps its own. */
export function useStableColumns(columns: readonly ColumnHead[]): readonly ColumnHead[] {
  const [kept, keep] = useState(columns);
  if (kept === columns || sameHeads(kept, columns)) return kept;
  keep(columns);
  return columns;
}
