import * as z from 'zod';
import type { Calculation } from '../../../shared/calculated/calculated.ts';
import type { CsvLayout, CsvStyle } from '../../../shared/csv.ts';
import type { ExportFormat, NullValues } from '../../../shared/export/export.ts';
import { type Survey, cursor } from '../reading/reading.ts';
import type { UnitChanges } from '../records/unit-changes.ts';
import type { TimeColumns } from '../records/zone.ts';
import type { WellNames } from '../records/well-names.ts';
import type { About } from '../records/about.ts';
import { marks } from './sink.ts';
import type { RowPlaces } from './table-sink.ts';

export interface WriterSpec {
  readonly folder: string;
  readonly partial: string;
  /** File name for display. */
  readonly name: string;
  readonly format: ExportFormat;
  readonly csv: CsvStyle;
  readonly layout: CsvLayout;
  readonly nullValues: NullValues;
  readonly about: About;
  /** Units that are converted, by path; absent: none. */
  readonly unitChanges?: UnitChanges;
  /** For Parquet in a folder, set by the writer; absent: one file. */
  readonly places?: RowPlaces | undefined;
  /** Columns to calculate of the records as they are stored; absent: none. */
  readonly calculation?: Calculation | undefined;
  readonly fields: readonly string[];
  /** Top-level fields that are omitted, because they were requested only for paging. */
  readonly omittedFields: readonly string[];
  readonly timeZone: string | null;
  readonly timeColumns: TimeColumns;
  /** The names of wells by asset id; null: no names. */
  readonly wellNames: WellNames | null;
  /** How windows are cut; null: pages use `skip`. */
  readonly rule: Survey['rule'];
}

/** What is written: records, and the lengths of the files. */
const progressMarks = z.object({
  rows: z.int().min(0),
  /** Number of entries in the file of ids. */
  ids: z.int().min(0),
  marks,
});
export type ProgressMarks = z.infer<typeof progressMarks>;

/**
 * A state from which a resume produces the same bytes. `cursor`: the next page. `durable`: everything that it counts is
 * flushed to disk; a resume trusts only those, because after a power loss the files of others can have zeros. `pageSize`: the
 * number of records of the next page.
 */
export const checkpoint = progressMarks.extend({
  cursor,
  durable: z.boolean().default(false),
  pageSize: z.int().min(1).optional(),
});
export type Checkpoint = z.infer<typeof checkpoint>;

/** What was written up to a page. */
export type WrittenRecords = Omit<Checkpoint, 'cursor' | 'pageSize'>;

export const finishedFile = z.object({
  bytes: z.int(),
  sha256: z.string(),
  columns: z.array(z.string()),
  /** What the format can't hold. */
  warnings: z.array(z.string()).default([]),
});
export type FinishedFile = z.infer<typeof finishedFile>;

/** Files of a job with records as they came, and with rows of a table. */
export const spoolName = 'spool.ndjson';
export const rowsName = 'rows.ndjson';

/** The file in which a job spools the records of a format; null: they are written at once. */
export const spoolOf = (format: ExportFormat): string | null =>
  format === 'ndjson' || format === 'json' ? null : format === 'parquet' ? rowsName : spoolName;

/** A part of a run's rows, as a Parquet file of texts in the order of partitions. */
export const slice = z.object({
  file: z.string().regex(/^\d+\.parquet$/),
  bytes: z.int(),
  /** The number of its columns, in the order of spooled values. */
  columns: z.int(),
  /** The size of its rows as text; the run adds it. */
  spoolBytes: z.int().optional(),
});
export type Slice = z.infer<typeof slice>;

/** The size of the rows of slices as text, in bytes. */
export const spoolBytesOf = (slices: readonly Slice[]): number =>
  slices.reduce((sum, { spoolBytes = 0 }) => sum + spoolBytes, 0);

/** Folder of the slices in a job's folder. */
export const slicesName = 'slices';
