import * as z from 'zod';
import { datasetAddress } from '../../shared/datasets/datasets.ts';
import { csvStyle } from '../../shared/export/csv-style.ts';
import { exportFormat, wholeQuestion } from '../../shared/export/export.ts';
import { direction, windowRule } from '../paging/rule.ts';
import { checkpoint, finished } from './writing/spec.ts';

/** Version of plan and journal. */
export const exportFormatVersion = 1;

/** What an export was asked for, decided once. */
export const exportPlan = z.object({
  connection: z.object({ id: z.string(), name: z.string(), dataUrl: z.string() }),
  address: datasetAddress,
  fileName: z.string(),
  /** Strict JSON. */
  query: z.string(),
  sort: z.string(),
  /** In place of query and sort: a question whose answer comes whole, as relaxed JSON that was checked. */
  answerTo: wholeQuestion.nullable(),
  fields: z.array(z.string()),
  format: exportFormat,
  csv: csvStyle,
  concurrency: z.int(),
  timeZone: z.string().nullable(),
  target: z.discriminatedUnion('place', [
    z.object({ place: z.literal('path'), path: z.string(), name: z.string() }),
    z.object({ place: z.literal('job'), name: z.string() }),
  ]),
  /** The field that pages can be cut by, if the dataset turns out to allow it; null: by `skip`. */
  windows: z.object({ field: z.string(), direction, tie: direction }).nullable(),
});
export type ExportPlan = z.infer<typeof exportPlan>;

const atStart = z.object({ count: z.int().nullable() });

/** The journal of an export: what must be known to go on. */
export const exportEntry = z.discriminatedUnion('kind', [
  /** `partial`: path of the incomplete file. Comes again when that file has to be made anew. */
  z.object({ kind: z.literal('began'), at: z.string(), partial: z.string() }),
  z.object({ kind: z.literal('surveyed'), rule: windowRule.nullable(), why: z.string().nullable() }),
  atStart.extend({ kind: z.literal('counted') }),
  z.object({ kind: z.literal('page'), checkpoint }),
  /** Nothing of what was written can be used any more; everything is read anew. */
  z.object({ kind: z.literal('anew') }),
  /** Windows can't be trusted; everything is read anew by a run. */
  z.object({ kind: z.literal('gaveUp'), why: z.string() }),
  z.object({ kind: z.literal('finished'), file: finished, rows: z.int() }),
]);
export type ExportEntry = z.infer<typeof exportEntry>;
