import { formatBytes } from '../../format/numbers.ts';
import { formatDuration, formatElapsed, type Zone } from '../../format/times.ts';
import { steadyClock, useNow } from '../../state/use-now.ts';
import { Button } from '../../ui/button.tsx';
import { Choice } from '../../ui/choice.tsx';
import { Empty, Failed, Loading } from '../../ui/faces.tsx';
import { KeepFocus } from '../../ui/keep-focus.tsx';
import { Status } from '../../ui/status.tsx';
import { words } from '../../words/words.ts';
import { useTab, useTabState } from './context.ts';
import type { AnsweredPage } from './query-tab.ts';
import { RecordGrid } from './record-grid.tsx';

/** What the query was answered, in each of its faces. */
export function AnswerView() {
  return (
    <section className="answer" aria-label={words.query.answerRegion}>
      <Answer />
    </section>
  );
}

function Answer() {
  const { actions } = useTab();
  const answer = useTabState((state) => state.answer);
  const again = () => void actions.run();
  if (answer.face === 'idle') return <Empty>{words.query.idle}</Empty>;
  if (answer.face === 'running') return <RunningFace since={answer.since} />;
  if (answer.face === 'cancelled')
    return <Empty action={<Button onPress={again}>{words.tryAgain}</Button>}>{words.query.cancelled}</Empty>;
  if (answer.face === 'failed') return <Failed error={answer.error} onRetry={again} />;
  return (
    <KeepFocus className="answer-full">
      <AnswerBar page={answer.value} />
      {answer.value.records === 0 ? (
        <Empty>{words.query.none}</Empty>
      ) : (
        <RecordGrid table={answer.value.page.table} />
      )}
    </KeepFocus>
  );
}

function RunningFace({ since }: { since: number }) {
  const { dataset, actions } = useTab();
  const now = useNow(steadyClock, 100, true);
  return (
    <Loading what={words.query.running(dataset.dataset)} onCancel={actions.cancel}>
      {/* Ten times a second is not to be read out. */}
      <span aria-hidden className="numbers">
        {formatElapsed(now - since)}
      </span>
    </Loading>
  );
}

const zones: { id: Zone; text: string }[] = [
  { id: 'utc', text: words.query.utc },
  { id: 'local', text: words.query.local },
];

function AnswerBar({ page }: { page: AnsweredPage }) {
  const { actions } = useTab();
  const zone = useTabState((state) => state.zone);
  return (
    <div className="answer-bar">
      <Status className="numbers">
        {words.query.records(page.records)}
        {page.records >= page.limit && <span className="quiet"> ({words.query.limited})</span>}
        <span className="quiet">
          {' · '}
          {formatDuration(page.ms)} · {formatBytes(page.bytes)}
        </span>
      </Status>
      <span className="answer-times">
        <span className="quiet">{words.query.times}</span>
        <Choice
          label={words.query.times}
          layout="line"
          value={zone}
          options={zones}
          onChange={actions.show}
        />
      </span>
    </div>
  );
}
