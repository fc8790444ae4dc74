import { lazy, Suspense, useEffect, useMemo } from 'react';
import { datasetName } from '../../../shared/datasets/datasets.ts';
import { formatElapsed } from '../../format/times.ts';
import { formatZoned, localZone } from '../../format/zoned.ts';
import { monotonicClock, useNow } from '../../state/use-now.ts';
import { Notice, NoticeLine } from '../../ui/notices.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { loadGrid } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { TabContext, useTab, useTabState } from '../../contexts.ts';
import type { QueryLinks, Result, Results } from './results.ts';
import './results.css';

// Loaded while the user types the query: the first screen doesn't need it.
const loadLoadedResult = () => import('./loaded-result.tsx');
const LoadedResult = lazy(loadLoadedResult);

interface ResultsViewProps {
  readonly results: Results;
  /** Links to the query; the caller has to keep the object stable. */
  readonly links: QueryLinks;
  /** Whether the query changed after this result. */
  readonly isEarlier: boolean;
  /** Runs the query as typed. */
  readonly onRun: () => void;
}

export function ResultsView({ results, links, isEarlier, onRun }: ResultsViewProps) {
  useEffect(() => {
    void loadLoadedResult();
    void loadGrid();
  }, []);
  return (
    <TabContext value={useMemo(() => ({ results, links }), [results, links])}>
      <section className="results-answer stack gap-0 full surface" aria-label={words.results.region}>
        <NoticeLine />
        {isEarlier && <EarlierNotice onRun={onRun} />}
        <div className="relative stack gap-0 fill">
          <ResultContent onRun={onRun} />
        </div>
      </section>
    </TabContext>
  );
}

/** Says that the result in view, or an error without one, belongs to an earlier query. */
function EarlierNotice({ onRun }: Pick<ResultsViewProps, 'onRun'>) {
  const status = useTabState('results', (state) => state.run.status);
  const hasResult = useTabState('results', (state) => state.lastResult !== null);
  // A failed run has a line of its own, which says how old the result is.
  if (status !== 'loaded' && (status !== 'failed' || hasResult)) return null;
  return (
    <Notice isAboutResult tone="info" action={{ text: words.results.runAgain, run: onRun }}>
      {words.results.earlier[status]}
    </Notice>
  );
}

/** The last result, which stays while the next query runs and if that fails; without one, what the query does. */
function ResultContent({ onRun }: Pick<ResultsViewProps, 'onRun'>) {
  const last = useTabState('results', (state) => state.lastResult);
  if (!last) return <StatusView onRun={onRun} />;
  return (
    <>
      <KeptNotice last={last} onRun={onRun} />
      <div className="fill">
        <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
          <LoadedResult result={last} />
        </Suspense>
      </div>
    </>
  );
}

/** Why the result in view isn't that of the last run, and from when it is. */
function KeptNotice({ last, onRun }: { last: Result } & Pick<ResultsViewProps, 'onRun'>) {
  const answer = useTabState('results', (state) => state.run);
  if (answer.status === 'running')
    return (
      <div className="answer-running box surface">
        <RunningView since={answer.since} />
      </div>
    );
  const kept = words.results.kept(formatZoned(last.loadedAt - (last.loadedAt % 1000), localZone()));
  if (answer.status === 'failed')
    return <ConnectionFailed error={answer.error} onRetry={onRun} kept={kept} />;
  if (answer.status !== 'cancelled') return null;
  return (
    <Notice isAboutResult tone="info" action={{ text: words.tryAgain, run: onRun }}>
      {words.results.cancelled} {kept}
    </Notice>
  );
}

function StatusView({ onRun }: Pick<ResultsViewProps, 'onRun'>) {
  const answer = useTabState('results', (state) => state.run);
  if (answer.status === 'loaded') return null;
  if (answer.status === 'idle') return <Empty>{words.results.idle}</Empty>;
  if (answer.status === 'running') return <RunningView since={answer.since} />;
  if (answer.status === 'cancelled')
    return (
      <Empty action={<Button onPress={onRun}>{words.tryAgain}</Button>}>{words.results.cancelled}</Empty>
    );
  return <ConnectionFailed error={answer.error} onRetry={onRun} />;
}

function RunningView({ since }: { since: number }) {
  const { dataset, actions } = useTab('results');
  const now = useNow(monotonicClock, 100, true);
  return (
    <Loading what={words.results.running(datasetName(dataset))} onCancel={actions.cancel}>
      {/* Screen readers should not read ten updates a second. */}
      <span aria-hidden className="numbers">
        {formatElapsed(now - since)}
      </span>
    </Loading>
  );
}
