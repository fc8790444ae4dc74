import * as z from 'zod';
import { csvStyle } from '../../../shared/export/csv-style.ts';
import { exportFormat } from '../../../shared/export/export.ts';
import { cursor } from '../../paging/cursor.ts';
import { windowRule } from '../../paging/rule.ts';
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
 * A page that was written. `durable`: everything up to here is on the disk, should the power fail. `added`: rows written;
 * `records`: records in the answer; `passed`: how many of them lie before the next cursor.
 */
export const writtenPage = z.object({
  checkpoint,
  durable: z.boolean(),
  added: z.int(),
  records: z.int(),
  passed: z.int(),
});
export type WrittenPage = z.infer<typeof writtenPage>;

/** What a page led to: it was written, or nothing of it was. */
export const pageOutcome = z.union([
  writtenPage,
  z.object({ giveUp: z.string() }),
  z.object({ isDetached: z.literal(true) }),
]);
export type PageOutcome = z.infer<typeof pageOutcome>;

/**
 * What is known of an answer beside its content. `overlaps`: it was asked for from before the cursor. `endsBelow`: no
 * record can follow an answer with fewer records than this.
 */
export const answerOrigin = z.object({ overlaps: z.boolean(), endsBelow: z.int() });
export type AnswerOrigin = z.infer<typeof answerOrigin>;

export const finished = z.object({ bytes: z.int(), sha256: z.string(), columns: z.array(z.string()) });
export type Finished = z.infer<typeof finished>;

/** A step on the way to the finished file: rows that are in it. */
export const finishing = z.object({ rows: z.int() });
export const finishStep = z.union([finished, finishing]);
export type FinishStep = z.infer<typeof finishStep>;
