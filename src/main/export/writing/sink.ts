import * as z from 'zod';
import type { ScannedPage } from '../records/scan.ts';

/** How far a sink's files go, in bytes; with the columns, what a resume needs to go on with the same bytes. */
export const marks = z.object({
  partial: z.int().min(0),
  spool: z.int().min(0),
  /** The columns of the table that is being written already; null: none is. */
  columns: z.array(z.string()).nullable(),
});
export type Marks = z.infer<typeof marks>;

export const noMarks: Marks = { partial: 0, spool: 0, columns: null };

/** A step on the way to the finished file. */
export interface Finishing {
  /** Rows written to the finished file so far. */
  readonly rows: number;
}

/** Takes records in order and makes the file of them. Everything it throws is an AppError or a fault of ours. */
export interface Sink {
  /** Whether it needs the places of all values, or only those of the records. */
  readonly needsValues: boolean;
  write(page: ScannedPage, records: readonly number[]): void;
  marks(): Marks;
  /** Returns when everything written so far is on the disk. */
  sync(): void;
  /** Does what can only be done when all records are there, step by step. */
  finish(): Generator<Finishing, readonly string[]>;
  close(): void;
}
