import { formatBytes } from '../../format/numbers.ts';
import { formatDuration, formatElapsed, type Zone } from '../../format/times.ts';
import { steadyClock, useNow } from '../../state/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty, Failed, Loading } from '../../ui/faces.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { ProvideResults, useResults, useResultsState } from './context.ts';
import { RecordGrid } from './record-grid.tsx';
import type { AnsweredPage, Results } from './results.ts';
import './results.css';

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
  if (answer.face === 'failed') return <Failed error={answer.error} onRetry={onRun} />;
  return (
    <KeepFocus className="answer-full">
      <AnswerBar page={answer.value} />
      {answer.value.records === 0 ? (
        <Empty>{words.results.none}</Empty>
      ) : (
        <RecordGrid table={answer.value.page.table} />
      )}
    </KeepFocus>
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

const zones: { id: Zone; text: string }[] = [
  { id: 'utc', text: words.results.utc },
  { id: 'local', text: words.results.local },
];

function AnswerBar({ page }: { page: AnsweredPage }) {
  const { actions } = useResults();
  const zone = useResultsState((state) => state.zone);
  return (
    <div className="answer-bar">
      <Status className="numbers">
        {words.results.records(page.records)}
        {page.limit !== null && page.records >= page.limit && (
          <span className="quiet"> ({words.results.limited})</span>
        )}
        <span className="quiet">
          {' · '}
          {formatDuration(page.ms)} · {formatBytes(page.bytes)}
        </span>
      </Status>
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
