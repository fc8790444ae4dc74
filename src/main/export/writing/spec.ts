import * as z from 'zod';
import { csvStyle } from '../../../shared/csv-style.ts';
import { exportFormat } from '../../../shared/export.ts';
import { cursor } from '../paging/cursor.ts';
import { landmark, windowRule } from '../paging/rule.ts';
import { marks } from './sink.ts';

/** What an export is to write, and where. */
export const writerSpec = z.object({
  /** The job's folder, for spools. */
  folder: z.string(),
  /** Path of the incomplete file. */
  partial: z.string(),
  /** Name of the file for people. */
  name: z.string(),
  format: exportFormat,
  csv: csvStyle,
  fields: z.array(z.string()),
  /** Top-level fields that are not written, because they were asked for only to cut pages by. */
  without: z.array(z.string()),
  timeZone: z.string().nullable(),
  /** How windows are cut; null: everything is read by a run. */
  rule: windowRule.nullable(),
});
export type WriterSpec = z.infer<typeof writerSpec>;

/** How far the files go. */
export const progressMarks = z.object({
  rows: z.int().min(0),
  /** Entries in the file of ids. */
  ids: z.int().min(0),
  marks,
});
export type ProgressMarks = z.infer<typeof progressMarks>;

/** How far an export has come: with it a resume goes on, to the same bytes. `cursor`: where the next page is. */
export const checkpoint = progressMarks.extend({ cursor });
export type Checkpoint = z.infer<typeof checkpoint>;

/**
 * What a page led to. `page` names it until it is written. `met`: the record at which another band takes over, when the
 * page came that far; `begins`: the ids of the page's first value, by which the band before is joined.
 */
export const taken = z.union([
  z.object({
    page: z.int(),
    rows: z.int(),
    records: z.int(),
    next: cursor,
    met: landmark.nullable(),
    begins: z.object({ value: z.string().nullable(), ids: z.array(z.string()) }).nullable(),
  }),
  z.object({ giveUp: z.string() }),
]);
export type Taken = z.infer<typeof taken>;

/** `durable`: everything up to here is on the disk, should the power fail. */
export const written = checkpoint.extend({ durable: z.boolean() });
export type Written = z.infer<typeof written>;

export const finished = z.object({ bytes: z.int(), sha256: z.string(), columns: z.array(z.string()) });
export type Finished = z.infer<typeof finished>;

/** A step on the way to the finished file: rows that are in it. */
export const finishing = z.object({ rows: z.int() });
export const finishStep = z.union([finished, finishing]);
export type FinishStep = z.infer<typeof finishStep>;
