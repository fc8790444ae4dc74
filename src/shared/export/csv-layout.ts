import * as z from 'zod';

/** The columns of a CSV and the times in it; default: as stored. */
export const csvLayout = z.object({
  /** Whether columns of time, depth, and well come first, and ids and other bookkeeping last. */
  timeAndWellFirst: z.boolean().default(false),
  /** Units by field, such as `data.rop`; they follow the names in the header. */
  units: z.record(z.string(), z.string()).default({}),
  /**
   * For Excel workbooks: the names that the user gave to fields. A row above the names of the columns has what engineers
   * call them. Absent: no such row.
   */
  names: z.record(z.string(), z.string()).optional(),
  /**
   * How times in a time zone are written. `spreadsheet`: `2026-11-21 06:58:01`, which Excel reads as a time; the
   * header names the time zone.
   */
  times: z.enum(['iso', 'spreadsheet']).default('iso'),
});
export type CsvLayout = z.infer<typeof csvLayout>;
