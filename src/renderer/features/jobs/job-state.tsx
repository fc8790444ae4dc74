import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  TriangleAlert,
} from 'lucide-react';
import type { Job } from '../../../shared/jobs/jobs.ts';
import { type JobMark, markOf, stateText } from './job-words.ts';
import { Bar } from '../../ui/bar.tsx';
import { words } from '../../words/words.ts';
import { progressShare } from './job-list.ts';

const icons: Record<JobMark, LucideIcon> = {
  running: LoaderCircle,
  waiting: CirclePause,
  cancelled: CircleSlash,
  interrupted: CircleDashed,
  failed: CircleX,
  done: CircleCheck,
  unreadable: CircleAlert,
  discarded: CircleSlash,
  incomplete: TriangleAlert,
};

/** A job's state as an icon; the text is beside it. */
export function JobStateIcon({ mark, size }: { mark: JobMark; size: number }) {
  const Icon = icons[mark];
  return <Icon className="state" data-state={mark} size={size} aria-hidden />;
}

/** A job's state as icon and text. */
export function JobStateMark({ job }: { job: Job }) {
  const mark = markOf(job);
  return (
    <span className="job-state state row gap-1" data-state={mark}>
      <JobStateIcon mark={mark} size={14} />
      {stateText(job)}
    </span>
  );
}

export const JobBar = ({ job }: { job: Job }) => (
  <Bar label={words.jobs.progress(job.file)} share={progressShare(job)} />
);
