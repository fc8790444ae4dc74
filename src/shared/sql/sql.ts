import * as z from 'zod';
import { maxAddressName } from '../datasets/datasets.ts';
import { fileTable, rowPlaces } from '../upload/formats.ts';
import { fileWarning } from '../upload/upload.ts';
import { findRequest, recordPage, serviceRequest } from '../query/query.ts';

export const maxTableName = 63;

/** The name of a table in SQL: usable without quotes. */
export const sqlTableName = z
  .string()
  .max(maxTableName, `A table name has up to ${maxTableName} characters. Choose a shorter name.`)
  .regex(/^[A-Za-z_]\w*$/, 'A table name has letters, digits, and underscores, and starts with a letter.');

const sqlColumn = z.object({
  name: z.string(),
  /** As DuckDB calls it, such as `DOUBLE` or `TIMESTAMP WITH TIME ZONE`. */
  type: z.string(),
  unit: z.string().nullable(),
  /** Of a column of lists: the units of the fields of their items; absent: none is known. */
  itemUnits: z.record(z.string(), z.string()).optional(),
  /** Numbers such as -999.25 that mean null, and are numbers in this table; absent: none. */
  nullNumbers: z.array(z.number()).optional(),
});
export type SqlColumn = z.infer<typeof sqlColumn>;

/** What the times of a type of DuckDB are: an instant, or a day or time in a zone that isn't named; null for other types. */
export function sqlTimeKind(type: string): 'instant' | 'local' | null {
  if (type === 'TIMESTAMP WITH TIME ZONE') return 'instant';
  return type === 'DATE' || type.startsWith('TIMESTAMP') ? 'local' : null;
}

const sqlQuery = findRequest.pick({ connection: true, provider: true, dataset: true, query: true });
export type SqlQuery = z.infer<typeof sqlQuery>;

export const sqlTable = z.object({
  name: sqlTableName,
  /** Where its rows come from: a file, a folder of Parquet files, or the answer of a tab. */
  origin: z.enum(['file', 'folder', 'answer']),
  /** The file, the folder, or the tab, for display. */
  label: z.string(),
  columns: z.array(sqlColumn),
  rows: z.int(),
  /** The number of records that match its query, if it has only the first of them; null: it has all, or they aren't counted. */
  total: z.int().nullable(),
  /** The query of which it has all records; absent: none, or only some fields or records. */
  allOf: sqlQuery
    .extend({
      /** When they began to be read, in Unix milliseconds. */
      readAt: z.number(),
      /** When all had been read and became the table, in Unix milliseconds. */
      addedAt: z.number(),
    })
    .optional(),
  /** Whether numbers such as -999.25 stay numbers, instead of null. */
  keepsNulls: z.boolean(),
  /** Remarks for the reader: rows left out, numbers read as null. */
  notes: z.array(z.string()),
  /** Of a file that isn't Parquet: as its inspection says them; absent: none. */
  warnings: z.array(fileWarning).optional(),
  /** What the lines of its warnings count. */
  places: rowPlaces.optional(),
  /** The tables of its file, and the number of the one that it is, from 1; absent: the file has one. */
  fileTables: z.object({ tables: z.array(fileTable), number: z.int() }).optional(),
});
export type SqlTable = z.infer<typeof sqlTable>;

/** Maximum number of rows that a run returns; more are saved to a file. */
export const maxSqlRows = 100_000;
/** A run returns rows until they have this number of characters of JSON. */
export const maxPageLength = 100_000_000;
/** A run cuts longer values, in characters of JSON. */
export const maxSqlValueLength = 100_000;
/** A run cuts values with more items in lists and maps. */
export const maxSqlItems = 10_000;
/** Longer values can't be written to a file, in characters of JSON. */
export const maxFileValueLength = 64 << 20;
export const sqlText = z.string().max(1_000_000);

export const sqlRun = z.object({
  sql: sqlText,
  limit: z.int().min(1).max(maxSqlRows).default(maxSqlRows),
});
export type SqlRun = z.infer<typeof sqlRun>;

/** The rows of a statement: a page of records, with the columns in their order. */
export const sqlAnswer = recordPage.extend({
  /** Those that a statement computes have digits of a calculation. */
  columns: z.array(sqlColumn.extend({ isComputed: z.boolean() })),
  /** Whether the statement has more rows than the limits; then the total is unknown. */
  hasMore: z.boolean(),
  /** The number of values that were too long, and end with their length instead. */
  cut: z.int(),
});
export type SqlAnswer = z.infer<typeof sqlAnswer>;

/** A dataset to be read into a table: all records that match a query. */
export const sqlDataset = sqlQuery.extend({
  label: z
    .string()
    .min(1)
    .max(2 * maxAddressName + 1),
  name: sqlTableName.optional(),
});
export type SqlDataset = z.infer<typeof sqlDataset>;

/** Adds the answer of a query, which is read again, as a table. */
export const sqlAnswerTable = z.object({
  request: serviceRequest,
  /** The id of the query's tab, whose name other tabs can have. */
  tab: z.string().min(1).max(200),
  /** The name of the query's tab. */
  label: z.string().min(1).max(200),
  name: sqlTableName.optional(),
});
export type SqlAnswerTable = z.infer<typeof sqlAnswerTable>;
