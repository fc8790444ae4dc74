import * as z from 'zod';
import { jobId } from '../jobs/jobs.ts';

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
export const followUp = z.object({ job: jobId, lines: z.array(z.int()) });
export type FollowUp = z.infer<typeof followUp>;

/** The rejected rows of an upload that no follow-up has sent. */
export const rejectedRows = z.object({
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
export const fixedRows = z.object({
  job: jobId,
  rows: z
    .array(z.object({ line: z.int(), cells: z.array(z.string().max(100_000)).max(10_000) }))
    .min(1)
    .max(maxFixedRows),
});
export type FixedRows = z.infer<typeof fixedRows>;

/** What became of fixed rows: `wrong`: some are still rejected, so none was sent. */
export const fixResult = z.discriminatedUnion('status', [
  z.object({ status: z.literal('started'), job: jobId }),
  z.object({
    status: z.literal('wrong'),
    rows: z.array(z.object({ line: z.int(), reasons: z.array(cellReason) })),
  }),
]);
export type FixResult = z.infer<typeof fixResult>;
