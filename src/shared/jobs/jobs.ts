import * as z from 'zod';
import { datasetAddress } from '../datasets/datasets.ts';
import { errorBody } from '../errors/errors.ts';
import { exportResult } from '../export/export.ts';
import { fileToken } from '../files/files.ts';
import { comparisonResult } from '../quality/comparison.ts';
import { qualityResult } from '../quality/quality.ts';
import { uploadResult } from '../upload/result.ts';

export const jobId = z.string().regex(/^[a-z0-9-]{8,64}$/);
export const started = z.object({ job: jobId });

/**
 * A job's question to the user. `many_refused`: a number of rows were refused one by one for the same reason.
 */
const jobQuestion = z.object({
  kind: z.literal('many_refused'),
  rows: z.int(),
  /** Whether these are records that rows are combined into. */
  areRecords: z.boolean().optional(),
  /** In the service's own words. */
  reason: z.string(),
});
export type JobQuestion = z.infer<typeof jobQuestion>;

/** What a job waits for: sign-in, the link, the user who paused it, or an answer. */
const jobWait = z.discriminatedUnion('for', [
  z.object({ for: z.literal('login') }),
  z.object({ for: z.literal('link') }),
  z.object({ for: z.literal('resume') }),
  z.object({ for: z.literal('answer'), question: jobQuestion }),
]);
export type JobWait = z.infer<typeof jobWait>;

/**
 * `running`: a process holds its lock. `interrupted`: its process ended; it can be resumed, as can
 * `cancelled`, `failed`, and `waiting`, where resuming ends a pause and retries a lost link. `unreadable`:
 * its files are damaged or of a newer version; `error` tells which. `discarded`: the last event of a removed
 * job.
 */
const jobState = z.enum([
  'running',
  'waiting',
  'cancelled',
  'interrupted',
  'failed',
  'done',
  'unreadable',
  'discarded',
]);
export type JobState = z.infer<typeof jobState>;

const jobProgress = z.object({
  /** Rows settled so far: written, or accounted for in the ledger. */
  rows: z.int(),
  /** Null: unknown. */
  totalRows: z.int().nullable(),
  bytes: z.int(),
  /** Rows a second over the last while. */
  rate: z.number(),
  secondsLeft: z.number().nullable(),
  /** When a request will be tried again, in milliseconds from this event; null: none is waiting. */
  nextTryMs: z.number().nullable(),
  /** It reads the dataset to find out which of the rows that it sent are stored. */
  isVerifying: z.boolean().optional(),
  /** It reads the existing records in the range of its file: the number read, and of all. */
  existing: z.object({ read: z.int(), total: z.int() }).optional(),
});
export type JobProgress = z.infer<typeof jobProgress>;

const jobArtifact = z.object({
  kind: z.enum(['result', 'manifest', 'rejects']),
  name: z.string(),
  bytes: z.int(),
  token: fileToken,
});
export type JobArtifact = z.infer<typeof jobArtifact>;

/** The job whose rejected rows a file has: its id, and the name of its file. */
export const jobParent = z.object({ job: jobId, file: z.string() });

/** The fields of every job, in the window and on disk. */
export const jobFacts = {
  state: jobState,
  address: datasetAddress,
  /** The name of the connection when the job started. */
  connection: z.string(),
  /** Absent: unknown, so that its name tells the connection. */
  connectionId: z.string().optional(),
  /** Name of the file, without its folder. */
  file: z.string(),
  /** ISO 8601, UTC. */
  started: z.string(),
  updated: z.string(),
  progress: jobProgress,
  error: errorBody.nullable(),
  /** Set while it is `waiting`. */
  waitsFor: jobWait.nullable().default(null),
  /** For the upload of a rejects file: the original upload. */
  parent: jobParent.optional(),
};

const common = { ...jobFacts, id: jobId, artifacts: z.array(jobArtifact) };

export const qualityJobResult = z.union([comparisonResult, qualityResult]);
export type QualityJobResult = z.infer<typeof qualityJobResult>;

export const job = z.discriminatedUnion('kind', [
  z.object({ ...common, kind: z.literal('export'), result: exportResult.nullable() }),
  z.object({ ...common, kind: z.literal('upload'), result: uploadResult.nullable() }),
  z.object({ ...common, kind: z.literal('quality'), result: qualityJobResult.nullable() }),
]);
export type Job = z.infer<typeof job>;
export type ExportJob = Extract<Job, { kind: 'export' }>;
export type UploadJob = Extract<Job, { kind: 'upload' }>;
export type QualityJob = Extract<Job, { kind: 'quality' }>;
export const jobKinds = ['export', 'upload', 'quality'] as const;
export type JobKind = (typeof jobKinds)[number];

export const jobQuery = z.object({ job: jobId });
