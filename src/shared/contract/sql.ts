import * as z from 'zod';
import { call, nothing } from './call.ts';
import { started } from '../jobs/jobs.ts';
import { exportOptions } from '../export/export.ts';
import { fileToken, grantedFile } from '../files/files.ts';
import {
  sqlAnswer,
  sqlAnswerTable,
  sqlDataset,
  sqlRun,
  sqlTable,
  sqlTableName,
  sqlText,
} from '../sql/sql.ts';
import { readingOptions } from '../upload/upload.ts';

/** Whether numbers such as -999.25 stay numbers, instead of null. */
const keepsNulls = z.boolean().optional();

export const sqlCalls = {
  tables: call.input(nothing).output(z.array(sqlTable)),
  /** Adds a file as a table, read as for an upload. */
  addFile: call
    .input(
      z.object({
        source: fileToken,
        name: sqlTableName.optional(),
        reading: readingOptions.prefault({}),
        keepsNulls,
      }),
    )
    .output(sqlTable),
  /** Adds a folder of Parquet files. */
  addFolder: call
    .input(z.object({ folder: fileToken, name: sqlTableName.optional(), keepsNulls }))
    .output(sqlTable),
  addAnswer: call.input(sqlAnswerTable).output(sqlTable),
  /** Starts to read all records of a query into a table, as a job. */
  readDataset: call.input(sqlDataset).output(started),
  /** Starts to replace the first records of a query by all of them, as a job. */
  loadAll: call.input(z.object({ name: sqlTableName })).output(started),
  /** The table of such a job, when it has all its records. Canceling this cancels the job. */
  exportedTable: call.input(started).output(sqlTable),
  /** Reads numbers such as -999.25 of a table as null, or as numbers. */
  keepNulls: call.input(z.object({ name: sqlTableName, keepsNulls: z.boolean() })).output(sqlTable),
  /** Reads another table of the file of a table. @param number of the table in the file, from 1 */
  readTable: call.input(z.object({ name: sqlTableName, number: z.int().min(1) })).output(sqlTable),
  removeTable: call.input(z.object({ name: sqlTableName })).output(nothing),
  run: call.input(sqlRun).output(sqlAnswer),
  /** Writes all rows of a statement to a file. `file`: to be downloaded, where the host has no dialogs. */
  save: call.input(exportOptions.extend({ sql: sqlText, target: fileToken })).output(
    z.object({
      rows: z.int(),
      bytes: z.int(),
      file: grantedFile.nullable(),
      /** What its tables have of their records, if that is only a part; absent: all. */
      computedFrom: z.string().optional(),
      /** Of the writer: what the file has not, or not whole. */
      warnings: z.array(z.string()),
    }),
  ),
};
