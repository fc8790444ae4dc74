import { clockDifference, type Notice } from '../../../shared/workspace/workspace.ts';
import { ChevronDown, ChevronUp, ListX, Play, TimerReset, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { Alert } from '../../ui/alert.tsx';
import { Button } from '../../ui/button.tsx';
import { words } from '../../words/words.ts';
import { useApp, useAppState } from '../../contexts.ts';
import { useNow, minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { isOfJob } from '../connections/connections.ts';
import { secondsUntil } from '../workspace/workspace.ts';
import { JobArtifacts, JobBar, JobStateMark, JobQuestion } from './job-state.tsx';
import { isActive } from '../../../shared/jobs/job-states.ts';
import { interruptedJobs, activeJobs, isStartedSince, progressShare, totalOf } from './job-list.ts';
import {
  finishedJobs,
  kindText,
  progressText,
  resultText,
  stateText,
  durationText,
  subjectText,
  errorText,
} from './job-words.ts';
import './jobs.css';
import { Status } from '../../ui/status.tsx';
import { formatAgo } from '../../format/times.ts';
import { formatZoned, localZone } from '../../format/zoned.ts';
import { valueOr } from '../../state/loadable.ts';
import { ConfirmPopup, JobActions, type JobActionsProps } from './job-actions.tsx';

function JobRow({ job, onOpen }: Pick<JobActionsProps, 'job' | 'onOpen'>) {
  const kind = kindText(job);
  const error = errorText(job);
  const now = useTimeOfDay(minuteMs);
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  return (
    // oxlint-disable-next-line no-noninteractive-element-interactions -- its buttons do the same; this is a way for the mouse
    <li
      className="job-row items-center one-line"
      aria-label={`${kind} ${job.file}`}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
    >
      <span className="job-name min-0 row">
        <span className="ellipsis">
          {kind} <strong>{job.file}</strong> <span className="quiet">{subjectText(job).join(' · ')}</span>
        </span>
        <JobConnection job={job} />
      </span>
      <JobArtifacts job={job} />
      <span className="numbers">
        {(isActive(job.state) ? progressText(job) : resultText(job)).join(' · ')}
      </span>
      <time className="quiet numbers" dateTime={job.started} title={startText(job.started)}>
        {words.jobs[isActive(job.state) ? 'takes' : 'took'](
          formatAgo(job.started, now) ?? job.started,
          durationText(job),
        )}
      </time>
      <JobStateMark job={job} />
      <JobActions job={job} onOpen={onOpen} menuAt={menuAt} onMenuClose={() => setMenuAt(null)} />
      <div className="job-more stack gap-1">
        {isActive(job.state) && <JobBar job={job} />}
        <JobQuestion job={job} />
        {error !== null && <p className="tone-error">{error}</p>}
        {job.kind === 'export' &&
          job.result?.warnings.map((warning) => (
            <p key={warning} className="tone-warning">
              {warning}
            </p>
          ))}
      </div>
    </li>
  );
}

const startText = (started: string): string =>
  words.jobs.startedAt(formatZoned(Date.parse(started), localZone()));

function JobConnection({ job }: { job: Job }) {
  const color = useAppState(
    'connections',
    ({ list }) => valueOr(list, []).find((connection) => isOfJob(job, connection))?.color,
  );
  return (
    <span className="min-0 row gap-1">
      {color && <span className="dot" data-color={color} aria-hidden />}
      <span className="quiet ellipsis">{job.connection}</span>
    </span>
  );
}

function JobAnnouncer() {
  const jobs = useAppState('jobs', (state) => state.jobs);
  const before = useRef(jobs);
  const [announced, setAnnounced] = useState('');
  useEffect(() => {
    const news = announcements(before.current, jobs, performance.timeOrigin);
    before.current = jobs;
    if (news.length > 0) setAnnounced(news.join(' '));
  }, [jobs]);
  return <Status className="visually-hidden">{announced}</Status>;
}

const quarters = (job: Job): number => Math.floor((progressShare(job) ?? 0) * 4);

/**
 * The announcements after a change: a job that started, changed its state, or passed a quarter. Progress
 * changes ten times a second and is not announced.
 * @param opened when the window opened, in Unix milliseconds: a short job can have ended when it is first listed
 */
export function announcements(before: readonly Job[], now: readonly Job[], opened: number): string[] {
  const jobsBefore = new Map(before.map((job) => [job.id, job]));
  return now.flatMap((job): string[] => {
    const old = jobsBefore.get(job.id);
    if (old === job) return [];
    const state = [words.jobs.announceState(job.file, stateText(job))];
    if (!old) return job.state === 'running' || isStartedSince(job, opened) ? state : [];
    if (old.state !== job.state || old.waitsFor?.for !== job.waitsFor?.for) return state;
    const passed = quarters(job);
    const isNew = job.state === 'running' && passed > quarters(old) && passed < 4;
    return isNew ? [words.jobs.announceQuarter(job.file, passed)] : [];
  });
}

export interface JobsBarProps {
  readonly queuedCount: number;
  readonly waitingFiles: ReactNode;
  readonly onOpen: (job: Job) => void;
}

export function JobsBar({ queuedCount, ...list }: JobsBarProps) {
  const open = useAppState('jobs', (state) => state.isOpen);
  return (
    <footer className="jobs faint-above surface-quiet" aria-label={words.jobs.region}>
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
  const total = useAppState('jobs', totalOf);
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
          {words.jobs.summary(running.length, active.length - running.length, total)}
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
    <ul className="grow-text">
      <li className="row gap-3" aria-label={`${kindText(job)} ${job.file}`}>
        {isRunning ? (
          <span className="jobs-bar">
            <JobBar job={job} />
          </span>
        ) : (
          <JobStateMark job={job} />
        )}
        <span className="min-0 one-line row numbers">
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
    <ConfirmPopup
      heading={words.jobs.clear}
      placement="top start"
      trigger={{ icon: ListX, children: words.jobs.clear }}
      text={words.jobs.clearText(count)}
      action={words.jobs.clear}
      onConfirm={() => void clearFinished()}
    />
  );
}

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

function ServiceNotices() {
  const notices = useAppState('workspace', (state) => state.notices);
  const now = useNow(Date.now, 250, notices.length > 0);
  if (notices.length === 0) return null;
  return (
    <span className="min-0 push row gap-3 numbers">
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
    <section className="jobs-panel relative scroll line-below surface" aria-label={words.jobs.list}>
      {error && <Alert tone="error">{error.message}</Alert>}
      {waitingFiles}
      {jobs.length === 0 ? (
        !error && <p className="pad-y-2 pad-x-3 quiet">{words.jobs.none}</p>
      ) : (
        <ul className="jobs-list parted">
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} onOpen={onOpen} />
          ))}
        </ul>
      )}
      {older !== null && older > 0 && (
        <Button variant="quiet" onPress={() => void showOlder()}>
          {words.jobs.showOlder}
        </Button>
      )}
    </section>
  );
}
