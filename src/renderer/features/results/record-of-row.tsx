import { useMemo } from 'react';
import { words } from '../../words/words.ts';
import { RecordDetail } from './record-detail.tsx';
import type { RecordPart } from './record-parts.ts';
import { useTab, useTabState } from '../../contexts.ts';

/** The record of the selected row; until it is loaded, the one before. */
export function RecordOfRow() {
  const { actions } = useTab('results');
  const { onFilter } = useTab('links');
  const zone = useTab('zone');
  const wellNames = useTab('wellNames');
  const names = useTab('names');
  const changes = useTab('changes');
  const stored = useTabState('results', (state) => state.units);
  const units = useMemo(() => ({ unitOf: (path: string) => stored.get(path), changes }), [stored, changes]);
  const record = useTabState('results', (state) => state.record);
  const row = useTabState('results', ({ recordRow, selected }) => recordRow ?? selected ?? 0);
  const filter = async ({ path, value }: RecordPart) => {
    if (onFilter && !(await onFilter(path.join('.'), value))) actions.showNotice(words.results.notFiltered);
  };
  const isFind = useTabState('results', ({ lastResult }) => lastResult?.asked.kind === 'find');
  return (
    <RecordDetail
      key={row}
      record={record}
      zone={zone}
      names={names}
      wellNames={wellNames}
      units={units}
      name={words.record.number(row + 1)}
      onRetry={() => void actions.select(row)}
      onClose={() => void actions.select(null)}
      onNotice={actions.showNotice}
      onFilter={isFind && onFilter ? (part) => void filter(part) : undefined}
    />
  );
}
