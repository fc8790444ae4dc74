import { Download, Play, Square, Trash2 } from 'lucide-react';
import { ProgressBar } from 'react-aria-components/ProgressBar';
import type { Job, JobArtifact } from '../../../shared/jobs.ts';
import { downloadAddress } from '../../api/files.ts';
import { formatBytes } from '../../format/numbers.ts';
import { Button } from '../../ui/button.tsx';
import { Popup } from '../../ui/popup.tsx';
import { words } from '../../words/words.ts';
import { useWorkspace } from '../workspace/context.ts';
import { useJobsActions } from './context.ts';
import { shareDone } from './job-list.ts';
import { JobStateMark } from './job-state.tsx';
import { progressInWords, resumable, stoppable } from './job-words.ts';

/** One job: what it is, how far it is, what can be done with it and what it made. */
export function JobRow({ job }: { job: Job }) {
  return (
    <li className="job" aria-label={`${words.jobs.kinds[job.kind]} ${job.file}`}>
      <div className="job-line">
        <span className="job-name">
          {words.jobs.kinds[job.kind]} <strong>{job.file}</strong>{' '}
          <span className="quiet">
            {job.address.provider}/{job.address.dataset}
          </span>
        </span>
        <span className="job-progress quiet numbers">{progressInWords(job).join(' · ')}</span>
        <JobStateMark state={job.state} />
        <Orders job={job} />
      </div>
      {stoppable(job.state) && <JobBar job={job} />}
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

/** How far a job is, as a bar; one that nobody knows the length of moves. */
export function JobBar({ job }: { job: Job }) {
  const share = shareDone(job);
  const label = words.jobs.progress(job.file);
  if (share === null) return <ProgressBar className="bar bar-unknown" aria-label={label} isIndeterminate />;
  return (
    <ProgressBar className="bar" aria-label={label} value={share * 100}>
      <div className="bar-fill" style={{ width: `${share * 100}%` }} />
    </ProgressBar>
  );
}

function Orders({ job }: { job: Job }) {
  const { cancel, resume } = useJobsActions();
  return (
    <span className="job-orders">
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
      {resumable(job.state) && (
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

/** A file that a job made: to download where the host streams, elsewhere already where the person wanted it. */
function Artifact({ artifact }: { artifact: JobArtifact }) {
  const files = useWorkspace((state) => state.files);
  const name = words.jobs.artifacts[artifact.kind];
  const size = <span className="quiet numbers">{formatBytes(artifact.bytes)}</span>;
  if (files === 'dialog')
    return (
      <span className="job-artifact">
        {name}: {words.jobs.savedAs(artifact.name)} {size}
      </span>
    );
  return (
    <a
      className="job-artifact"
      href={downloadAddress(artifact.token)}
      download={artifact.name}
      aria-label={words.jobs.download(artifact.name)}
    >
      <Download size={14} aria-hidden />
      {name} {size}
    </a>
  );
}
