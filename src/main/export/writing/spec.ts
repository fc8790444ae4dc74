import * as z from 'zod';
import type { CsvStyle } from '../../../shared/export/csv-style.ts';
import type { ExportFormat } from '../../../shared/export/export.ts';
import { cursor } from '../../paging/cursor.ts';
import type { WindowRule } from '../../paging/rule.ts';
import { marks } from './sink.ts';

export interface WriterSpec {
  readonly folder: string;
  readonly partial: string;
  /** Name of the file for people. */
  readonly name: string;
  readonly format: ExportFormat;
  readonly csv: CsvStyle;
  readonly fields: readonly string[];
  /** Top-level fields that are not written, because they were requested only to cut pages by. */
  readonly without: readonly string[];
  readonly timeZone: string | null;
  /** How windows are cut; null: everything is read by a run. */
  readonly rule: WindowRule | null;
}

/** How far the files go. */
const progressMarks = z.object({
  rows: z.int().min(0),
  /** Entries in the file of ids. */
  ids: z.int().min(0),
  marks,
});
export type ProgressMarks = z.infer<typeof progressMarks>;

/** How far an export has come: with it a resume goes on, to the same bytes. `cursor`: where the next page is. */
export const checkpoint = progressMarks.extend({ cursor });
export type Checkpoint = z.infer<typeof checkpoint>;

/** Why windows can't be trusted. */
export interface GiveUp {
  readonly giveUp: string;
}

export interface WrittenPage {
  readonly checkpoint: Checkpoint;
  /** Everything up to here is on the disk, should the power fail. */
  readonly durable: boolean;
  readonly added: number;
  readonly records: number;
  /** How many of the records lie before the next cursor. */
  readonly passed: number;
}

/** What a page led to: it was written, or nothing of it was. */
export type PageOutcome = WrittenPage | GiveUp | { readonly isDetached: true };

/**
 * What is known of an answer beside its content. `overlaps`: it was requested from before the cursor. `endsBelow`: no
 * record can follow an answer with fewer records than this.
 */
export interface AnswerOrigin {
  readonly overlaps: boolean;
  readonly endsBelow: number;
}

export const finished = z.object({ bytes: z.int(), sha256: z.string(), columns: z.array(z.string()) });
export type Finished = z.infer<typeof finished>;

/** A step on the way to the finished file: the rows that are in it. */
export type FinishStep = Finished | { readonly rows: number };
