import { useStore } from 'zustand';
import { Notice } from '../../ui/notices.tsx';
import { words } from '../../words/words.ts';
import { useTab } from '../../contexts.ts';
import { emptyReason } from './use-calculated-heads.ts';

/** Why calculated columns have no values. */
export function CalculatedNotices() {
  const { calculated } = useTab('results');
  const facts = useStore(calculated.store, (state) => state.facts);
  return [...facts].map(([id, fact]) => {
    const reason = emptyReason(fact);
    return (
      reason !== null && (
        <Notice key={id} tone="warning">
          {words.results.calculatedEmpty(fact.name, reason)}
        </Notice>
      )
    );
  });
}
