import { basename } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../../shared/errors/errors.ts';
import { jobFacts, jobKinds, type JobKind } from '../../../shared/jobs/jobs.ts';
import { isMissing } from '../files/file-errors.ts';
import type { Lock } from '../files/lock.ts';
import { readOwnText } from '../files/regular-file.ts';

/** Version of the folder's own files; plan and journal have the engine's version. */
export const folderFormat = 1;

export const storedPlan = z.object({
  folderFormat: z.int(),
  format: z.int(),
  app: z.string(),
  kind: z.enum(jobKinds),
  plan: z.unknown(),
});
export type StoredPlan = z.infer<typeof storedPlan>;

/** File name of the journal in a job's folder. */
export const journalName = 'journal.ndjson';

/** What lists show of a job; rewritten at each change. A resume uses the journal. */
export const storedSummary = z.object({
  ...jobFacts,
  artifacts: z.array(z.object({ kind: z.enum(['result', 'manifest', 'rejects']), path: z.string() })),
  result: z.unknown(),
});
export type StoredSummary = z.infer<typeof storedSummary>;

export interface StoredJob {
  readonly id: string;
  readonly kind: JobKind;
  readonly summary: StoredSummary;
}

/** A job's folder with its lock held. */
export interface LockedFolder {
  readonly id: string;
  readonly folder: string;
  readonly stored: StoredPlan;
  readonly lock: Lock;
}

/** The error of work on a job's files: if they are missing, it was discarded in the meantime, perhaps by another window. */
export const missingAsUnknown = (error: unknown, job: string): unknown =>
  isMissing(error) ? new AppError('job_unknown', { job }) : error;

/** The error for a file of a job that can't be read. */
export const unreadableFile = (name: string, job: string, reason: string, cause: unknown): AppError =>
  new AppError('file_unreadable', { file: `${name} of job ${job}`, reason }, { cause });

/** Reads a file of a job. @throws AppError `job_unknown` if it is missing, `file_unreadable` if it is damaged */
export async function readJson<T>(path: string, schema: z.ZodType<T>, job: string): Promise<T> {
  const text = await readOwnText(path, `${basename(path)} of job ${job}`);
  if (text === null) throw new AppError('job_unknown', { job });
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw unreadableFile(basename(path), job, 'it is damaged', cause);
  }
}
