import * as z from 'zod';
import { call, nothing } from './call.ts';
import { job, jobQuery } from '../jobs/jobs.ts';

/**
 * `stop`: the remaining rows stay pending; `go_on`: rows refused for this reason are rejected without another
 * question.
 */
const jobAnswer = z.enum(['stop', 'go_on']);
export type JobAnswer = z.infer<typeof jobAnswer>;

export const jobPageQuery = z.object({
  /** The maximum number of finished jobs; default: 100. */
  finished: z.int().min(0).max(1_000_000).optional(),
});

const jobPage = z.object({
  jobs: z.array(job),
  /** How many finished jobs are older. */
  older: z.int(),
});

/** Age of the jobs, in days since they ended, at least; absent: any. */
const jobAge = z.object({ days: z.number().min(0).optional() });

const jobReply = jobQuery.extend({ answer: jobAnswer });

export const jobsCalls = {
  /** The newest finished jobs and all others, oldest first. */
  list: call.input(jobPageQuery).output(jobPage),
  show: call.input(jobQuery).output(job),
  resume: call.input(jobQuery).output(nothing),
  /** Pauses a job of this process; running requests complete. */
  pause: call.input(jobQuery).output(nothing),
  /** Answers a job's question (`waitsFor`). */
  answer: call.input(jobReply).output(nothing),
  cancel: call.input(jobQuery).output(nothing),
  discard: call.input(jobQuery).output(nothing),
  /** Discards the finished jobs with which nothing is lost. */
  discardDone: call.input(jobAge).output(z.object({ discarded: z.int() })),
};
