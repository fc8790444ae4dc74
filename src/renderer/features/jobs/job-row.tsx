import { ListChecks, Pause, Play, Square, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Job } from '../../../shared/jobs.ts';
import { formatAgo } from '../../format/times.ts';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { words } from '../../words/words.ts';
import { useUploads } from '../upload/context.ts';
import { useJobsActions } from './context.ts';
import { Artifact } from './job-artifact.tsx';
import { JobBar } from './job-bar.tsx';
import { JobQuestion } from './job-question.tsx';
import { JobStateMark } from './job-state.tsx';
import { isCheck } from './job-list.ts';
import {
  aboutInWords,
  canResume,
  kindInWords,
  outcomeInWords,
  progressInWords,
  stoppable,
} from './job-words.ts';

/** One job: what it is, how far it is, what can be done with it and what it made. */
export function JobRow({ job }: { job: Job }) {
  const kind = kindInWords(job);
  const [now] = useState(Date.now);
  return (
    <li className="job" aria-label={`${kind} ${job.file}`}>
      <div className="job-line">
        <span className="job-name">
          {kind} <strong>{job.file}</strong>{' '}
          <span className="quiet">
            {aboutInWords(job).join(' · ')} · {formatAgo(job.started, now)}
          </span>
        </span>
        <span className="job-progress quiet numbers">
          {(stoppable(job.state) ? progressInWords(job) : outcomeInWords(job)).join(' · ')}
        </span>
        <JobStateMark job={job} />
        <Orders job={job} />
      </div>
      {stoppable(job.state) && <JobBar job={job} />}
      <JobQuestion job={job} />
      {job.error && job.state !== 'cancelled' && <p className="job-error">{job.error.message}</p>}
      {job.kind === 'export' &&
        job.result?.warnings.map((warning) => (
          <p key={warning} className="job-warning">
            {warning}
          </p>
        ))}
      {job.artifacts.length > 0 && (
        <ul className="job-artifacts">
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

function Orders({ job }: { job: Job }) {
  const { cancel, pause, resume } = useJobsActions();
  return (
    <span className="job-orders">
      {job.kind === 'upload' && !isCheck(job) && <OpenLedger job={job} />}
      {job.state === 'running' && (
        <Button
          variant="quiet"
          icon={Pause}
          aria-label={words.jobs.pauseNamed(job.file)}
          onPress={() => void pause(job.id)}
        >
          {words.jobs.pause}
        </Button>
      )}
      {stoppable(job.state) && (
        <Button
          variant="quiet"
          icon={Square}
          aria-label={words.jobs.cancel(job.file)}
          onPress={() => void cancel(job.id)}
        >
          {words.cancel}
        </Button>
      )}
      {canResume(job) && (
        <Button
          variant="quiet"
          icon={Play}
          aria-label={words.jobs.resumeNamed(job.file)}
          onPress={() => void resume(job.id)}
        >
          {words.jobs.resume}
        </Button>
      )}
      {!stoppable(job.state) && <Discard job={job} />}
    </span>
  );
}

function OpenLedger({ job }: { job: Job }) {
  const uploads = useUploads();
  return (
    <Button
      variant="quiet"
      icon={ListChecks}
      aria-label={words.jobs.openNamed(job.file)}
      onPress={() => uploads.openJob(job)}
    >
      {words.jobs.open}
    </Button>
  );
}

/** Asks before it removes: what was not downloaded goes with the job. */
function Discard({ job }: { job: Job }) {
  const { discard } = useJobsActions();
  const label = words.jobs.discardNamed(job.file);
  return (
    <Popup
      heading={label}
      placement="top end"
      trigger={<Button variant="quiet" icon={Trash2} aria-label={label} />}
    >
      {(close) => (
        <div className="discard">
          <p>{words.jobs.discardText}</p>
          <div className="form-buttons">
            <Button onPress={() => void discard(job.id)}>{words.jobs.discard}</Button>
            <Button variant="quiet" onPress={close}>
              {words.cancel}
            </Button>
          </div>
        </div>
      )}
    </Popup>
  );
}
