import { useState } from 'react';
import { sameHeads } from '../records/heads.ts';
import type { ColumnHead } from '../records/table.ts';

/** The columns as they were where nothing of them changed: a grid has no need to make its own anew. */
export function useHeads(columns: readonly ColumnHead[]): readonly ColumnHead[] {
  const [kept, keep] = useState(columns);
  if (kept === columns || sameHeads(kept, columns)) return kept;
  keep(columns);
  return columns;
}
