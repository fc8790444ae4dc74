import { useMemo } from 'react';
import { useStore } from 'zustand';
import { pathId } from '../../../shared/column-paths.ts';
import { useTab } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import type { CalculatedFacts } from '../records/calculated-pages.ts';
import type { CalculatedHead } from './grid-columns.ts';

/** Why a column has no values; null: it may have some. */
export const emptyReason = ({ problem, isOutOfReach }: CalculatedFacts): string | null =>
  problem ?? (isOutOfReach ? words.results.outOfReach : null);

/** What the headers of calculated columns say, by path id. */
export function useCalculatedHeads(): ReadonlyMap<string, CalculatedHead> {
  const { calculated } = useTab('results');
  const { columns, facts } = useStore(calculated.store);
  return useMemo(
    () =>
      new Map(
        columns.map(({ name, expression }) => {
          const id = pathId([name]);
          const fact = facts.get(id);
          const other = fact?.isOfOneSeries === true ? words.results.oneSeries : null;
          return [id, { expression, note: (fact && emptyReason(fact)) ?? other }];
        }),
      ),
    [columns, facts],
  );
}
