import * as z from 'zod';
import { tally } from '../census/tally.ts';

/** A Parquet file with the records of one partition in a slice. */
const piece = z.object({
  /** The folder of its partition. */
  partition: z.string(),
  file: z.string().regex(/^\d+-\d+\.parquet$/),
  rows: z.int(),
  bytes: z.int(),
  sha256: z.string(),
  /** The time of its last record, in milliseconds; null: none has a time. */
  last: z.number().nullable(),
  /** The highest `_id` of its records; null: unknown. */
  id: z.string().nullable().default(null),
  early: tally.default({ rows: 0, id: null }),
});
export type Piece = z.infer<typeof piece>;

/** A part of a run's records, divided by partition: what was spooled when the spool reached its limit. */
export const slice = z.object({
  pieces: z.array(piece),
  /** The kinds of values by column, of this slice and those before it. */
  columns: z.array(z.object({ path: z.string(), kinds: z.int() })),
});
export type Slice = z.infer<typeof slice>;

/** Folder of the pieces in a job's folder. */
export const piecesName = 'pieces';
