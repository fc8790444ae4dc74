import {
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';
import type { JobState } from '../../../shared/jobs.ts';
import { words } from '../../words/words.ts';

const icons: Record<JobState, LucideIcon> = {
  running: LoaderCircle,
  waiting: CirclePause,
  cancelled: CircleSlash,
  interrupted: CircleDashed,
  failed: CircleX,
  done: CircleCheck,
};

/** A job's state: an icon and a word. */
export function JobStateMark({ state }: { state: JobState }) {
  const Icon = icons[state];
  return (
    <span className="job-state" data-state={state}>
      <Icon size={14} aria-hidden />
      {words.jobs.states[state]}
    </span>
  );
}
