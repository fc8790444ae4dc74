import { ProgressBar } from 'react-aria-components/ProgressBar';
import type { Job } from '../../../shared/jobs.ts';
import { words } from '../../words/words.ts';
import { shareDone } from './job-list.ts';

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
