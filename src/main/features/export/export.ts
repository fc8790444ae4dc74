import { type Calculation, calculation } from '../../../shared/calculated/calculated.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import { type DatasetType, depthPath, scopeFieldOf, logPaths } from '../../../shared/datasets/datasets.ts';
import { AppError, invalidInput, isAppError } from '../../../shared/errors/errors.ts';
import {
  manifestOf,
  type ExportRequest,
  type ExportSample,
  aggregation,
  columnNamesStyles,
  exportFormat,
  nullValueStyles,
} from '../../../shared/export/export.ts';
import { jsonOrNull, parseJson, stringifyJson, type JsonObject } from '../../../shared/json.ts';
import { parseRelaxedObject } from '../../../shared/language/relaxed.ts';
import { defaultSort } from '../../../shared/language/scope.ts';
import { readScope } from '../../../shared/language/text/conditions.ts';
import type { Connections } from '../../core/connections/connections.ts';
import { targetAt, type Files } from '../../core/files/files.ts';
import { checkOutput, isFree } from '../../core/files/output-file.ts';
import { readRegular } from '../../core/files/regular-file.ts';
import { basename } from 'node:path';
import { isStopped } from '../../../shared/jobs/job-states.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import { type JobRunner, type JobStore, planHead } from '../../core/jobs/jobs.ts';
import { exportOf, wholeOperationOf } from '../../core/requests.ts';
import { windowsFor, type Survey, fieldsToRequest, survey, windowField } from '../../core/reading/reading.ts';
import {
  checkFolderOutput,
  planFolder,
  type ReadCheckpoint,
  folderPlan,
  checkpoint,
  finishedFile,
  type Checkpoint,
  type FinishedFile,
  type WriterSpec,
  slice,
  type Slice,
} from '../../core/write/write.ts';
import { columnsIn, readLasColumns, detailsRequest, exportDetails, type ExportDetails } from './details.ts';
import { withWellField, createWellNamer, withNameFields } from '../../core/records/well-names.ts';
import { checkZone, createZoneWriter, recordTimes } from '../../core/records/zone.ts';
import type { CallOptions, Services } from '../../core/wire/services/services.ts';
import { getDataset } from '../../core/datasets/definitions.ts';
import { listCompanies } from '../../core/datasets/companies.ts';
import { toWell } from '../../core/wells/well.ts';
import { recordsAsCsv } from '../../core/records/as-csv.ts';
import { csvForm } from '../../core/records/csv.ts';
import { addJson } from '../../core/records/json-lines.ts';
import { TextBuffer } from '../../core/records/text-buffer.ts';
import { createPathTree, type PathTree, RecordScanner } from '../../core/records/scan.ts';
import { createUnitConverter, layoutIn } from '../../core/records/unit-changes.ts';
import * as z from 'zod';
import { csvLayout, csvStyle } from '../../../shared/csv.ts';
import { computedBy, withoutComputed } from '../../../shared/language/text/summary.ts';
import { pathId } from '../../../shared/column-paths.ts';
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

