import * as z from 'zod';
import { calculation } from '../../../shared/calculated/calculated.ts';
import { csvLayout, csvStyle } from '../../../shared/csv.ts';
import {
  aggregation,
  columnNamesStyles,
  exportFormat,
  nullValueStyles,
} from '../../../shared/export/export.ts';
import { planHead } from '../../core/jobs/jobs.ts';
import { wholeOperationOf } from '../../core/requests.ts';
import { type Survey, fieldsToRequest, survey, windowField } from '../../core/reading/reading.ts';
import { computedBy, detailsRequest, exportDetails, type ExportDetails } from './details.ts';
import { folderPlan } from '../../core/write/write.ts';
import {
  checkpoint,
  finishedFile,
  type Checkpoint,
  type FinishedFile,
  type WriterSpec,
  slice,
  type Slice,
} from '../../core/write/write.ts';
import { withoutComputed } from '../../../shared/language/text/summary.ts';
import { parseJson, stringifyJson, type JsonObject } from '../../../shared/json.ts';
import { recordTimes } from '../../core/records/zone.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { depthPath, logPaths } from '../../../shared/datasets/datasets.ts';
import { layoutIn } from '../../core/records/unit-changes.ts';
import { withNameFields } from '../../core/records/well-names.ts';
import type { About } from '../../core/records/about.ts';

/** Version of plan and journal. */
export const exportFormatVersion = 1;

/** The request of an export, decided once. */
export const exportPlan = planHead.extend({
  /** Strict JSON. */
  query: z.string(),
  sort: z.string(),
  /** Instead of query and sort: an aggregation that responds with all records, as checked relaxed JSON. */
  aggregation: aggregation.nullable(),
  fields: z.array(z.string()),
  /** Columns to calculate of the records, with the fields that they need, and their known units by path. */
  calculation: calculation
    .extend({
      paths: z.array(z.string()),
      /** Whether values need the records of each series in their order. */
      isOrdered: z.boolean(),
      units: z.record(z.string(), z.string()),
    })
    .optional(),
  format: exportFormat,
  csv: csvStyle,
  layout: csvLayout,
  columnNames: z.enum(columnNamesStyles),
  nullValues: z.enum(nullValueStyles),
  /** What the job reads before its first record; absent: nothing. */
  details: detailsRequest.optional(),
  ...exportDetails.shape,
  /** The well of a LAS file. */
  well: z.record(z.string(), z.string()).optional(),
  /** Version of the application that began the export. */
  version: z.string(),
  timeZone: z.string().nullable(),
  /** For a folder, which is a table; null: one file. */
  folder: folderPlan.nullable(),
  target: z.discriminatedUnion('place', [
    z.object({
      place: z.literal('path'),
      path: z.string(),
      name: z.string(),
      replaces: z.boolean(),
    }),
    z.object({ place: z.literal('job'), name: z.string() }),
  ]),
  /** The planned key field of pages; null: pages use `skip`. */
  windows: windowField.nullable(),
});
export type ExportPlan = z.infer<typeof exportPlan>;

export const exportEntry = z.discriminatedUnion('kind', [
  /** `partial`: path of the partial file. Repeated when that file must be created again. */
  z.object({ kind: z.literal('began'), at: z.string(), partial: z.string() }),
  z.object({ kind: z.literal('details'), details: exportDetails }),
  z.object({ kind: z.literal('surveyed'), ...survey.shape }),
  z.object({ kind: z.literal('counted'), count: z.int().nullable() }),
  z.object({ kind: z.literal('page'), checkpoint }),
  /** The spooled rows were written as a slice; the spool begins again. */
  z.object({ kind: z.literal('slice'), checkpoint, slice }),
  /** Nothing written so far is usable; reading starts over. */
  z.object({ kind: z.literal('restarted') }),
  /** Windows don't work; reading starts over with `skip`. */
  z.object({ kind: z.literal('windowsRefused'), reason: z.string() }),
  z.object({ kind: z.literal('finished'), file: finishedFile, rows: z.int() }),
]);
export type ExportEntry = z.infer<typeof exportEntry>;

/** The state of an export by its journal. */
export interface ExportProgress {
  /** ISO 8601. */
  readonly startedAt: string | null;
  /** Path of the partial file. */
  readonly partial: string | null;
  /** What was read before the first record. */
  readonly details: ExportDetails | null;
  /** How pages are cut; undefined before the survey. */
  readonly surveyResult: Survey | undefined;
  readonly counted: number | null;
  /** The pages written since reading last started over, or since the last slice. */
  readonly checkpoints: readonly Checkpoint[];
  /** The slices of a folder since reading last started over. */
  readonly slices: readonly Slice[];
  readonly finished: { readonly file: FinishedFile; readonly rows: number } | null;
}

