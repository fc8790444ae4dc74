import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { datasetAddress } from '../datasets/datasets.ts';
import { fileToken } from '../files/files.ts';
import { fileFacts } from './formats.ts';
import { warningCodes } from './warnings.ts';

// The descriptions are those of the published JSON Schema, too.
export const columnMapping = z.strictObject({
  to: z
    .string()
    .min(1)
    .describe('The target field: an envelope field such as timestamp, data.<name>, or metadata.<name>.'),
  format: z
    .string()
    .optional()
    .describe(
      'The format of times: iso, unix_s, unix_ms, unix_us, unix_ns, excel_1900, excel_1904, or a pattern such as dd.MM.yyyy HH:mm:ss. Default: as detected.',
    ),
  zone: z
    .string()
    .optional()
    .describe(
      'The time zone of times that have none: an IANA name, an offset such as -06:00, or UTC. Default: the time zone of the header, else of the well, else UTC.',
    ),
  repeatedTimes: z
    .enum(['order', 'first', 'second'])
    .optional()
    .describe(
      'How to read a local time that occurs twice because clocks go back: as the first, as the second, or, by default, by the order of each well’s rows.',
    ),
  by: z
    .enum(['id', 'name', 'api_number'])
    .optional()
    .describe('How a column that goes to asset_id names wells. Default: id.'),
  wells: z
    .record(z.string(), z.int())
    .optional()
    .describe('Asset IDs by the name or API number in the file. They take precedence over the service’s.'),
  type: z
    .enum(['number', 'integer', 'string', 'boolean', 'auto'])
    .optional()
    .describe(
      'The type of values in data.* and metadata.*. auto, the default, follows from the whole column.',
    ),
  trim: z.boolean().optional().describe('Whether spaces around a text are removed. Default: true.'),
  join: z
    .array(z.string())
    .min(1)
    .max(10)
    .optional()
    .describe(
      'Columns whose text is appended after a space, so that a date and a time of day make one time. They aren’t used elsewhere unless they are mapped.',
    ),
  digits: z
    .int()
    .min(2)
    .max(30)
    .optional()
    .describe(
      'With the type string: shorter numbers get back the zeros that a spreadsheet dropped before them.',
    ),
  unit: z.string().min(1).max(40).optional().describe('The unit of the cells. Default: as in the file.'),
  fieldUnit: z
    .string()
    .min(1)
    .max(40)
    .optional()
    .describe(
      'The unit in which the field is stored. Default: the unit of the field in the dataset. Numbers are converted if both units are known.',
    ),
  convert: z
    .boolean()
    .optional()
    .describe('Whether numbers are converted to the unit of the field. Default: true.'),
});
export type ColumnMapping = z.infer<typeof columnMapping>;

