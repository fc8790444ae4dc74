import type { Job } from '../../../shared/jobs/jobs.ts';
import { Bar } from '../../ui/bar.tsx';
import { words } from '../../words/words.ts';
import { shareDone } from './job-list.ts';

/** How far a job is. */
export const JobBar = ({ job }: { job: Job }) => (
  <Bar label={words.jobs.progress(job.file)} share={shareDone(job)} />
);
