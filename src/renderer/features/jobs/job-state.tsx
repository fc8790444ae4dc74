import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';
import type { Job, JobState } from '../../../shared/jobs.ts';
import { stateInWords } from './job-words.ts';

const icons: Record<JobState, LucideIcon> = {
  running: LoaderCircle,
  waiting: CirclePause,
  cancelled: CircleSlash,
  interrupted: CircleDashed,
  failed: CircleX,
  done: CircleCheck,
  unreadable: CircleAlert,
  discarded: CircleSlash,
};

/** A job's state as an icon; the words stand beside it. */
export function JobStateIcon({ state, size }: { state: JobState; size: number }) {
  const Icon = icons[state];
  return <Icon size={size} aria-hidden />;
}

/** A job's state: an icon and a word. */
export function JobStateMark({ job }: { job: Pick<Job, 'state' | 'waitsFor'> }) {
  return (
    <span className="job-state" data-state={job.state}>
      <JobStateIcon state={job.state} size={14} />
      {stateInWords(job)}
    </span>
  );
}
