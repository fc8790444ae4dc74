import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { errorCodes } from '../errors/errors.ts';
import { questionMode, questionText } from '../query/question.ts';
import { assetId } from '../wells/well-ids.ts';

export const runId = z.string().regex(/^[A-Za-z0-9-]{1,64}$/);

/** Maximum number of runs for each connection; the oldest are dropped. */
export const maxRuns = 5000;

/** A longer query is stored without its text, in characters. */
export const maxStoredLength = 100_000;

const noted = datasetAddress.extend({
  mode: questionMode,
  /** The selected wells; the first hundred of many. */
  wells: z.array(z.object({ name: z.string().max(300), assetId })).max(100),
  outcome: z.enum(['done', 'failed', 'cancelled']),
  /** Of one that failed: why. */
  code: z.enum(errorCodes).nullable(),
  /** Number of records; null if it failed. */
  rows: z.int().min(0).nullable(),
  /** From the request to the complete response, in milliseconds. */
  ms: z.number().min(0).nullable(),
});

/** A run as a window notes it. Records are never noted. */
export const runNote = noted.extend({ connection: connectionId, question: questionText });
export type RunNote = z.infer<typeof runNote>;

/** A run as a list shows it. */
export const run = noted.extend({
  id: runId,
  /** When it ended, in Unix milliseconds. */
  at: z.int(),
  /** The start of the query, in one line. */
  text: z.string(),
  /** Whether the query was stored completely, so it can run again. */
  whole: z.boolean(),
});
export type Run = z.infer<typeof run>;

export const historyQuery = z.object({
  connection: connectionId,
  /** Every word must occur in the query, the dataset's address, or a well's name. */
  search: z.string().max(500).default(''),
  limit: z.int().min(1).max(1000).default(300),
});

export const historyPage = z.object({
  /** The newest first. */
  runs: z.array(run),
  /** How many match, and how many there are. */
  matching: z.int(),
  all: z.int(),
});
export type HistoryPage = z.infer<typeof historyPage>;

export const oneRun = z.object({ connection: connectionId, id: runId });
/** Absent `ids`: all of them. */
export const removedRuns = z.object({
  connection: connectionId,
  ids: z
    .array(runId)
    .max(maxRuns * 2)
    .optional(),
});
export const restoredRuns = z.object({ connection: connectionId, ids: z.array(runId).max(maxRuns * 2) });
