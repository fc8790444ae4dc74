import { lazy, Suspense, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { formatElapsed } from '../../format/times.ts';
import { monotonicClock, useNow } from '../../state/use-now.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/view-states.tsx';
import { loadGrid } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { TabContext, useTab, useTabState } from '../../state/contexts.ts';
import type { QuestionLinks } from './links.ts';
import type { Answered, Results } from './results.ts';
import './results.css';

// The first screen needs nothing of it: what shows an answer is loaded while the question is typed.
const loadFull = () => import('./full-answer.tsx').then((found) => ({ default: found.FullAnswer }));
const FullAnswer = lazy(loadFull);

export interface ResultsViewProps {
  readonly results: Results;
  /** Ways back to the question; whoever renders keeps them the same while they do the same. */
  readonly links?: QuestionLinks;
  /** Whether the question is another one by now than that which was answered. */
  readonly isEarlier?: boolean;
  /** Asks again, with the question as it is typed now. */
  readonly onRun: () => void;
}

const noLinks: QuestionLinks = {};

/** What a question was answered, in each of its faces. */
export function ResultsView({ results, links = noLinks, isEarlier = false, onRun }: ResultsViewProps) {
  useEffect(() => {
    void loadFull();
    void loadGrid();
  }, []);
  return (
    <TabContext value={useMemo(() => ({ results, links }), [results, links])}>
      <section className="results-answer" aria-label={words.results.region}>
        {isEarlier && <EarlierNotice onRun={onRun} />}
        <div className="answer-place">
          <Answer onRun={onRun} />
        </div>
      </section>
    </TabContext>
  );
}

/** Marks an answer, or an error, as that of an earlier question. */
function EarlierNotice({ onRun }: Pick<ResultsViewProps, 'onRun'>) {
  const status = useTabState('results', (state) => state.answer.status);
  if (status !== 'loaded' && status !== 'failed') return null;
  return (
    <Alert
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

function Answer({ onRun }: Pick<ResultsViewProps, 'onRun'>) {
  const answer = useTabState('results', (state) => state.answer);
  const last = useTabState('results', (state) => state.last);
  return (
    <>
      {last && <LastAnswer answered={last} aside={answer.status !== 'loaded'} />}
      <OtherFace onRun={onRun} />
    </>
  );
}

/** An answer; while another one is asked for it stands aside, and need not be built again for that one. */
function LastAnswer({ answered, aside }: { answered: Answered; aside: boolean }) {
  const place = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // What can't be seen can't have the focus: the face that comes instead takes it.
    const { activeElement } = document;
    if (aside && activeElement instanceof HTMLElement && place.current?.contains(activeElement))
      activeElement.blur();
  }, [aside]);
  return (
    <div ref={place} className={aside ? 'answer-last answer-aside' : 'answer-last'}>
      <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
        <FullAnswer answered={answered} />
      </Suspense>
    </div>
  );
}

/** What is shown where there is no answer. */
function OtherFace({ onRun }: Pick<ResultsViewProps, 'onRun'>) {
  const answer = useTabState('results', (state) => state.answer);
  if (answer.status === 'loaded') return null;
  if (answer.status === 'idle') return <Empty>{words.results.idle}</Empty>;
  if (answer.status === 'running') return <RunningFace since={answer.since} />;
  if (answer.status === 'cancelled')
    return (
      <Empty action={<Button onPress={onRun}>{words.tryAgain}</Button>}>{words.results.cancelled}</Empty>
    );
  return <ConnectionFailed error={answer.error} onRetry={onRun} />;
}

function RunningFace({ since }: { since: number }) {
  const { dataset, actions } = useTab('results');
  const now = useNow(monotonicClock, 100, true);
  return (
    <Loading what={words.results.running(dataset.dataset)} onCancel={actions.cancel}>
      {/* Ten times a second is not to be read out. */}
      <span aria-hidden className="numbers">
        {formatElapsed(now - since)}
      </span>
    </Loading>
  );
}
