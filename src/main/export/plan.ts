import * as z from 'zod';
import { datasetAddress } from '../../shared/datasets/datasets.ts';
import { csvStyle } from '../../shared/export/csv-style.ts';
import { exportFormat, wholeQuestion } from '../../shared/export/export.ts';
import { direction, windowRule, type WindowRule } from '../paging/rule.ts';
import { checkpoint, finished, type Checkpoint, type Finished } from './writing/spec.ts';

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

/** The journal of an export: what must be known to go on. */
export const exportEntry = z.discriminatedUnion('kind', [
  /** `partial`: path of the incomplete file. Comes again when that file has to be made anew. */
  z.object({ kind: z.literal('began'), at: z.string(), partial: z.string() }),
  z.object({ kind: z.literal('surveyed'), rule: windowRule.nullable(), why: z.string().nullable() }),
  z.object({ kind: z.literal('counted'), count: z.int().nullable() }),
  z.object({ kind: z.literal('page'), checkpoint }),
  /** Nothing of what was written can be used any more; everything is read anew. */
  z.object({ kind: z.literal('anew') }),
  /** Windows can't be trusted; everything is read anew by a run. */
  z.object({ kind: z.literal('gaveUp'), why: z.string() }),
  z.object({ kind: z.literal('finished'), file: finished, rows: z.int() }),
]);
export type ExportEntry = z.infer<typeof exportEntry>;

/** What the journal says of an export. */
export interface ExportProgress {
  /** When it began, ISO 8601. */
  readonly began: string | null;
  /** Path of the incomplete file. */
  readonly partial: string | null;
  /** How pages are cut; undefined: not surveyed yet. `why` says why there are no windows. */
  readonly surveyed: { readonly rule: WindowRule | null; readonly why: string | null } | undefined;
  /** What a count at the start said. */
  readonly counted: number | null;
  /** Each page written since everything was last read anew. */
  readonly checkpoints: readonly Checkpoint[];
  readonly finished: { readonly file: Finished; readonly rows: number } | null;
}

/** Reads the journal. */
export function progressIn(entries: readonly ExportEntry[]): ExportProgress {
  let progress: ExportProgress = {
    began: null,
    partial: null,
    surveyed: undefined,
    counted: null,
    checkpoints: [],
    finished: null,
  };
  for (const entry of entries) progress = { ...progress, ...changeBy(entry, progress) };
  const last = entries.findLastIndex(({ kind }) => kind === 'gaveUp' || kind === 'anew');
  const pages = entries.slice(last + 1).filter((entry) => entry.kind === 'page');
  return { ...progress, checkpoints: pages.map((entry) => entry.checkpoint) };
}

function changeBy(entry: ExportEntry, { began }: ExportProgress): Partial<ExportProgress> {
  switch (entry.kind) {
    case 'began':
      return { began: began ?? entry.at, partial: entry.partial };
    case 'surveyed':
      return { surveyed: { rule: entry.rule, why: entry.why } };
    case 'counted':
      return { counted: entry.count };
    case 'gaveUp':
      return { surveyed: { rule: null, why: entry.why }, finished: null };
    case 'page':
    case 'anew':
      return { finished: null };
    case 'finished':
      return { finished: { file: entry.file, rows: entry.rows } };
  }
}
