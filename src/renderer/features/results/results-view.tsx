import { lazy, Suspense, useEffect } from 'react';
import { formatElapsed } from '../../format/times.ts';
import { steadyClock, useNow } from '../../state/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Empty, Loading } from '../../ui/faces.tsx';
import { loadGrid } from '../../ui/grid/index.ts';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { ProvideLinks, type QuestionLinks } from './links.ts';
import { ProvideResults, useResults, useResultsState } from './context.ts';
import type { Results } from './results.ts';
import './results.css';

// The first screen needs nothing of it: what shows an answer is loaded while the question is typed.
const loadFull = () => import('./full-answer.tsx').then((found) => ({ default: found.FullAnswer }));
const FullAnswer = lazy(loadFull);

export interface ResultsViewProps {
  readonly results: Results;
  /** Ways back to the question; whoever renders keeps them the same while they do the same. */
  readonly links?: QuestionLinks;
  /** Asks again, with the question as it is typed now. */
  readonly onRun: () => void;
}

const noLinks: QuestionLinks = {};

/** What a question was answered, in each of its faces. */
export function ResultsView({ results, links = noLinks, onRun }: ResultsViewProps) {
  useEffect(() => {
    void loadFull();
    void loadGrid();
  }, []);
  return (
    <ProvideResults value={results}>
      <ProvideLinks value={links}>
        <section className="answer" aria-label={words.results.region}>
          <Answer onRun={onRun} />
        </section>
      </ProvideLinks>
    </ProvideResults>
  );
}

function Answer({ onRun }: Pick<ResultsViewProps, 'onRun'>) {
  const answer = useResultsState((state) => state.answer);
  if (answer.face === 'idle') return <Empty>{words.results.idle}</Empty>;
  if (answer.face === 'running') return <RunningFace since={answer.since} />;
  if (answer.face === 'cancelled')
    return (
      <Empty action={<Button onPress={onRun}>{words.tryAgain}</Button>}>{words.results.cancelled}</Empty>
    );
  if (answer.face === 'failed') return <ConnectionFailed error={answer.error} onRetry={onRun} />;
  return (
    <Suspense fallback={<Loading what={words.results.loadingGrid} />}>
      <FullAnswer key={answer.value.held.id} answered={answer.value} />
    </Suspense>
  );
}

function RunningFace({ since }: { since: number }) {
  const { dataset, actions } = useResults();
  const now = useNow(steadyClock, 100, true);
  return (
    <Loading what={words.results.running(dataset.dataset)} onCancel={actions.cancel}>
      {/* Ten times a second is not to be read out. */}
      <span aria-hidden className="numbers">
        {formatElapsed(now - since)}
      </span>
    </Loading>
  );
}
