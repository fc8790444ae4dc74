import { useStore } from 'zustand';
import { useEffect, type ReactNode } from 'react';
import { useApp, useAppState } from '../../contexts.ts';
import { Bar } from '../../ui/bar.tsx';
import { Button } from '../../ui/button.tsx';
import { Status } from '../../ui/status.tsx';
import { Empty, Failed, Loading } from '../../ui/view-states.tsx';
import { words } from '../../words/words.ts';
import { isActive } from '../../../shared/jobs/job-states.ts';
import { progressShare } from '../jobs/job-list.ts';
import { canResume, errorText, progressText, stateText } from '../jobs/job-words.ts';
import type { JobReport, QualityRun } from './quality-run.ts';
import './quality.css';

interface RunProgressProps {
  readonly run: QualityRun;
  /** What is done, such as `Checking records…`. */
  readonly what: string;
  /** Shown before the first start. */
  readonly idle: ReactNode;
  readonly children: (report: JobReport) => ReactNode;
}

export function RunProgress({ run, what, idle, children }: RunProgressProps) {
  const { job: jobId, isDiscarded, report, problem, isStarting } = useStore(run.store);
  const job = useAppState('jobs', ({ jobs }) => jobs.find(({ id }) => id === jobId));
  const { cancel, resume } = useApp().jobs.actions;
  // A job that had stopped can be resumed, or discarded, by another part of the window.
  const isUnread = jobId !== null && report.status === 'idle' && (!job || job.state === 'done');
  useEffect(() => {
    if (isUnread) run.follow();
  }, [isUnread, run]);
  if (problem) return <Failed error={problem} />;
  if (isStarting) return <Loading what={what} onCancel={run.cancelStart} />;
  if (report.status === 'loaded') return children(report.value);
  if (report.status === 'failed') return <Failed error={report.error} onRetry={run.follow} />;
  if (isDiscarded) return <Empty>{words.quality.discarded}</Empty>;
  if (jobId === null) return idle;
  if (!job || job.state === 'done') return <Loading what={what} />;
  const error = errorText(job);
  return (
    <div className="pad-3 stack gap-3">
      <Bar label={what} share={progressShare(job)} />
      <Status className="numbers">{[stateText(job), ...progressText(job)].join(' · ')}</Status>
      {error !== null && <p className="tone-error">{error}</p>}
      <div className="row">
        {isActive(job.state) && <Button onPress={() => void cancel(job.id)}>{words.cancel}</Button>}
        {canResume(job) && <Button onPress={() => void resume(job.id)}>{words.jobs.resume}</Button>}
      </div>
    </div>
  );
}
