import * as z from 'zod';
import { eventIterator } from '@orpc/contract';
import { call, nothing } from './call.ts';
import { liveEvent, liveRequest } from '../tabs/live.ts';
import {
  aggregateRequest,
  readRequest,
  countRequest,
  describedRequest,
  findRequest,
  pageRequest,
  pipelineRequest,
  recordPage,
  recordTarget,
} from '../query/query.ts';
import { folderPath, savedContent, maxSaved } from '../saved/saved.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { questionText, questionMode } from '../query/question.ts';
import { connectionId } from '../connections/connections.ts';
import { errorCodes } from '../errors/errors.ts';
import { plainId } from '../files/files.ts';
import { assetId } from '../wells/wells.ts';

export const queryCalls = {
  find: call.input(findRequest).output(recordPage),
  /**
   * A page of all matches, `skip` records from the start: a find whose sort gets `_id` as the tiebreaker, so
   * pages neither overlap nor leave gaps (specification, section 4.1, paging rules).
   */
  page: call.input(pageRequest).output(recordPage),
  /** The service's clock, which is that of `now` in queries; it may send a request for the dataset's definition. */
  now: call.input(recordTarget).output(z.object({ ms: z.int() })),
  count: call.input(countRequest).output(z.object({ count: z.int(), ms: z.number() })),
  aggregate: call.input(aggregateRequest).output(recordPage),
  pipeline: call.input(pipelineRequest).output(recordPage),
  /** Follows a dataset: its newest records, then later ones, until the reader disconnects. */
  live: call.input(liveRequest).output(eventIterator(liveEvent)),
  /** The HTTP request of a read, and copies of it for other tools; nothing is sent. */
  describe: call.input(readRequest).output(describedRequest),
};

/** `replaced`: ids of queries that these replace, in the same write. */
const savedPut = savedContent.extend({ replaced: z.array(plainId).max(maxSaved).optional() });

/** `problem`: what could not be read, and where it was put, in a sentence. */
const savedList = savedContent.extend({ problem: z.string().nullable() });
export type SavedList = z.infer<typeof savedList>;

const savedRemoval = z.object({
  queries: z.array(plainId).max(maxSaved).default([]),
  /** With all contents. */
  folders: z.array(folderPath).max(maxSaved).default([]),
});

export const savedCalls = {
  list: call.input(nothing).output(savedList),
  /** Adds queries and folders; a query with an existing id replaces it. */
  put: call.input(savedPut).output(savedList),
  /** Also moves it: `to` may lie elsewhere. */
  renameFolder: call.input(z.object({ from: folderPath.min(1), to: folderPath.min(1) })).output(savedList),
  /** Returns the removed queries, for `put`. */
  remove: call.input(savedRemoval).output(z.object({ list: savedList, removed: savedContent })),
};

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
  id: plainId,
  /** When it ended, in Unix milliseconds. */
  at: z.int(),
  /** The start of the query, in one line. */
  text: z.string(),
  /** Whether the query was stored completely, so it can run again. */
  whole: z.boolean(),
});
export type Run = z.infer<typeof run>;

const historyQuery = z.object({
  connection: connectionId,
  /** Every word must occur in the query, the dataset's address, or a well's name. */
  search: z.string().max(500).default(''),
  limit: z.int().min(1).max(1000).default(300),
});

const historyPage = z.object({
  /** The newest first. */
  runs: z.array(run),
  /** How many match, and how many there are. */
  matching: z.int(),
  all: z.int(),
});
export type HistoryPage = z.infer<typeof historyPage>;

const oneRun = z.object({ connection: connectionId, id: plainId });

/** Absent `ids`: all of them. */
const removedRuns = z.object({
  connection: connectionId,
  ids: z
    .array(plainId)
    .max(maxRuns * 2)
    .optional(),
});

const restoredRuns = z.object({ connection: connectionId, ids: z.array(plainId).max(maxRuns * 2) });

export const historyCalls = {
  /** Notes a run that has ended. */
  note: call.input(runNote).output(nothing),
  list: call.input(historyQuery).output(historyPage),
  /** The full query of a run. */
  get: call.input(oneRun).output(z.object({ question: questionText })),
  /** Returns the removed runs, for `restore`. */
  remove: call.input(removedRuns).output(z.object({ ids: z.array(plainId) })),
  restore: call.input(restoredRuns).output(nothing),
};
