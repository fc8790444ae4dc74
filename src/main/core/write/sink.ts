import * as z from 'zod';
import { valueGroups } from '../records/columns.ts';
import type { ScannedPage } from '../records/scan.ts';

/** The columns of spooled rows in the order of their values, and the length of the longest line, in bytes. */
const tableMarks = z.object({
  columns: z.array(
    z.object({
      path: z.string(),
      kinds: z.int(),
      /** What its values were, by what no one type has together. */
      values: z
        .partialRecord(z.enum(valueGroups), z.object({ count: z.int(), example: z.string() }))
        .optional(),
      /** How many of its values are texts that are written like numbers, or like booleans; absent: none. */
      numberTexts: z.int().optional(),
      booleanTexts: z.int().optional(),
    }),
  ),
  maxLineBytes: z.int(),
});
export type TableMarks = z.infer<typeof tableMarks>;

export const noTable: TableMarks = { columns: [], maxLineBytes: 0 };

/**
 * The lengths of a sink's files, in bytes; with the columns, all that a resume needs to continue with the
 * same bytes.
 */
export const marks = z.object({
  partial: z.int().min(0),
  spool: z.int().min(0),
  /** The columns of the table being written; null: none. */
  columns: z.array(z.string()).nullable(),
  /** What was spooled for a table that is written at the end; absent in other formats. */
  table: tableMarks.optional(),
});
export type Marks = z.infer<typeof marks>;

/** What is known of the table being written, or spooled. */
export type TableOfMarks = Pick<Marks, 'columns' | 'table'>;

export const noMarks: Marks = { partial: 0, spool: 0, columns: null };

export interface FinishedTable {
  readonly columns: readonly string[];
  /** What the format can't hold. */
  readonly warnings?: readonly string[];
}

/** The steps of finishing a file, of about a page each, so that a cancel needn't wait for all of them. */
export type FinishSteps = Generator<undefined, FinishedTable>;

/** Receives records in order and writes the file. Throws only AppError, or errors of a defect. */
export interface Sink {
  /** Whether it needs the positions of all values, or only those of records. */
  readonly needsValues: boolean;
  write(page: ScannedPage, records: readonly number[]): void;
  /** What a resume needs besides the lengths of the files; absent: nothing. */
  marks?(): TableOfMarks;
  /** Does the work that requires all records, step by step; absent: the engine of tables does it. */
  finish?(): FinishSteps;
}
