import * as z from 'zod';
import { call } from './call.ts';
import { started, jobId } from '../jobs/jobs.ts';
import { exportRequest, exportSample } from '../export/export.ts';

/** Exports. */
export const exportCalls = {
  /** `unfinished`: an earlier export to the same file, which could be resumed instead. */
  start: call.input(exportRequest).output(started.extend({ unfinished: jobId.optional() })),
  /** The text that an export would write for a few records. Not for Parquet. */
  sample: call.input(exportSample).output(z.string()),
};