/** How rows are combined into records, each with a list that has an item for every row. */
export const fold = z.strictObject({
  by: z
    .union([z.string().min(1), z.strictObject({ column: z.string().min(1) })])
    .describe(
      'Rows with the same value in this column make one record; with file, all rows do. For a column named file: {"column": "file"}.',
    ),
  into: z
    .string()
    .min(1)
    .default('data.stations')
    .describe('The list of the record with an item for each row.'),
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
  columns: z
    .record(z.string(), columnMapping)
    .default({})
    .describe('The columns by name. Columns that aren’t listed are mapped by their name, else see rest.'),
  constants: z
    .record(z.string(), z.union([z.string(), z.number(), z.boolean()]))
    .default({})
    .describe('Values of fields for all rows. They also fill blank cells.'),
  nulls: z
    .array(z.string())
    .optional()
    .describe('Texts that mean null in every column, besides the usual ones such as NULL and N/A.'),
  keepAsText: z
    .array(z.string())
    .optional()
    .describe('Usual null values that are ordinary values in this file.'),
  confirmedWells: z
    .array(z.string())
    .optional()
    .describe(
      'Wells that the file names although all rows are stored under another asset ID, as you confirm by listing them.',
    ),
  withoutWell: z
    .boolean()
    .optional()
    .describe(
      'Whether records are stored without a well although every sampled record of the dataset has one, as you confirm. Default: false.',
    ),
  skip: z.array(z.string()).optional().describe('Columns that are skipped, whatever their names.'),
  rest: z
    .enum(['data', 'skip'])
    .default('skip')
    .describe(
      'What happens to columns that are neither listed nor mapped by name: data stores them under data.<column>.',
    ),
  exceptionShare: z
    .number()
    .min(0)
    .max(0.5)
    .optional()
    .describe(
      'A column of numbers keeps its type if a smaller share of its values, from 0 to 0.5, has another type; their rows are rejected. Default: 0.01.',
    ),
  fold: fold.optional().describe('How rows are combined into records. Absent: each row is a record.'),
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
  /** Whether rows with fewer cells than the header have blank cells at the end or are rejected; absent: detected. */
  shortRows: z.enum(['fill', 'reject']).optional(),
  /** Of delimited text: whether all lines that start with # are comments or rows; absent: detected for each line. */
  hashLines: z.enum(['comments', 'rows']).optional(),
  /**
   * Of delimited text: whether an apostrophe before `=`, `+`, `-`, or `@` is removed, which exports write where a
   * spreadsheet would run a formula; absent: it is.
   */
  apostrophes: z.enum(['remove', 'keep']).optional(),
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
  /** Of DLIS and LIS: whether each element of an array is a column, or the array a list; absent: columns, unless there are too many. */
  arrays: z.enum(['columns', 'list']).optional(),
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
  /** Whether the inspection has an {@link explanation}. */
  explain: z.boolean().optional(),
});

export const fileWarning = z.object({
  code: z.enum(warningCodes).catch('other'),
  message: z.string(),
  line: z.int().nullable(),
  /** What a mapping calls the column that it is about; absent: it is about the file. */
  column: z.string().optional(),
  /** The text of the file that it is about. */
  cell: z.string().optional(),
  /** All texts of the file that it is about, if they are several. */
  cells: z.array(z.string()).optional(),
  /** Of numbers that have lost zeros before them: the digits that they should have. */
  digits: z.int().optional(),
  /** Of an encoding that is a guess: others that may be meant, the likeliest first. */
  choices: z.array(z.string()).optional(),
  /** How many rows it is about; of some codes how many lines or wells; 0: about none. */
  count: z.int(),
});
export type FileWarning = z.infer<typeof fileWarning>;
const lineKinds = [
  'row',
  'header',
  'group',
  'units',
  'title',
  'value',
  'rule',
  'blank',
  'comment',
  'repeated_header',
  'table',
  'total',
  'footer',
] as const;
const judgedLine = z.object({
  line: z.int(),
  kind: z.enum(lineKinds),
  why: z.string(),
  /** Its first cells, truncated. */
  text: z.string(),
});
export type JudgedLine = z.infer<typeof judgedLine>;
/** A row that can be the header; `headerRow` 0: the table has none. */
const headCandidate = z.object({
  headerRow: z.int(),
  unitRow: z.int().nullable(),
  names: z.array(z.string()),
  /** How well it fits the rows. */
  score: z.number(),
});
export type HeadCandidate = z.infer<typeof headCandidate>;
/** What the lines of a file were taken for: the first ones, and those that are no plain rows. */
export const explanation = z.object({
  /** The likeliest headers, the best first; empty: the format says what its columns are. */
  heads: z.array(headCandidate),
  lines: z.array(judgedLine),
  /** Number of further lines that are no plain rows. */
  omitted: z.int(),
});
export type Explanation = z.infer<typeof explanation>;
const inspectedColumn = z.object({
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
  /** Numbers such as -999 that mean null, because no measured number is near them; absent: none. */
  likelyNulls: z.array(z.string()).optional(),
  warnings: z.array(fileWarning),
  /** Only if requested. */
  explain: explanation.optional(),
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
  /** The job that checked it: an upload of something else, or after an unfinished check, is refused. Absent: unchecked. */
  checked: z.string().optional(),
  /** Whether to send the file although an earlier upload of it into the dataset can be resumed. */
  again: z.boolean().default(false),
});
export type UploadRequest = z.infer<typeof uploadRequest>;
