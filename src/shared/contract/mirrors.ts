import * as z from 'zod';
import { call, nothing } from './call.ts';
import { started } from '../jobs/jobs.ts';
import { mirror, mirrorId } from '../mirrors/mirrors.ts';

/** Folders of Parquet files that are kept up to date; `export.start` with `partition` adds one. */
export const mirrorsCalls = {
  /** The latest first. */
  list: call.input(nothing).output(z.array(mirror)),
  /** Starts a job that reads what is new. */
  update: call.input(z.object({ mirror: mirrorId })).output(started),
  /** Removes a mirror from the list; its folder stays. */
  remove: call.input(z.object({ mirror: mirrorId })).output(nothing),
};
