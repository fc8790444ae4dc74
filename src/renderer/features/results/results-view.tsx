import { lazy, Suspense } from 'react';
import { formatBytes } from '../../format/numbers.ts';
import { formatDuration, formatElapsed, type Zone } from '../../format/times.ts';
import { steadyClock, useNow } from '../../state/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty, Loading } from '../../ui/faces.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { ConnectionFailed } from '../connections/connection-failed.tsx';
import { FollowButton } from '../live/follow-button.tsx';
import { ProvideResults, useResults, useResultsState } from './context.ts';
import { RecordGrid } from './record-grid.tsx';
import type { Answered, Results } from './results.ts';
import { useShape } from './use-shape.ts';
import './results.css';

// Not every answer is plotted: what plots is loaded with the first of them.
const ResultsPlot = lazy(() => import('../plot/results-plot.tsx'));

export interface ResultsViewProps {
  readonly results: Results;
  /** Asks again, with the question as it is typed now. */
  readonly onRun: () => void;
}

/** What a question was answered, in each of its faces. */
export function ResultsView({ results, onRun }: ResultsViewProps) {
  return (
    <ProvideResults value={results}>
      <section className="answer" aria-label={words.results.region}>
        <Answer onRun={onRun} />
      </section>
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
    <KeepFocus className="answer-full">
      <AnswerBar answered={answer.value} />
      {answer.value.records === 0 ? (
        <Empty>{words.results.none}</Empty>
      ) : (
        <Records key={answer.value.held.id} answered={answer.value} />
      )}
    </KeepFocus>
  );
}

/** The records in the view that was chosen. */
function Records({ answered }: { answered: Answered }) {
  const view = useResultsState((state) => state.view);
  if (view === 'table') return <RecordGrid answered={answered} />;
  return (
    <Suspense fallback={<Loading what={words.plot.loading} />}>
      <ResultsPlot records={answered.held} connection={answered.asked.request.connection} />
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

const views = (['table', 'plot'] as const).map((id) => ({ id, text: words.results.views[id] }));
const zones: { id: Zone; text: string }[] = [
  { id: 'utc', text: words.results.utc },
  { id: 'local', text: words.results.local },
];

function AnswerBar({ answered }: { answered: Answered }) {
  const { actions, dataset } = useResults();
  const zone = useResultsState((state) => state.zone);
  const view = useResultsState((state) => state.view);
  return (
    <div className="answer-bar">
      <Choice
        label={words.results.view}
        layout="line"
        value={view}
        options={views}
        onChange={actions.lookAt}
      />
      <Reach answered={answered} />
      <FollowButton dataset={dataset} asked={answered.asked} />
      <span className="answer-times">
        <span className="quiet">{words.results.times}</span>
        <Choice
          label={words.results.times}
          layout="line"
          value={zone}
          options={zones}
          onChange={actions.show}
        />
      </span>
    </div>
  );
}

/** How many records there are, and the way to the others where the limit was reached. */
function Reach({ answered }: { answered: Answered }) {
  const { actions } = useResults();
  const { known, complete } = useShape(answered.held);
  const limited = !answered.everything && answered.limit !== null && answered.records >= answered.limit;
  return (
    <span className="answer-reach">
      <Status className="numbers">
        {complete ? words.results.records(known) : words.results.recordsSoFar(known)}
        {limited && <span className="quiet"> ({words.results.limited})</span>}
        <span className="quiet">
          {' · '}
          {formatDuration(answered.ms)} · {formatBytes(answered.bytes)}
        </span>
      </Status>
      {limited && answered.asked.kind === 'find' && (
        <Button variant="quiet" onPress={() => void actions.showAll()}>
          {words.results.showAll}
        </Button>
      )}
    </span>
  );
}
