import { useMemo, useState, useSyncExternalStore } from 'react';
import type { ResultShape } from '../records/result.ts';
import type { Records } from '../records/records.ts';
import { sameHeads } from '../records/columns.ts';
import { withWellNames } from '../records/well-names.ts';
import { useTab } from '../../contexts.ts';
import type { ColumnHead } from '../records/table.ts';

/** The shape of a result as it grows. */
export const useShape = (records: Records): ResultShape =>
  useSyncExternalStore(records.onGrow, records.shape);

/** The columns of a result, with the names of wells if there are any. */
export function useColumns(records: Records): readonly ColumnHead[] {
  const { columns } = useShape(records);
  const hasNames = useTab('wellNames').size > 0;
  return useStableColumns(useMemo(() => (hasNames ? withWellNames(columns) : columns), [columns, hasNames]));
}

/** The same array while columns are unchanged, so that the grid keeps its own. */
export function useStableColumns(columns: readonly ColumnHead[]): readonly ColumnHead[] {
  const [kept, keep] = useState(columns);
  if (kept === columns || sameHeads(kept, columns)) return kept;
  keep(columns);
  return columns;
}
