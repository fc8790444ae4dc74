import { valueUnder } from '../json.ts';
import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { storedUnits } from '../datasets/fields.ts';
import { datasetAddress, datasetType } from '../datasets/datasets.ts';
import { issue } from '../errors/errors.ts';
import { fileToken } from '../files/files.ts';
import { fileFacts } from './formats.ts';
import { wellsBy } from './proposals.ts';
import { fileWarning, mapping, readingOptions, type Mapping } from './upload.ts';
import { recordSpan } from './result.ts';

export const previewRequest = readingOptions.extend({
  source: fileToken,
  /** The first line to return; default: the first row of the file. */
  from: z.int().min(1).optional(),
});

const previewedRow = z.object({
  line: z.int(),
  /** Unchanged cells; very long ones are truncated. */
  cells: z.array(z.string()),
  /** Why the cells can't be trusted; null: they can. */
  problem: z.string().nullable(),
});
const previewedColumn = z.object({
  /** The column's name in a mapping, made unique. */
  key: z.string(),
  unit: z.string().nullable(),
});

/** A decoded line of the file. */
export const rawLine = z.object({
  line: z.int(),
  /** Without the line's end. */
  text: z.string(),
  /** The line is truncated. */
  cut: z.boolean(),
  ending: z.enum(['LF', 'CRLF', 'CR', 'none']),
  kind: z.enum(['row', 'header', 'units', 'comment', 'blank', 'left_out', 'foot']),
});
export type RawLine = z.infer<typeof rawLine>;

export const filePreview = fileFacts.extend({
  encoding: z.string(),
  delimiter: z.string(),
  /** 0: there is none. */
  headerRow: z.int(),
  unitRow: z.int().nullable(),
  columns: z.array(previewedColumn),
  rows: z.array(previewedRow),
  /** The lines of the rows and, at the start of the file, the lines before them. */
  lines: z.array(rawLine),
});
export type FilePreview = z.infer<typeof filePreview>;

/** The result of a mapping for a file and a dataset; requested after each change. Nothing is sent. */
export const matchRequest = datasetAddress.extend({
  source: fileToken,
  reading: readingOptions.prefault({}),
  mapping: mapping.nullable().default(null),
  /** The dataset's type; null: unknown. */
  type: datasetType.nullable(),
  /** Whether all sampled records of the dataset have a well, so that new ones need one. */
  requiresWell: z.boolean().default(false),
  /** The units of the dataset's fields; absent: they aren't loaded. */
  storedUnits: storedUnits.optional(),
});

export const wellZoneRequest = matchRequest.extend({ connection: connectionId });

/** The time zone of the wells of all rows, in which times without one are read. */
export const wellZone = z.object({
  zone: z.string(),
  /** The name of the well, or the number of wells. */
  well: z.string(),
  /** The fields of the columns of such times, by column. */
  columns: z.record(z.string(), z.string()),
});
export type WellZone = z.infer<typeof wellZone>;

/** A mapping with the zone of the wells for each of its columns, except those that were mapped otherwise since. */
export function withWellZone(mapping: Mapping, { zone, columns }: WellZone): Mapping {
  const zoned = Object.entries(columns).flatMap(([column, to]) => {
    const wanted = valueUnder(mapping.columns, column);
    return wanted === undefined || (wanted.to === to && wanted.zone === undefined)
      ? [[column, { to, ...wanted, zone }] as const]
      : [];
  });
  return { ...mapping, columns: { ...mapping.columns, ...Object.fromEntries(zoned) } };
}

/** The type of a field; `auto`: the column's type. */
const targetKind = z.enum(['asset', 'integer', 'number', 'identifier', 'timestamp', 'datetime', 'auto']);
export type TargetKind = z.infer<typeof targetKind>;

/** A cell and its result: JSON text, or why it is rejected; both null: a null value. */
const cellExample = z.object({
  line: z.int(),
  cell: z.string(),
  value: z.string().nullable(),
  problem: z.string().nullable(),
  time: z
    .object({
      /** Unix time. */
      ms: z.number(),
      /** Minutes east of UTC that the clocks of the column's zone show then. */
      offset: z.number(),
      /** Which of two times it is, if the clocks show it twice; null: they show it once. */
      repeated: z.enum(['first', 'second']).nullable(),
    })
    .nullable(),
});
export type CellExample = z.infer<typeof cellExample>;

