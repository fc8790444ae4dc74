import { useStore } from 'zustand';
import { useApp, useAppState, useSession } from '../../state/contexts.ts';
import { Bar } from '../../ui/bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { isStoppable } from '../jobs/job-list.ts';
import { canResume, errorText, progressText, stateText } from '../jobs/job-words.ts';
import { rangeFieldOf } from '../../../shared/language/text/range.ts';
import { QualityView } from './quality-view.tsx';
import type { QualityTab } from './quality-tab.ts';
import { queryOfRange } from './range-query.ts';
import './quality.css';

/** A check of a dataset: what is checked, its progress, and its report. */
export default function QualityTabView({ tab }: { tab: QualityTab }) {
  const { dataset } = tab;
  const w = words.quality.tab;
  return (
    <section className="quality-tab" aria-label={w.region(`${dataset.provider}/${dataset.dataset}`)}>
      <RequestForm tab={tab} />
      <Report tab={tab} />
    </section>
  );
}

function RequestForm({ tab }: { tab: QualityTab }) {
  const { actions, store } = tab;
  const form = useStore(store, (state) => state.form);
  const isStarting = useStore(store, (state) => state.isStarting);
  const problem = useStore(store, (state) => state.problem);
  const w = words.quality.tab;
  return (
    <form
      className="quality-form"
      onSubmit={(event) => {
        event.preventDefault();
        void actions.start();
      }}
    >
      <TextField
        name="query"
        mono
        label={w.query}
        value={form.query}
        onChange={(query) => actions.change({ query })}
      />
      <TextField
        name="fields"
        label={w.fields}
        value={form.fields}
        placeholder={w.allFields}
        onChange={(fields) => actions.change({ fields })}
      />
      <TextField
        name="step"
        label={w.step}
        value={form.step}
        placeholder={w.anyStep}
        onChange={(step) => actions.change({ step })}
      />
      <Button type="submit" variant="primary" isPending={isStarting}>
        {w.start}
      </Button>
      {problem && <Failed error={problem} />}
    </form>
  );
}

function Report({ tab }: { tab: QualityTab }) {
  const { dataset, store, actions } = tab;
  const jobId = useStore(store, (state) => state.job);
  const report = useStore(store, (state) => state.report);
  const job = useAppState('jobs', ({ jobs }) => jobs.find(({ id }) => id === jobId));
  const { cancel, resume } = useApp().jobs.actions;
  const { datasetLinks } = useSession();
  const { query } = useStore(store, (state) => state.form);
  const w = words.quality.tab;
  if (report.status === 'loaded') {
    const field = rangeFieldOf(dataset.type);
    return (
      <QualityView
        report={report.value}
        title={dataset.friendlyName || dataset.dataset}
        zone={null}
        onShow={
          field === null
            ? undefined
            : (from, to) => datasetLinks.openQuery(dataset, queryOfRange(query, field, from, to))
        }
      />
    );
  }
  if (report.status === 'failed') return <Failed error={report.error} onRetry={actions.follow} />;
  if (jobId === null) return <Empty>{w.idle}</Empty>;
  if (!job || report.status === 'loading') return <Loading what={words.quality.loading} />;
  const { rows, totalRows } = job.progress;
  const error = errorText(job);
  return (
    <div className="quality-progress stack gap-3">
      <Bar label={words.quality.loading} share={totalRows === null ? null : rows / Math.max(1, totalRows)} />
      <Status className="numbers">{[stateText(job), ...progressText(job)].join(' · ')}</Status>
      {error !== null && <p className="tone-error">{error}</p>}
      <div className="row">
        {isStoppable(job.state) && <Button onPress={() => void cancel(job.id)}>{words.cancel}</Button>}
        {canResume(job) && (
          <Button
            onPress={() => {
              void resume(job.id).then(actions.follow);
            }}
          >
            {words.jobs.resume}
          </Button>
        )}
      </div>
    </div>
  );
}
