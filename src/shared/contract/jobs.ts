import * as z from 'zod';
import { job, jobQuery, jobReply } from '../jobs/jobs.ts';
import { call, nothing } from './call.ts';

/** Exports and uploads as jobs. */
export const jobsCalls = {
  list: call.input(nothing).output(z.array(job)),
  show: call.input(jobQuery).output(job),
  resume: call.input(jobQuery).output(nothing),
  /** Pauses a job of this process; running requests complete. */
  pause: call.input(jobQuery).output(nothing),
  /** Answers a job's question (`waitsFor`). */
  answer: call.input(jobReply).output(nothing),
  cancel: call.input(jobQuery).output(nothing),
  discard: call.input(jobQuery).output(nothing),
};
