import { useMemo } from 'react';
import { Button } from '../../ui/button.tsx';
import { ListAge } from '../../ui/list-age.tsx';
import { Status } from '../../ui/status.tsx';
import { useSession, useSessionState } from '../../contexts.ts';
import { words } from '../../words/words.ts';
import { useSelectedWells } from '../tabs/use-tab-wells.ts';

export interface DatasetFootProps {
  readonly shown: number;
  readonly all: number;
  readonly onLoad: () => void;
}

/** The number of datasets, the age of the list, and the progress of the search for data. */
export function DatasetFoot({ shown, all, onLoad }: DatasetFootProps) {
  return (
    <>
      <Age onLoad={onLoad} />
      <HoldingsProgress />
      <Status className="list-foot quiet numbers">{words.datasets.shown(shown, all)}</Status>
    </>
  );
}

/** Says when the list is outdated. */
function Age({ onLoad }: { onLoad: () => void }) {
  const freshness = useSessionState('datasets', (state) => state.freshness);
  if (freshness.isLoading && !freshness.isStale)
    return <Status className="list-foot quiet">{words.datasets.stillLoading}</Status>;
  if (!freshness.isStale && !freshness.error) return null;
  return (
    <div className="list-foot">
      <ListAge freshness={freshness} onAgain={onLoad} />
    </div>
  );
}

function HoldingsProgress() {
  const hasWells = useSelectedWells().length > 0;
  const only = useSessionState('datasets', (state) => state.isHoldingOnly) && hasWells;
  const asking = useSessionState('datasets', (state) => state.holdings.request);
  const known = useSessionState('datasets', (state) => state.holdings.known);
  const problems = useMemo(
    () => [...known.values()].flatMap(({ problem }) => (problem ? [problem.code] : [])),
    [known],
  );
  const { stopHoldings, resumeHoldings } = useSession().datasets.actions;
  if (!only) return null;
  const forbidden = problems.filter((code) => code === 'forbidden').length;
  const failedOnes = words.datasets.notAsked(forbidden, problems.length - forbidden);
  if (asking.status === 'running')
    return (
      <div className="list-foot list-foot-line">
        <Status className="list-foot-text numbers">
          {words.datasets.asked(asking.checkedCount, asking.total)} {failedOnes}
        </Status>
        <Button variant="quiet" size="small" onPress={stopHoldings}>
          {words.datasets.stop}
        </Button>
      </div>
    );
  if (asking.status === 'stopped')
    return (
      <div className="list-foot list-foot-line">
        <Status className="list-foot-text">{asking.error?.message ?? words.datasets.stopped}</Status>
        <Button variant="quiet" size="small" onPress={resumeHoldings}>
          {words.datasets.askOn}
        </Button>
      </div>
    );
  if (failedOnes === '') return null;
  return <Status className="list-foot list-foot-text">{failedOnes}</Status>;
}
