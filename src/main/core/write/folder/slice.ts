import * as z from 'zod';

/** A part of a run's rows, as a Parquet file of texts in the order of partitions. */
export const slice = z.object({
  file: z.string().regex(/^\d+\.parquet$/),
  bytes: z.int(),
  /** The number of its columns, in the order of spooled values. */
  columns: z.int(),
});
export type Slice = z.infer<typeof slice>;

/** Folder of the slices in a job's folder. */
export const slicesName = 'slices';