/** Computes the state of an export from its journal. */
export function readProgress(entries: readonly ExportEntry[]): ExportProgress {
  let progress: ExportProgress = {
    startedAt: null,
    partial: null,
    details: null,
    surveyResult: undefined,
    counted: null,
    checkpoints: [],
    slices: [],
    finished: null,
  };
  for (const entry of entries) progress = { ...progress, ...progressChange(entry, progress) };
  const last = entries.findLastIndex(({ kind }) => kind === 'windowsRefused' || kind === 'restarted');
  const current = entries.slice(last + 1);
  const lastSlice = current.findLastIndex(({ kind }) => kind === 'slice');
  const sinceSlice = current.slice(Math.max(lastSlice, 0));
  return {
    ...progress,
    checkpoints: sinceSlice.flatMap((entry) => ('checkpoint' in entry ? [entry.checkpoint] : [])),
    slices: current.flatMap((entry) => ('slice' in entry ? [entry.slice] : [])),
  };
}

function progressChange(entry: ExportEntry, { startedAt }: ExportProgress): Partial<ExportProgress> {
  switch (entry.kind) {
    case 'began':
      return { startedAt: startedAt ?? entry.at, partial: entry.partial };
    case 'details':
      return { details: entry.details };
    case 'surveyed':
      return { surveyResult: { rule: entry.rule, reason: entry.reason } };
    case 'counted':
      return { counted: entry.count };
    case 'windowsRefused':
      return { surveyResult: { rule: null, reason: entry.reason }, finished: null };
    case 'page':
    case 'slice':
    case 'restarted':
      return { finished: null };
    case 'finished':
      return { finished: { file: entry.file, rows: entry.rows } };
  }
}

/** The empty file in the job's folder that stands for a folder until it is written. */
export const partialName = 'folder.partial';

interface SpecPlan {
  readonly plan: ExportPlan;
  readonly folder: string;
}

interface SpecOptions {
  readonly rule: Survey['rule'];
  readonly started: string | null;
}

/** What the thread needs to write the records of a plan. @throws SyntaxError if the query of the plan isn’t JSON */
export function createSpec(
  { plan, folder }: SpecPlan,
  partial: string,
  { rule, started }: SpecOptions,
): WriterSpec {
  const { format, csv, nullValues, unitChanges, timeZone, wellNames, fileName } = plan;
  const omittedFields = fieldsToRequest(requestedFields(plan), rule?.field ?? null).filter(
    (field) => !plan.fields.includes(field),
  );
  const hasUnits = Object.keys(plan.layout.units).length > 0;
  const unitsOfFields = withoutComputed(plan.layout.units, computedBy(plan.aggregation));
  const units = { ...(hasUnits && plan.calculation?.units), ...unitsOfFields };
  return {
    format,
    csv,
    layout: layoutIn({ ...plan.layout, units }, unitChanges),
    nullValues,
    unitChanges,
    calculation: plan.calculation,
    fields: fieldsOf(plan),
    omittedFields,
    timeColumns: recordTimes,
    timeZone,
    wellNames,
    folder,
    partial,
    name: fileName,
    about: { ...aboutOf(plan), started: started ?? '' },
    rule,
  };
}

/** The fields of the file, in order; empty: all. */
export function fieldsOf({ fields, wellNames, calculation: calculates }: ExportPlan): readonly string[] {
  if (fields.length === 0) return fields;
  const columns = calculates?.columns.map(({ name }) => pathId([name])) ?? [];
  return [...(wellNames ? withNameFields(fields) : fields), ...columns];
}

/**
 * The fields that are requested: also those that columns are calculated of, and those that tell the logs of a LAS file
 * apart. Empty: all.
 */
export function requestedFields({ fields, format, calculation: calculates }: ExportPlan): string[] {
  if (fields.length === 0) return fields;
  const ofLog = format === 'las' ? [depthPath, ...logPaths] : [];
  return [...new Set([...fields, ...(calculates?.paths ?? []), ...ofLog])];
}

/** What the file says about itself, except its start. @throws SyntaxError if the query of the plan isn’t JSON */
export const aboutOf = (plan: ExportPlan): Omit<About, 'started'> => ({
  version: plan.version,
  dataUrl: plan.connection.dataUrl,
  dataset: `${plan.address.provider}/${plan.address.dataset}`,
  // The same for every run of a folder, whose updates have a limit of their own.
  request: plan.folder?.request ?? stringifyJson(requestOf(plan)),
  timeZone: plan.timeZone ?? 'UTC',
  columns: { ...calculatedFacts(plan), ...plan.columns },
  well: plan.well,
});

const calculatedFacts = ({ calculation: calculates }: ExportPlan): About['columns'] =>
  Object.fromEntries(Object.entries(calculates?.units ?? {}).map(([path, unit]) => [path, { unit }]));

/** What was exported: query and sort, or an aggregation. @throws SyntaxError if the query of the plan isn’t JSON */
export function requestOf({ query, sort, aggregation }: ExportPlan): JsonObject {
  if (!aggregation) return { query: parseJson(query), sort: parseJson(sort) };
  const question = wholeOperationOf(aggregation);
  if (question.kind === 'pipeline') return { pipeline: [...question.stages] };
  const { match, sort: by, limit = null, skip = 0, group = null, project = null } = question.aggregate;
  return { aggregate: { match, sort: by, limit, skip, group, project } };
}
