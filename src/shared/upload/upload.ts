import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { fileToken } from '../files/files.ts';
import { fileFacts, rowPlaces } from './formats.ts';
import { warningCodes } from './warnings.ts';

export const cellTypes = ['number', 'integer', 'string', 'boolean', 'auto'] as const;
export const cellType = z.enum(cellTypes);

export const columnMapping = z.strictObject({
  /** An envelope field, a path under `metadata.`, or a path under `data.`. */
  to: z.string().min(1),
  /**
   * `iso`, `unix_s`, `unix_ms`, a spreadsheet's days (`excel_1900`, `excel_1904`), or a pattern of letters
   * (`yyyy MM dd HH mm ss SSS`).
   */
  format: z.string().optional(),
  /** An IANA name, an offset or `UTC`; for times that bring none. */
  zone: z.string().optional(),
  by: z.enum(['id', 'name', 'api_number']).optional(),
  /**
   * Asset ids that the user selected, by the name or API number in the file; they override the platform's.
   */
  wells: z.record(z.string(), z.int()).optional(),
  type: cellType.optional(),
  /** Whether spaces around a text are removed; default: true. */
  trim: z.boolean().optional(),
  /**
   * Further columns whose text is appended after a space, so date and time of day form one timestamp. They
   * aren't used elsewhere unless mapped.
   */
  join: z.array(z.string()).min(1).max(10).optional(),
  /** With the type `string`: numbers of fewer digits get back the zeros that a spreadsheet has dropped before them. */
  digits: z.int().min(2).max(30).optional(),
  /** The unit of the cells, where the file doesn't say it, or says another, and that of the field: numbers are converted if both are set. */
  unit: z.string().min(1).max(40).optional(),
  fieldUnit: z.string().min(1).max(40).optional(),
});
export type ColumnMapping = z.infer<typeof columnMapping>;

/** How rows are combined into records, each with a list that has an item for every row. */
export const fold = z.strictObject({
  /**
   * `file`: all rows make one record; else the key of a column, and the rows with one value of it make one record. A
   * column that is called `file` is given as an object.
   */
  by: z.union([z.string().min(1), z.strictObject({ column: z.string().min(1) })]),
  /** The path of the list in the record. */
  into: z.string().min(1).default('data.stations'),
});
export type Fold = z.infer<typeof fold>;

/** The column by which rows are combined; null: all rows make one record. */
export function foldColumn({ by }: Pick<Fold, 'by'>): string | null {
  if (typeof by !== 'string') return by.column;
  return by === 'file' ? null : by;
}

/** How rows are combined by a column; null: all rows make one record. */
export const foldBy = (column: string | null): Fold['by'] =>
  column === 'file' ? { column } : (column ?? 'file');

/** A mapping file. Columns not named are matched by name first; `rest` governs what is left over. */
export const mapping = z.strictObject({
  columns: z.record(z.string(), columnMapping).default({}),
  constants: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  /** Texts that mean null in every column, beside the default ones (`NULL`, `NaN`, `N/A` …). */
  nulls: z.array(z.string()).optional(),
  /** Of the usual ones those that are values in this file. */
  keepAsText: z.array(z.string()).optional(),
  /** Names of other wells whose rows are stored under the asset id of all rows, as the user confirmed. */
  confirmedWells: z.array(z.string()).optional(),
  /** Skipped columns, whatever their names. */
  skip: z.array(z.string()).optional(),
  rest: z.enum(['data', 'skip']).default('skip'),
  /**
   * A column keeps its type if a smaller share of its values, from 0 to 0.5, differs: those rows are
   * rejected. 0: one differing value makes it text. Default: 0.01.
   */
  exceptionShare: z.number().min(0).max(0.5).optional(),
  /** Absent: each row is a record. */
  fold: fold.optional(),
});
export type Mapping = z.infer<typeof mapping>;

/** How a file is read; what is absent is detected. */
export const readingOptions = z.object({
  encoding: z.string().optional(),
  delimiter: z.string().length(1).optional(),
  /** The line of the header, from 1; 0: none. */
  headerRow: z.int().min(0).optional(),
  /** The line of the unit row, from 1; 0: none. */
  unitRow: z.int().min(0).optional(),
  /** Number of footer rows; absent: detected. */
  footerRows: z.int().min(0).optional(),
  /** Of text in columns without a delimiter: the positions between them, in characters from the start of a line. */
  columnEdges: z
    .array(z.int().min(1).max(10_000))
    .min(1)
    .max(500)
    .refine(
      (edges) => edges.every((edge, at) => at === 0 || edge > (edges[at - 1] ?? 0)),
      'must be ascending',
    )
    .optional(),
  /** A table of the file by its name or, counted from 1, its number; absent: the first that is likely. */
  table: z.string().min(1).max(1000).optional(),
});
export type ReadingOptions = z.infer<typeof readingOptions>;

