import { useState } from 'react';
import { formatAgo } from '../../format/times.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { Artifact } from './job-artifact.tsx';
import { JobBar, JobStateMark } from './job-state.tsx';
import { JobActions, type JobActionsProps } from './job-actions.tsx';
import { JobQuestion } from './job-question.tsx';
import { subjectText, errorText, kindText, resultText, progressText } from './job-words.ts';
import { isStoppable } from './job-list.ts';

/** A job: its state, progress, actions, and files. */
export function JobRow({ job, onOpenUpload }: Pick<JobActionsProps, 'job' | 'onOpenUpload'>) {
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
      <div className="job-line row gap-3">
        <span className="job-name ellipsis">
          {kind} <strong>{job.file}</strong>{' '}
          <span className="quiet">
            {subjectText(job).join(' · ')} · {formatAgo(job.started, now)}
          </span>
        </span>
        <span>{(isStoppable(job.state) ? progressText(job) : resultText(job)).join(' · ')}</span>
        <JobStateMark job={job} />
        <JobActions
          job={job}
          onOpenUpload={onOpenUpload}
          menuAt={menuAt}
          onMenuClose={() => setMenuAt(null)}
        />
      </div>
      {isStoppable(job.state) && <JobBar job={job} />}
      <JobQuestion job={job} />
      {error !== null && <p className="tone-error">{error}</p>}
      {job.kind === 'export' &&
        job.result?.warnings.map((warning) => (
          <p key={warning} className="tone-warning">
            {warning}
          </p>
        ))}
      {job.artifacts.length > 0 && (
        <ul className="job-artifacts row gap-4">
          {job.artifacts.map((artifact) => (
            <li key={artifact.token}>
              <Artifact artifact={artifact} />
            </li>
          ))}
        </ul>
      )}
    </li>
  );
}
