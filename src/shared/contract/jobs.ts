import * as z from 'zod';
import { call, nothing } from './call.ts';
import { job, jobAge, jobPage, jobPageQuery, jobQuery, jobReply } from '../jobs/jobs.ts';

/** Exports and uploads as jobs. */
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
