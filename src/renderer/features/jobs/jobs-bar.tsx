import { ChevronDown, ChevronUp, Play } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { RetryNotices } from '../workspace/retry-notices.tsx';
import { useApp, useAppState } from '../../state/contexts.ts';
import { JobAnnouncer } from './job-announcer.tsx';
import { JobBar } from './job-state.tsx';
import { isInterrupted, isActive } from './job-list.ts';
import { JobRow } from './job-row.tsx';
import { kindText, progressText } from './job-words.ts';
import './jobs.css';

export interface JobsBarProps {
  /** The number of queued files. */
  readonly queuedCount: number;
  /** The queued files, shown above the jobs. */
  readonly waitingFiles: ReactNode;
  /** Opens the ledger of an upload. */
  readonly onOpenUpload: (job: Job) => void;
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
  const { show } = useApp().jobs.actions;
  const running = isActive(jobs);
  const active = running.filter(({ state }) => state === 'running').length;
  const first = running.find(({ state }) => state === 'running') ?? running[0];
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
          {words.jobs.summary(active, running.length - active, jobs.length)}
        </span>
      </Button>
      {first && !open && (
        <>
          <span className="jobs-bar">
            <JobBar job={first} />
          </span>
          <span className="jobs-first row numbers">
            <span className="ellipsis">
              {kindText(first)} {first.file}
            </span>{' '}
            <span className="quiet">
              {[
                ...progressText(first),
                ...(running.length > 1 ? [words.jobs.more(running.length - 1)] : []),
                ...(queuedCount > 0 ? [words.jobs.inLineCount(queuedCount)] : []),
              ].join(' · ')}
            </span>
          </span>
        </>
      )}
      <InterruptedJobs />
      <RetryNotices />
    </div>
  );
}

/** Jobs that a crash or a restart interrupted, with a button to resume them. */
function InterruptedJobs() {
  const left = useAppState('jobs', (state) => isInterrupted(state.jobs).length);
  const { resumeInterrupted } = useApp().jobs.actions;
  if (left === 0) return null;
  return (
    <span className="row">
      <span className="numbers">{words.jobs.interrupted(left)}</span>
      <Button icon={Play} onPress={() => void resumeInterrupted()}>
        {words.jobs.resumeAll(left)}
      </Button>
    </span>
  );
}

function JobList({ waitingFiles, onOpenUpload }: Omit<JobsBarProps, 'queuedCount'>) {
  const jobs = useAppState('jobs', (state) => state.jobs);
  const error = useAppState('jobs', (state) => state.error);
  return (
    <section className="jobs-panel" aria-label={words.jobs.list}>
      {error && <Alert tone="error">{error.message}</Alert>}
      {waitingFiles}
      {jobs.length === 0 ? (
        !error && <p className="jobs-none quiet">{words.jobs.none}</p>
      ) : (
        <ul>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} onOpenUpload={onOpenUpload} />
          ))}
        </ul>
      )}
    </section>
  );
}
