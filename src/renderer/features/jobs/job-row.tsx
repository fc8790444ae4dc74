import { useState } from 'react';
import { formatAgo } from '../../format/times.ts';
import { formatZoned, localZone } from '../../format/zoned.ts';
import { useAppState } from '../../contexts.ts';
import { valueOr } from '../../state/loadable.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { JobArtifacts } from './job-artifact.tsx';
import { JobBar, JobStateMark } from './job-state.tsx';
import { JobActions, type JobActionsProps } from './job-actions.tsx';
import { JobQuestion } from './job-question.tsx';
import { durationText, subjectText, errorText, kindText, resultText, progressText } from './job-words.ts';
import { isActive } from '../../../shared/jobs/job-states.ts';
import { words } from '../../words/words.ts';

/** A job: its state, progress, actions, and files. */
export function JobRow({ job, onOpen }: Pick<JobActionsProps, 'job' | 'onOpen'>) {
  const kind = kindText(job);
  const error = errorText(job);
  const now = useTimeOfDay(minuteMs);
  const [menuAt, setMenuAt] = useState<{ x: number; y: number } | null>(null);
  return (
    // oxlint-disable-next-line no-noninteractive-element-interactions -- its buttons do the same; this is a way for the mouse
    <li
      className="job-row"
      aria-label={`${kind} ${job.file}`}
      onContextMenu={(event) => {
        event.preventDefault();
        setMenuAt({ x: event.clientX, y: event.clientY });
      }}
    >
      <span className="job-name row">
        <span className="ellipsis">
          {kind} <strong>{job.file}</strong> <span className="quiet">{subjectText(job).join(' · ')}</span>
        </span>
        <JobConnection name={job.connection} />
      </span>
      <JobArtifacts job={job} />
      <span className="numbers">
        {(isActive(job.state) ? progressText(job) : resultText(job)).join(' · ')}
      </span>
      <time className="job-time quiet numbers" dateTime={job.started} title={startText(job.started)}>
        {words.jobs.took(formatAgo(job.started, now) ?? job.started, durationText(job))}
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

/** The connection of a job, with the color of its window. */
function JobConnection({ name }: { name: string }) {
  const color = useAppState(
    'connections',
    ({ list }) => valueOr(list, []).find((connection) => connection.name === name)?.color,
  );
  return (
    <span className="job-connection row gap-1">
      {color && <span className="dot" data-color={color} aria-hidden />}
      <span className="quiet ellipsis">{name}</span>
    </span>
  );
}