/** A format in which the first cells of a column can be read as times, and what it makes of one of them. */
const timeChoice = z.object({
  format: z.string(),
  cell: z.string(),
  /** The time of the day in the column's zone, in milliseconds as if it were UTC. */
  local: z.number(),
});
export type TimeChoice = z.infer<typeof timeChoice>;

export const matchedColumn = z.object({
  column: z.string(),
  /** The path in the record; null: the column is skipped. */
  to: z.string().nullable(),
  /** Whether it is skipped because it follows an asset ID like the well names of an export. */
  isWellName: z.boolean().optional(),
  /** The column that takes this one's text along; null: none does. */
  joinedTo: z.string().nullable(),
  kind: targetKind.nullable(),
  /** The time zone that the file names for its times; absent: none. */
  zoneOfFile: z.string().optional(),
  /** The unit of its values: that of the mapping, else that of the file; null: neither says it. */
  unit: z.string().nullable(),
  /** The units by their symbols from which and to which its numbers are converted; absent: they aren't. */
  conversion: z.object({ from: z.string(), to: z.string() }).optional(),
  /** Why its numbers are stored unchanged although its unit isn't known to be that of the field; absent: there is no doubt. */
  unitWarning: z.string().optional(),
  /** How its cells are read; null: undecided, or skipped. */
  reading: z
    .object({
      as: z.enum(['number', 'integer', 'string', 'boolean', 'time', 'asset']),
      /** Of times: `iso`, `unix_s`, `unix_ms`, or a pattern. */
      format: z.string().nullable(),
      /** Of times without a zone of their own. */
      zone: z.string().nullable(),
      /** For texts: whether surrounding spaces are removed. */
      trim: z.boolean().nullable(),
    })
    .nullable(),
  /** Numbers of local times that occur twice because clocks go back, by what the order of rows decides; absent: none. */
  repeatedTimes: z.object({ first: z.int(), second: z.int(), undecided: z.int() }).optional(),
  /** The first filled cells, and further ones with problems. */
  examples: z.array(cellExample),
  /** Of times: the formats that fit; several where the cells leave open which number is the day. */
  choices: z.array(timeChoice),
  problem: z.string().nullable(),
  problemOf: z.enum(['to', 'format', 'zone']).nullable(),
});
export type MatchedColumn = z.infer<typeof matchedColumn>;

/** A field of the envelope that the dataset's type requires, or that scopes or orders its records. */
export const matchedField = z.object({
  path: z.string(),
  kind: targetKind,
  required: z.boolean(),
  /** Whether the sampled records have it although the type doesn't require it, so that the user can decide to go without. */
  isOfRecords: z.boolean().optional(),
  columns: z.array(z.string()),
  /** Whether a constant fills it, or what the columns leave blank. */
  constant: z.boolean(),
  /** The default value of an unfilled field; null: none, so it is missing. */
  assumed: z.string().nullable(),
  /** Columns that may be meant, the likeliest first. */
  likely: z.array(z.string()),
  /** The only column whose name and content fit; null: none, or several do. */
  certain: z.string().nullable(),
  /** Of times: columns of dates, each with columns of times of day that it may be joined with. */
  joins: z.array(z.object({ column: z.string(), join: z.array(z.string()) })),
});
export type MatchedField = z.infer<typeof matchedField>;

export const uploadMatch = z.object({
  columns: z.array(matchedColumn),
  fields: z.array(matchedField),
  /** The fields of the envelope that a column may go to. */
  targets: z.array(z.string()),
  /** Problems other than those of columns and missing fields. */
  issues: z.array(issue),
  warnings: z.array(fileWarning),
  /** The records that rows are combined into; absent or null: each row is a record, or rows can't be combined. */
  folded: z
    .object({
      /** Number of data rows of the file, and of the records that they make. */
      rows: z.int(),
      records: z.int(),
      /** Number of rows of the first record. */
      firstRows: z.int(),
      /** The first record with its first items, as JSON text, without wells by name; null: it has errors. */
      example: z.string().nullable(),
      items: z.int(),
    })
    .nullish(),
  /** The columns that can name wells, the likeliest first; null: the lines before the header do. */
  wellColumns: z.array(z.object({ column: z.string().nullable(), by: wellsBy })),
  /** Whether the upload can start. */
  ready: z.boolean(),
  /** The smallest and largest values, as JSON texts, of the file at the paths by which its records are found. */
  spans: z.array(recordSpan),
  /** The asset ids of the rows; empty: too many, or the file has names. */
  assets: z.array(z.int()),
});
export type UploadMatch = z.infer<typeof uploadMatch>;
