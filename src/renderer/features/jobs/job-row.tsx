import { useState } from 'react';
import { formatAgo } from '../../format/times.ts';
import { minuteMs, useTimeOfDay } from '../../state/use-now.ts';
import { Artifact } from './job-artifact.tsx';
import { JobBar, JobStateMark } from './job-state.tsx';
import { JobOrders, type JobOrdersProps } from './job-orders.tsx';
import { JobQuestion } from './job-question.tsx';
import { aboutInWords, errorInWords, kindInWords, outcomeInWords, progressInWords } from './job-words.ts';
import { stoppable } from './job-list.ts';

/** One job: what it is, how far it is, what can be done with it and what it made. */
export function JobRow({ job, onOpenUpload }: Pick<JobOrdersProps, 'job' | 'onOpenUpload'>) {
  const kind = kindInWords(job);
  const error = errorInWords(job);
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
            {aboutInWords(job).join(' · ')} · {formatAgo(job.started, now)}
          </span>
        </span>
        <span>{(stoppable(job.state) ? progressInWords(job) : outcomeInWords(job)).join(' · ')}</span>
        <JobStateMark job={job} />
        <JobOrders
          job={job}
          onOpenUpload={onOpenUpload}
          menuAt={menuAt}
          onMenuClose={() => setMenuAt(null)}
        />
      </div>
      {stoppable(job.state) && <JobBar job={job} />}
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
