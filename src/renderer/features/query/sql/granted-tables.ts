import { useEffect, useMemo } from 'react';
import { useApp, useAppState } from '../../../contexts.ts';
import { valueOr } from '../../../state/loadable.ts';
import type { GrantedTable } from './sql-tables.ts';

/** A table that the application offers, with its number of rows. */
export interface OfferedTable extends GrantedTable {
  readonly rows: number;
}

const maxExports = 10;

/** The mirrors and the exported files that can become tables. */
export function useGrantedTables() {
  const { actions } = useApp().mirrors;
  const list = useAppState('mirrors', (state) => state.list);
  const jobs = useAppState('jobs', (state) => state.jobs);
  useEffect(() => void actions.load(), [actions]);
  return useMemo(() => {
    const mirrors = valueOr(list, []).flatMap(({ name, folder, content }): OfferedTable[] =>
      content ? [{ kind: 'folder', name, token: folder, rows: content.rows }] : [],
    );
    const exports = jobs.flatMap((job): OfferedTable[] => {
      if (job.kind !== 'export' || job.state !== 'done' || !job.result) return [];
      const { rows } = job.result;
      return job.artifacts.flatMap(({ kind, name, token }) =>
        kind === 'result' ? [{ kind: 'file', name, token, rows }] : [],
      );
    });
    return { mirrors, exports: exports.slice(0, maxExports) };
  }, [list, jobs]);
}
