import { clockDifference, type Notice } from '../../../shared/workspace/workspace.ts';
import { ChevronDown, ChevronUp, ListX, Play, TimerReset, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { words } from '../../words/words.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { useNow } from '../../state/use-now.ts';
import { secondsUntil } from '../workspace/workspace.ts';
import { JobAnnouncer } from './job-announcer.tsx';
import { JobArtifacts } from './job-artifact.tsx';
import { JobBar, JobStateMark } from './job-state.tsx';
import { isActive } from '../../../shared/jobs/job-states.ts';
import { interruptedJobs, activeJobs } from './job-list.ts';
import { JobRow } from './job-row.tsx';
import { finishedJobs, kindText, progressText, resultText } from './job-words.ts';
import './jobs.css';

export interface JobsBarProps {
  /** The number of queued files. */
  readonly queuedCount: number;
  /** The queued files, shown above the jobs. */
  readonly waitingFiles: ReactNode;
  /** Opens the results of an upload, or the report of a check. */
  readonly onOpen: (job: Job) => void;
}

/** The current jobs in a line that expands to the list. */
export function JobsBar({ queuedCount, ...list }: JobsBarProps) {
  const open = useAppState('jobs', (state) => state.isOpen);
  return (
    <footer className="jobs" aria-label={words.jobs.region}>
      {open && <JobList {...list} />}
      <JobLine queuedCount={queuedCount} />
      <JobAnnouncer />
    </footer>
  );
}

function JobLine({ queuedCount }: Pick<JobsBarProps, 'queuedCount'>) {
  const jobs = useAppState('jobs', (state) => state.jobs);
  const open = useAppState('jobs', (state) => state.isOpen);
  const stopped = useAppState('jobs', (state) => state.stopped);
  const { show } = useApp().jobs.actions;
  const active = activeJobs(jobs);
  const running = active.filter(({ state }) => state === 'running');
  const shown = running[0] ?? active[0] ?? jobs.find(({ id }) => id === stopped);
  return (
    <div className="jobs-line row wrap">
      <Button
        variant="quiet"
        icon={open ? ChevronDown : ChevronUp}
        aria-expanded={open}
        onPress={() => show(!open)}
      >
        {words.jobs.toggle}
        <span className="quiet numbers">
          {words.jobs.summary(running.length, active.length - running.length, jobs.length)}
        </span>
      </Button>
      {open && <ClearFinished />}
      {shown && !open && <ShownJob job={shown} others={active.length - 1} queuedCount={queuedCount} />}
      <InterruptedJobs />
      <ServiceNotices />
    </div>
  );
}

interface ShownJobProps {
  readonly job: Job;
  /** The number of other jobs that run or wait. */
  readonly others: number;
  readonly queuedCount: number;
}

/** The running job, or the one that stopped last, while the list is collapsed. */
function ShownJob({ job, others, queuedCount }: ShownJobProps) {
  const isRunning = isActive(job.state);
  return (
    <ul className="jobs-shown">
      <li className="row gap-3" aria-label={`${kindText(job)} ${job.file}`}>
        {isRunning ? (
          <span className="jobs-bar">
            <JobBar job={job} />
          </span>
        ) : (
          <JobStateMark job={job} />
        )}
        <span className="jobs-first row numbers">
          <span className="ellipsis">
            {kindText(job)} {job.file}
          </span>{' '}
          <span className="quiet">
            {[
              ...(isRunning ? progressText(job) : resultText(job)),
              ...(others > 0 ? [words.jobs.more(others)] : []),
              ...(queuedCount > 0 ? [words.jobs.inLineCount(queuedCount)] : []),
            ].join(' · ')}
          </span>
        </span>
        {!isRunning && <JobArtifacts job={job} />}
      </li>
    </ul>
  );
}

/** Removes finished jobs after a confirmation: results that were not downloaded are removed too. */
function ClearFinished() {
  const count = useAppState('jobs', (state) => finishedJobs(state.jobs).length);
  const { clearFinished } = useApp().jobs.actions;
  if (count === 0) return null;
  return (
    <Popup
      heading={words.jobs.clear}
      placement="top start"
      trigger={
        <Button variant="quiet" icon={ListX}>
          {words.jobs.clear}
        </Button>
      }
    >
      {(close) => (
        <div className="stack gap-3">
          <p>{words.jobs.clearText(count)}</p>
          <div className="row wrap">
            <Button
              onPress={() => {
                close();
                void clearFinished();
              }}
            >
              {words.jobs.clear}
            </Button>
            <Button variant="quiet" onPress={close}>
              {words.cancel}
            </Button>
          </div>
        </div>
      )}
    </Popup>
  );
}

/** Jobs that a crash or a restart interrupted, with a button to resume them. */
function InterruptedJobs() {
  const count = useAppState('jobs', (state) => interruptedJobs(state.jobs).length);
  const { resumeInterrupted } = useApp().jobs.actions;
  if (count === 0) return null;
  return (
    <span className="row">
      <span className="numbers">{words.jobs.interrupted(count)}</span>
      <Button icon={Play} onPress={() => void resumeInterrupted()}>
        {words.jobs.resumeAll(count)}
      </Button>
    </span>
  );
}

function hintOf(notice: Notice): string {
  if (notice.kind === 'retry') return notice.cause;
  return notice.kind === 'clock' ? words.jobs.clockHint : words.jobs.skippedHint(notice.what);
}

/** Requests that will be retried, lists with entries that could not be read, and a clock that differs. */
function ServiceNotices() {
  const notices = useAppState('workspace', (state) => state.notices);
  const now = useNow(Date.now, 250, notices.length > 0);
  if (notices.length === 0) return null;
  return (
    <span className="retry-notices row gap-3 numbers">
      {notices.map(({ notice, at }) => {
        const Icon = notice.kind === 'retry' ? TimerReset : TriangleAlert;
        const service = words.jobs.services[notice.service];
        return (
          <span
            key={`${notice.kind} ${notice.service} ${notice.host}`}
            className="ellipsis row gap-1 tone-warning"
            title={hintOf(notice)}
          >
            <Icon size={14} aria-hidden />
            {notice.kind === 'retry'
              ? words.jobs.retry(service, secondsUntil(at, now), notice.attempt)
              : notice.kind === 'clock'
                ? words.jobs.clock(clockDifference(notice.aheadMs), service)
                : words.jobs.skipped(service, notice.count)}
          </span>
        );
      })}
    </span>
  );
}

function JobList({ waitingFiles, onOpen }: Omit<JobsBarProps, 'queuedCount'>) {
  const jobs = useAppState('jobs', (state) => state.jobs);
  const older = useAppState('jobs', (state) => state.older);
  const error = useAppState('jobs', (state) => state.error);
  const { showOlder } = useApp().jobs.actions;
  return (
    <section className="jobs-panel" aria-label={words.jobs.list}>
      {error && <Alert tone="error">{error.message}</Alert>}
      {waitingFiles}
      {jobs.length === 0 ? (
        !error && <p className="jobs-none quiet">{words.jobs.none}</p>
      ) : (
        <ul className="jobs-list">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {older > 0 && (
        <Button variant="quiet" onPress={() => void showOlder()}>
          {words.jobs.showOlder}
        </Button>
      )}
    </section>
  );
}