export const inspectRequest = readingOptions.extend({
  source: fileToken,
  /** As in a {@link mapping}. */
  nulls: z.array(z.string()).default([]),
  keepAsText: z.array(z.string()).optional(),
  /** As in a {@link mapping}. */
  exceptionShare: z.number().min(0).max(0.5).optional(),
});

export const fileWarning = z.object({
  code: z.enum(warningCodes).catch('other'),
  message: z.string(),
  line: z.int().nullable(),
  /** What a mapping calls the column that it is about; absent: it is about the file. */
  column: z.string().optional(),
  /** The text of the file that it is about. */
  cell: z.string().optional(),
  /** Of numbers that have lost zeros before them: the digits that they should have. */
  digits: z.int().optional(),
  /** Of an encoding that is a guess: others that may be meant, the likeliest first. */
  choices: z.array(z.string()).optional(),
  /** How many rows it is about; of some codes how many lines or wells; 0: about none. */
  count: z.int(),
});
export type FileWarning = z.infer<typeof fileWarning>;
export const inspectedColumn = z.object({
  name: z.string(),
  /** What a mapping calls it, where its name is empty or another column's too. */
  key: z.string().optional(),
  unit: z.string().nullable(),
  type: z.enum(['integer', 'number', 'string', 'boolean', 'time', 'empty']),
  nulls: z.int(),
  min: z.union([z.number(), z.string()]).nullable(),
  max: z.union([z.number(), z.string()]).nullable(),
});
export const inspection = fileFacts.extend({
  encoding: z.string(),
  delimiter: z.string(),
  newline: z.enum(['LF', 'CRLF', 'CR', 'mixed', 'none']),
  headerRow: z.int(),
  unitRow: z.int().nullable(),
  rows: z.int(),
  /** Skipped footer rows: sums and remarks below the table. */
  footerRows: z.int(),
  columns: z.array(inspectedColumn),
  warnings: z.array(fileWarning),
});
export type Inspection = z.infer<typeof inspection>;

export const uploadRequest = datasetAddress.extend({
  connection: connectionId,
  source: fileToken,
  reading: readingOptions.prefault({}),
  mapping: mapping.nullable().default(null),
  dryRun: z.boolean().default(false),
  existing: z.enum(['skip', 'insert']).default('skip'),
  /** Seconds between two agreeing reads before an unknown row is judged not stored. */
  settleSeconds: z.number().min(0).max(3600).default(10),
  /** Maximum number of concurrent requests; the link may need fewer. */
  concurrency: z.int().min(1).max(16).default(8),
  /** The target of rejected rows; absent: beside the job. */
  rejects: fileToken.optional(),
  /** Stop after this many rejected rows; absent: never. */
  maxRejected: z.int().min(0).optional(),
});
export type UploadRequest = z.infer<typeof uploadRequest>;

/**
 * Every row of the file is in exactly one of accepted, rejected, unknown, and pending; skipped rows are part
 * of accepted.
 */
export const ledger = z.object({
  rows: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  unknown: z.int(),
  pending: z.int(),
  skipped: z.int(),
});
export type Ledger = z.infer<typeof ledger>;

export const uploadProblem = z.object({
  column: z.string().nullable(),
  code: z.string(),
  message: z.string(),
  /** The cell that it was first seen in, where a cell is what is wrong. */
  cell: z.string().optional(),
  count: z.int(),
  /** The first lines it was seen on. */
  lines: z.array(z.int()),
});
export type UploadProblem = z.infer<typeof uploadProblem>;

/** The smallest and largest value, as JSON texts, that a file brings at a path of its records. */
export const recordSpan = z.object({ path: z.string(), from: z.string(), to: z.string() });
export type RecordSpan = z.infer<typeof recordSpan>;

/** How the records of an upload are found: by the range at some of their paths, and by the wells that it names. */
export const uploadedRecords = z.object({ spans: z.array(recordSpan), assets: z.array(z.int()) });
export type UploadedRecords = z.infer<typeof uploadedRecords>;

export const uploadResult = z.object({
  ledger,
  dryRun: z.boolean(),
  /** Skipped footer rows. */
  footerRows: z.int(),
  problems: z.array(uploadProblem),
  warnings: z.array(fileWarning),
  records: uploadedRecords.optional(),
  /** Number of data rows, if they are combined into records: the ledger counts records then. */
  fileRows: z.int().optional(),
  /** What the lines of problems and warnings count; absent: lines of the file. */
  places: rowPlaces.optional(),
});
export type UploadResult = z.infer<typeof uploadResult>;

/** A file that may have rejected rows of a job. */
export const originRequest = z.object({ source: fileToken, reading: readingOptions.prefault({}) });

/** The upload whose rejected rows a file has, with its settings. */
export const uploadOrigin = datasetAddress.extend({
  job: z.string(),
  /** The name of its file. */
  file: z.string(),
  /** Null: the plan of that job can't be read. */
  mapping: mapping.nullable(),
  existing: uploadRequest.shape.existing,
});
export type UploadOrigin = z.infer<typeof uploadOrigin>;
