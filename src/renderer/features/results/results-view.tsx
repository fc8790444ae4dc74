import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { formatElapsed } from '../../format/times.ts';
import { monotonicClock, useNow } from '../../state/use-now.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { loadGrid } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { TabContext, useTab, useTabState } from '../../contexts.ts';
import type { QueryLinks } from './links.ts';
import type { Result, Results } from './results.ts';
import './results.css';

// Loaded while the user types the query: the first screen doesn't need it.
const loadLoadedResult = () =>
  import('./loaded-result.tsx').then((found) => ({ default: found.LoadedResult }));
const FullAnswer = lazy(loadLoadedResult);

export interface ResultsViewProps {
  readonly results: Results;
  /** Links to the query; the caller has to keep the object stable. */
  readonly links?: QueryLinks;
  /** Whether the query changed after this result. */
  readonly isEarlier?: boolean;
  /** Runs the query as typed. */
  readonly onRun: () => void;
}

const emptyLinks: QueryLinks = {};

/** The result of a query, in each of its states. */
export function ResultsView({ results, links = emptyLinks, isEarlier = false, onRun }: ResultsViewProps) {
  useEffect(() => {
    void loadLoadedResult();
    void loadGrid();
  }, []);
  return (
    <TabContext value={useMemo(() => ({ results, links }), [results, links])}>
      <section className="results-answer" aria-label={words.results.region}>
        {isEarlier && <EarlierNotice onRun={onRun} />}
        <div className="answer-place">
          <ResultContent onRun={onRun} />
        </div>
      </section>
    </TabContext>
  );
}

/** Says that a result or an error belongs to an earlier query. */
function EarlierNotice({ onRun }: Pick<ResultsViewProps, 'onRun'>) {
  const status = useTabState('results', (state) => state.answer.status);
  if (status !== 'loaded' && status !== 'failed') return null;
  return (
    <Alert
      isStrip
      tone="info"
      actions={
        <Button variant="quiet" onPress={onRun}>
          {words.results.runAgain}
        </Button>
      }
    >
      {words.results.earlier[status]}
    </Alert>
  );
}

function ResultContent({ onRun }: Pick<ResultsViewProps, 'onRun'>) {
  const answer = useTabState('results', (state) => state.answer);
  const last = useTabState('results', (state) => state.lastResult);
  return (
    <>
      {last && <LastResult answered={last} isHidden={answer.status !== 'loaded'} />}
      <StatusView onRun={onRun} />
    </>
  );
}

/** A result. While the next query runs, it is hidden but stays mounted. */
function LastResult({ answered, isHidden }: { answered: Result; isHidden: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // Hidden elements can't have the focus: the next view takes it.
    const { activeElement } = document;
    if (isHidden && activeElement instanceof HTMLElement && place.current?.contains(activeElement))
      activeElement.blur();
  }, [isHidden]);
  return (
    <div ref={place} className={isHidden ? 'answer-last answer-aside' : 'answer-last'}>
      <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
        <FullAnswer answered={answered} />
      </Suspense>
    </div>
  );
}

/** The view without a result. */
function StatusView({ onRun }: Pick<ResultsViewProps, 'onRun'>) {
  const answer = useTabState('results', (state) => state.answer);
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
    <Loading what={words.results.running(dataset.dataset)} onCancel={actions.cancel}>
      {/* Screen readers should not read ten updates a second. */}
      <span aria-hidden className="numbers">
        {formatElapsed(now - since)}
      </span>
    </Loading>
  );
}
