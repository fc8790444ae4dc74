import { useMemo } from 'react';
import { useStore } from 'zustand';
import { pathId } from '../../../shared/column-paths.ts';
import { useTab } from '../../contexts.ts';
import type { CalculatedHead } from './grid-columns.ts';

/** What the headers of calculated columns say, by path id. */
export function useCalculatedHeads(): ReadonlyMap<string, CalculatedHead> {
  const { calculated } = useTab('results');
  const { columns, facts } = useStore(calculated.store);
  return useMemo(
    () =>
      new Map(
        columns.map(({ name, expression }) => {
          const id = pathId([name]);
          return [id, { expression, problem: facts.get(id)?.problem ?? null }];
        }),
      ),
    [columns, facts],
  );
}
