import * as z from 'zod';
import { jobId, started, jobQuery } from '../jobs/jobs.ts';
import { call, nothing } from './call.ts';
import { inspectRequest, inspection, uploadRequest } from '../upload/upload.ts';
import {
  filePreview,
  matchRequest,
  previewRequest,
  uploadMatch,
  wellZone,
  wellZoneRequest,
} from '../upload/preview.ts';
import {
  datasetForFile,
  datasetsForFileRequest,
  proposals,
  proposalsRequest,
  wellCandidate,
  wellColumn,
  wellNamesRequest,
  wellsInNameRequest,
} from '../upload/proposals.ts';
import { lastMapping, templateList, uploadTemplate } from '../upload/templates.ts';
import { originRequest, uploadOrigin } from '../upload/result.ts';

/** The maximum number of rejected rows that are fixed in the window; the file of rejected rows has all. */
export const maxFixedRows = 500;

/** Why a row was rejected. */
const cellReason = z.object({
  /** Index of the column, from 0; null: the whole row. */
  column: z.int().nullable(),
  message: z.string(),
});
export type CellReason = z.infer<typeof cellReason>;

const rejectedRow = z.object({
  line: z.int(),
  /** The number of its record: rows that are combined into one are sent together. */
  record: z.int(),
  /** Null: the cells are ambiguous, so that only a text editor can fix them. */
  cells: z.array(z.string()).nullable(),
  reasons: z.array(cellReason),
});
export type RejectedRow = z.infer<typeof rejectedRow>;

/** An upload of fixed rows, which follows the one that rejected them. */
const followUp = z.object({ job: jobId, lines: z.array(z.int()) });
export type FollowUp = z.infer<typeof followUp>;

/** The rejected rows of an upload that no follow-up has sent. */
const rejectedRows = z.object({
  columns: z.array(z.string()),
  /** Indexes of columns that are uploaded. */
  used: z.array(z.int()),
  rows: z.array(rejectedRow),
  /** Whether there are further rows. */
  isCut: z.boolean(),
  /** Whether rows can be fixed here: those of JSON files can't. */
  isFixable: z.boolean(),
  followUps: z.array(followUp),
});
export type RejectedRows = z.infer<typeof rejectedRows>;

/** Fixed rows: all cells of each, as they are now. */
const fixedRows = z.object({
  job: jobId,
  rows: z
    .array(z.object({ line: z.int(), cells: z.array(z.string().max(100_000)).max(10_000) }))
    .min(1)
    .max(maxFixedRows),
});
export type FixedRows = z.infer<typeof fixedRows>;

/** What became of fixed rows: `wrong`: some are still rejected, so none was sent. */
const fixResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('started'), job: jobId }),
  z.object({
    status: z.literal('wrong'),
    rows: z.array(z.object({ line: z.int(), reasons: z.array(cellReason) })),
  }),
]);
export type FixResult = z.infer<typeof fixResult>;

export const uploadCalls = {
  inspect: call.input(inspectRequest).output(inspection),
  /** The start of a file, at once for any size. */
  preview: call.input(previewRequest).output(filePreview),
  /** The result of a mapping for a file and a dataset, by the rules of `start`. */
  match: call.input(matchRequest).output(uploadMatch),
  /** The time zone that `start` takes from the wells; null: no time needs it, or the wells have several zones or none. */
  wellZone: call.input(wellZoneRequest).output(wellZone.nullable()),
  /** Which fields of a dataset the columns of a file belong to. */
  propose: call.input(proposalsRequest).output(proposals),
  datasetsFor: call.input(datasetsForFileRequest).output(z.array(datasetForFile)),
  /** Resolves the names and API numbers of a file, by the rules of `start`. */
  wells: call.input(wellNamesRequest).output(z.array(wellColumn)),
  wellsInName: call.input(wellsInNameRequest).output(z.array(wellCandidate)),
  /** The upload whose rejected rows a file has; null: it has none, or that job was removed. */
  origin: call.input(originRequest).output(uploadOrigin.nullable()),
  /** Starts a check, or an upload; refuses an upload of something else than was checked, or that can be resumed. */
  start: call.input(uploadRequest).output(started),
  rejected: call.input(jobQuery).output(rejectedRows),
  /** Sends fixed rows as a follow-up of their upload; nothing if one of them is still wrong. */
  sendFixed: call.input(fixedRows).output(fixResult),
  templates: call.input(nothing).output(templateList),
  /** Adds a template; one with an existing id is replaced. */
  keepTemplate: call.input(uploadTemplate).output(templateList),
  /** The mapping of the last upload with a header, to the connection if there is one; null: none is stored. */
  lastMapping: call
    .input(lastMapping.pick({ header: true, type: true, connection: true }))
    .output(lastMapping.nullable()),
  /** Stores the mapping of an upload that started; the one before it with this header and connection is replaced. */
  keepLastMapping: call.input(lastMapping).output(nothing),
  removeTemplate: call.input(uploadTemplate.pick({ id: true })).output(templateList),
};