/** What the thread needs to write the records of a plan. @throws SyntaxError if the query of the plan isn’t JSON */
export function createSpec(
  plan: ExportPlan,
  places: Pick<WriterSpec, 'folder' | 'partial' | 'rule'>,
  started: string,
): WriterSpec {
  const { format, csv, nullValues, unitChanges, timeZone, wellNames, fileName } = plan;
  const omittedFields = fieldsToRequest(requestedFields(plan), places.rule?.field ?? null).filter(
    (field) => !plan.fields.includes(field),
  );
  const hasUnits = Object.keys(plan.layout.units).length > 0;
  const unitsOfFields = withoutComputed(plan.layout.units, computedBy(plan.aggregation));
  const units = { ...(hasUnits && plan.calculation?.units), ...unitsOfFields };
  return {
    ...places,
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
    name: fileName,
    about: { ...aboutOf(plan), started },
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

/** What was exported: query and sort, or an aggregation. @throws SyntaxError if the query of the plan isn’t JSON */
export function requestOf({ query, sort, aggregation }: ExportPlan): JsonObject {
  if (!aggregation) return { query: parseJson(query), sort: parseJson(sort) };
  const question = wholeOperationOf(aggregation);
  if (question.kind === 'pipeline') return { pipeline: [...question.stages] };
  const { match, sort: by, limit = null, skip = 0, group = null, project = null } = question.aggregate;
  return { aggregate: { match, sort: by, limit, skip, group, project } };
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

const writtenManifest = z.object({
  wellbenchExport: z.int(),
  file: z.string(),
  sha256: z.string().optional(),
  started: z.string().optional(),
});

interface ManifestOwner {
  /** Path of the exported file. */
  readonly file: string;
  /** Whether the file replaces another: then its manifest replaces that of the other. */
  readonly replaces: boolean;
  /** Start of the export and checksum of its complete file, if there is one. */
  readonly startedAt?: string;
  readonly sha256?: string | undefined;
}

/**
 * Checks that writing the manifest replaces at most that of the replaced file, or one that the export itself wrote before
 * it was interrupted.
 * @returns whether there is one of these
 * @throws AppError `file_exists`, `file_unwritable`, `file_unreadable`
 */
export async function checkManifest(
  path: string,
  { file, replaces, startedAt, sha256 }: ManifestOwner,
): Promise<boolean> {
  const name = basename(path);
  if (await isFree(path)) return false;
  const text = (await readRegular(path, name)).toString('utf8');
  const { data } = writtenManifest.safeParse(jsonOrNull(text));
  const isOfFile = data?.file === basename(file);
  const isOwn = sha256 !== undefined && data?.sha256 === sha256 && data.started === startedAt;
  if (isOfFile && (replaces || isOwn)) return true;
  throw new AppError('file_exists', { file: name });
}

export interface FolderRun {
  readonly path: string;
  readonly connectionName: string;
  readonly job: string;
  readonly request: Omit<ExportRequest, 'target'>;
}

export interface ExportDependencies {
  readonly connections: Pick<Connections, 'get' | 'services'>;
  readonly files: Pick<Files, 'target' | 'endTarget' | 'folder'>;
  readonly runner: Pick<JobRunner, 'start'>;
  readonly store: Pick<JobStore, 'page' | 'plan'>;
  readonly readCheckpoint: ReadCheckpoint;
  readonly keepFolder: (run: FolderRun) => Promise<void>;
  readonly version: string;
}

/**
 * Handlers that start exports. The query, fields, time zone, dataset, and target are checked before a job is
 * created.
 * @throws AppError from `start`: `invalid_input`, `file_exists`, `file_unwritable`, `connection_unknown`, and
 *   errors of the data service; from `sample`: `bad_answer`, `invalid_input`
 */
export function createExport({
  connections,
  files,
  runner,
  store,
  keepFolder,
  readCheckpoint,
  version,
}: ExportDependencies): ModuleHandlers<(typeof calls)['export']> {
  return {
    sample: async (sample) => sampleText(sample),
    async start(request, { signal }) {
      const { connection, provider, dataset, timeZone, aggregation = null } = request;
      if (aggregation) wholeOperationOf(aggregation);
      if (aggregation && request.partition)
        throw invalidInput('A folder contains only stored records. Export one file, or remove the stages.');
      const calculation = request.calculation && (await planCalculation(request.calculation));
      if (calculation && request.partition)
        throw invalidInput(
          'A folder contains only stored columns. Export one file, or remove the calculated columns.',
        );
      const { query, sort: requestedSort } = exportOf(request);
      if (timeZone !== undefined) checkZone(timeZone);
      const folder = request.partition ? files.folder(request.target) : null;
      const target = folder ? targetAt(folder.path) : files.target(request.target);
      if (folder) await checkFolderOutput(folder, request.mirror !== undefined);
      else if (target.place === 'path') {
        const { path: file, replaces } = target;
        await checkOutput(target, [manifestOf(file)]);
        await checkManifest(manifestOf(file), { file, replaces });
      }
      const { id, name, dataUrl } = connections.get(connection);
      const { data, platform } = connections.services(connection);
      const address = { provider, dataset };
      const { type } = await getDataset(data, address, { signal });
      const index = calculation?.isOrdered ? calculation.index : null;
      const isLas = request.format === 'las';
      if (isLas) checkHasDepths(type);
      const sort = sortFor(isLas ? depthPath : index, requestedSort, type);
      const planned = folder
        ? await planFolder(request, folder, {
            type,
            query,
            dataUrl,
            dataset: `${provider}/${dataset}`,
            async hasRecords(by) {
              const find = { query: by, sort: {}, fields: ['_id'], limit: 1 };
              return (await data.find(address, find, { signal })).count > 0;
            },
            nowMs: data.now(),
            readCheckpoint,
          })
        : { folder: null, query, fields: request.fields };
      const lasColumns = isLas
        ? await readLasColumns(data, address, { ...request, calculation }, signal)
        : null;
      const plan: ExportPlan = {
        ...planFields({ ...request, calculation, fields: [...planned.fields] }, type, lasColumns),
        connection: { id, name, dataUrl },
        fileName: target.name,
        query: stringifyJson(planned.query),
        folder: planned.folder,
        sort: stringifyJson(sort),
        target,
        aggregation,
        ...(isLas && { well: await planWell({ data, platform }, stringifyJson(query), { signal }) }),
        version,
        windows: aggregation ? null : windowsFor(type, planned.query, sort),
      };
      const unfinished = await unfinishedExport(plan, store);
      const job = await runner.start('export', plan, signal);
      files.endTarget(request.target);
      const { target: _, ...written } = request;
      if (folder)
        await keepFolder({ path: folder.path, connectionName: name, job: job.id, request: written });
      return { job: job.id, ...(unfinished === null ? {} : { unfinished }) };
    },
  };
}

/** A calculation with what the export needs to know of it. Few exports have one, so what compiles it is loaded on use. */
async function planCalculation(calculation: Calculation): Promise<NonNullable<ExportPlan['calculation']>> {
  const { calculationFacts } = await import('../../core/records/calculator.ts');
  return { ...calculation, ...calculationFacts(calculation) };
}

/** The last export to the same file, if it stopped and can be resumed; null: there is none. */
async function unfinishedExport(
  { target, fileName }: ExportPlan,
  store: ExportDependencies['store'],
): Promise<string | null> {
  // It has left a partial file: without one, no job has to be read.
  if (target.place !== 'path' || (await isFree(`${target.path}.partial`))) return null;
  const { jobs: unfinished } = await store.page({ finished: 0 });
  const jobs = unfinished.filter(
    ({ kind, summary: { state, file } }) => kind === 'export' && file === fileName && isStopped(state),
  );
  for (const { id } of jobs.toReversed()) {
    const plan = exportPlan.safeParse(await store.plan(id).catch(() => null)).data;
    if (plan?.target.place === 'path' && plan.target.path === target.path) return id;
  }
  return null;
}

/**
 * The order of an export: as requested.
 * @param index where a format or calculated columns need its order; null: they don't
 */
function sortFor(index: string | null, requested: JsonObject, type: DatasetType | null): JsonObject {
  if (index !== null) return { [index]: 1 };
  return Object.keys(requested).length > 0 ? requested : parseRelaxedObject(defaultSort(type), 'sort');
}

const distinctFields = (fields: readonly string[]): string[] => [
  ...new Set(fields.map((field) => field.trim())),
];

/**
 * The plan's fields that are decided without a request, beside those of the export's request, of which a plan has no others.
 * With well names, they include the well.
 */
function planFields(
  request: Omit<ExportRequest, 'calculation'> & Pick<ExportPlan, 'calculation'>,
  type: DatasetType | null,
  lasColumns: Pick<ExportPlan, 'columns' | 'unitChanges'> | null,
) {
  const { provider, dataset, query, units, timeZone = null, wellNames } = request;
  const scopeField = scopeFieldOf(type);
  const fields = distinctFields(request.fields);
  const scope = readScope(query, scopeField);
  const wells = scope.kind === 'ids' ? scope.ids : null;
  return {
    ...request,
    address: { provider, dataset },
    fields: wellNames ? [...withWellField(fields, scopeField)] : fields,
    timeZone,
    details: { ...(!lasColumns && { units }), ...(wellNames && { wells }) },
    ...(lasColumns ?? { columns: {}, unitChanges: {} }),
    wellNames: null,
  };
}

/** Degrees to about 0.1 m. */
const degrees = (value: number): string => String(Number(value.toFixed(6)));

/** @throws AppError `invalid_input` if a dataset has no depths, which a LAS file needs */
function checkHasDepths(type: DatasetType | null): void {
  if (type !== 'depth' && type !== null)
    throw invalidInput(
      `LAS files have a row for each depth, but this is a ${type} dataset. Select another format.`,
      { field: 'format' },
    );
}

/**
 * The well of a LAS file, for its header; empty if the user may not read it.
 * @throws AppError `invalid_input` if the query isn't for one well; errors of the services
 */
async function planWell(
  { data, platform }: Pick<Services, 'data' | 'platform'>,
  query: string,
  options: CallOptions,
): Promise<Record<string, string>> {
  const scope = readScope(query, 'asset_id');
  const [assetId, ...otherIds] = scope.kind === 'ids' ? scope.ids : [];
  if (assetId === undefined || otherIds.length > 0)
    throw invalidInput('A LAS file contains one log. Filter by one asset_id.', { field: 'query' });
  try {
    const entities = await platform.list('wells', { asset_id: [assetId] }, options);
    const well = entities.map(toWell).find((listed) => listed.assetId === assetId);
    if (!well) return {};
    const { name, apiNumber, area, position, companyId } = well;
    const companies = companyId === null ? [] : await listCompanies(data, options);
    return {
      name,
      api: apiNumber ?? '',
      field: area ?? '',
      location: position ? `${degrees(position[1])} ${degrees(position[0])} latitude longitude` : '',
      company: companies.find(({ id }) => id === companyId)?.name ?? '',
    };
  } catch (error) {
    if (isAppError(error, 'forbidden') || isAppError(error, 'not_found')) return {};
    throw error;
  }
}

const tabs = csvForm({ delimiter: '\t', newline: 'LF', bom: false, decimal: '.', escapeFormulas: false });

/**
 * The text that an export would write for a few records: CSV, the cells of a workbook with tabs between them, otherwise one JSON
 * record per line.
 * @throws AppError `bad_answer` when they aren't an array of objects; `invalid_input` for an unknown time zone
 */
export function sampleText(sample: ExportSample): string {
  const { format, csv, timeZone, wellNames, names, nullValues } = sample;
  if (timeZone !== undefined) checkZone(timeZone);
  const { records: converted, layout } = inUnits(sample);
  const records = wellNames ? edited(converted, (tree) => createWellNamer(names, tree)) : converted;
  const wellPath = /"metadata"\s*:\s*\{[^{}]*"asset_id"/.test(records) ? 'metadata.asset_id' : 'asset_id';
  const fields = wellNames ? withNameFields(withWellField(sample.fields, wellPath)) : sample.fields;
  if (format === 'csv')
    return recordsAsCsv(records, { fields, timeZone, layout, form: csvForm(csv), nullValues });
  if (format === 'xlsx') {
    const sheetLayout = { ...layout, times: 'spreadsheet' as const };
    const zone = timeZone ?? 'UTC';
    const form = { form: tabs, isSheet: true };
    return recordsAsCsv(records, { fields, timeZone: zone, layout: sheetLayout, nullValues, ...form });
  }
  const page = new RecordScanner({ tree: createPathTree(), keyField: null }).scanArray(records);
  const zone = timeZone === undefined ? null : createZoneWriter(timeZone);
  const lines = new TextBuffer();
  for (let record = 0; record < page.count; record += 1) {
    addJson(lines, page, record, { omittedFields: new Set(), zone });
    lines.text('\n');
  }
  return Buffer.from(lines.take()).toString();
}

function inUnits({
  records,
  layout,
  units,
  fieldUnits,
}: ExportSample): Pick<ExportSample, 'records' | 'layout'> {
  if (units === 'stored') return { records, layout };
  const fields = Object.entries(fieldUnits).map(([path, unit]) => ({ path, unit, types: [] }));
  const { unitChanges: changes } = columnsIn(fields, units);
  const converted = edited(records, (tree) => createUnitConverter(changes, tree));
  return { records: converted, layout: layoutIn(layout, changes) };
}

/** Records as the writer of an export changes them. */
function edited(records: string, createEdit: (tree: PathTree) => ReturnType<typeof createWellNamer>): string {
  const tree = createPathTree();
  const page = new RecordScanner({ tree, keyField: null }).scanArray(records);
  return Buffer.from(createEdit(tree)(page, [...Array(page.count).keys()])).toString();
}
