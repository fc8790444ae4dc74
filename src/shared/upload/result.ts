import * as z from 'zod';
import { datasetAddress } from '../datasets/datasets.ts';
import { fileToken } from '../files/files.ts';
import { rowPlaces } from './formats.ts';
import { fileWarning, mapping, readingOptions, uploadRequest } from './upload.ts';

/**
 * Every row of the file is in exactly one of accepted, rejected, unknown, and pending; skipped rows are part
 * of accepted.
 */
export const ledger = z.object({
  rows: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  unknown: z.int(),
  pending: z.int(),
  skipped: z.int(),
});
export type Ledger = z.infer<typeof ledger>;

export const uploadProblem = z.object({
  column: z.string().nullable(),
  code: z.string(),
  message: z.string(),
  /** The cell that it was first seen in, where a cell is what is wrong. */
  cell: z.string().optional(),
  count: z.int(),
  /** The first lines it was seen on. */
  lines: z.array(z.int()),
});
export type UploadProblem = z.infer<typeof uploadProblem>;

/** The smallest and largest value, as JSON texts, that a file has at a path of its records. */
export const recordSpan = z.object({ path: z.string(), from: z.string(), to: z.string() });
export type RecordSpan = z.infer<typeof recordSpan>;

/** How the records of an upload are found: by the range at some of their paths, and by the wells that it names. */
export const uploadedRecords = z.object({ spans: z.array(recordSpan), assets: z.array(z.int()) });
export type UploadedRecords = z.infer<typeof uploadedRecords>;

export const uploadResult = z.object({
  ledger,
  dryRun: z.boolean(),
  footerRows: z.int(),
  problems: z.array(uploadProblem),
  warnings: z.array(fileWarning),
  records: uploadedRecords.optional(),
  /** Number of data rows, if they are combined into records: the ledger counts records then. */
  fileRows: z.int().optional(),
  /** What the lines of problems and warnings count; absent: lines of the file. */
  places: rowPlaces.optional(),
});
export type UploadResult = z.infer<typeof uploadResult>;

/** A file that may have rejected rows of a job. */
export const originRequest = z.object({ source: fileToken, reading: readingOptions.prefault({}) });

/** The upload whose rejected rows a file has, with its settings. */
export const uploadOrigin = datasetAddress.extend({
  job: z.string(),
  file: z.string(),
  /** The connection whose ids the mapping has; absent: unknown. */
  connection: z.string().optional(),
  /** Null: the plan of that job can't be read. */
  mapping: mapping.nullable(),
  existing: uploadRequest.shape.existing,
});
export type UploadOrigin = z.infer<typeof uploadOrigin>;
