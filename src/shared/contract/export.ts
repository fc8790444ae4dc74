import * as z from 'zod';
import { call, nothing } from './call.ts';
import { started, jobId } from '../jobs/jobs.ts';
import { exportRequest, exportSample, partitionKeys } from '../export/export.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { errorBody } from '../errors/errors.ts';
import { fileToken } from '../files/files.ts';

export const exportCalls = {
  /** `unfinished`: an earlier export to the same file, which could be resumed instead. */
  start: call.input(exportRequest).output(started.extend({ unfinished: jobId.optional() })),
  /** The text that an export would write for a few records. Not for Parquet. */
  sample: call.input(exportSample).output(z.string()),
};

const mirrorId = z.string().regex(/^[a-f0-9]{12}$/);

/** A folder of Parquet files that this computer writes, and keeps up to date on request. */
const mirror = datasetAddress.extend({
  id: mirrorId,
  folder: fileToken,
  /** The folder's name, without where it is. */
  name: z.string(),
  connection: z.object({ id: z.string(), name: z.string() }),
  partition: z.array(z.enum(partitionKeys)),
  overlapMs: z.int(),
  /** The job of the last run; it may have been discarded. */
  job: jobId,
  /** What the folder has; null: no run was completed. */
  content: z
    .object({
      rows: z.int(),
      bytes: z.int(),
      files: z.int(),
      /** When the last run ended, as ISO 8601. */
      updated: z.string(),
      /** The time of the last record, in milliseconds; null: records have no time. */
      last: z.number().nullable(),
      /** Whether it matched the service's records at that time; null: an export, which isn't compared. */
      verified: z.boolean().nullable(),
      /** Remarks on what the folder lacks. */
      warnings: z.array(z.string()),
    })
    .nullable(),
  /** Why the folder can't be read; null: it can. */
  problem: errorBody.nullable(),
});
export type Mirror = z.infer<typeof mirror>;

/** Folders of Parquet files that are kept up to date; `export.start` with `partition` adds one. */
export const mirrorsCalls = {
  /** The latest first. */
  list: call.input(nothing).output(z.array(mirror)),
  /** Starts a job that reads what is new. */
  update: call.input(z.object({ mirror: mirrorId })).output(started),
  /** Removes a mirror from the list; its folder stays. */
  remove: call.input(z.object({ mirror: mirrorId })).output(nothing),
};
