import { featureContext } from '../../state/context.tsx';
import type { JobsActions, JobsState } from './jobs.ts';

export const {
  Provide: ProvideJobs,
  useState: useJobs,
  useActions: useJobsActions,
} = featureContext<JobsState, JobsActions>('jobs');
