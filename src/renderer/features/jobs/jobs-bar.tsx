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
import { interrupted, underWay } from './job-list.ts';
import { JobRow } from './job-row.tsx';
import { kindInWords, progressInWords } from './job-words.ts';
import './jobs.css';

export interface JobsBarProps {
  /** How many files wait until a job is done. */
  readonly inLine: number;
  /** Those files, shown above the jobs. */
  readonly waitingFiles: ReactNode;
  /** Opens the ledger of an upload. */
  readonly onOpenUpload: (job: Job) => void;
}

/** What is going on: a line at the bottom that opens to all jobs. */
export function JobsBar({ inLine, ...list }: JobsBarProps) {
  const open = useAppState('jobs', (state) => state.open);
  return (
    <footer className="jobs" aria-label={words.jobs.region}>
      {open && <JobList {...list} />}
      <JobLine inLine={inLine} />
      <JobAnnouncer />
    </footer>
  );
}

function JobLine({ inLine }: Pick<JobsBarProps, 'inLine'>) {
  const jobs = useAppState('jobs', (state) => state.jobs);
  const open = useAppState('jobs', (state) => state.open);
  const { show } = useApp().jobs.actions;
  const running = underWay(jobs);
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
              {kindInWords(first)} {first.file}
            </span>{' '}
            <span className="quiet">
              {[
                ...progressInWords(first),
                ...(running.length > 1 ? [words.jobs.more(running.length - 1)] : []),
                ...(inLine > 0 ? [words.jobs.inLineCount(inLine)] : []),
              ].join(' · ')}
            </span>
          </span>
        </>
      )}
      <Interrupted />
      <RetryNotices />
    </div>
  );
}

/** What a crash or a restart left unfinished, and the one click that goes on with it. */
function Interrupted() {
  const left = useAppState('jobs', (state) => interrupted(state.jobs).length);
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

function JobList({ waitingFiles, onOpenUpload }: Omit<JobsBarProps, 'inLine'>) {
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
