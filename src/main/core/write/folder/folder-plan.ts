import { basename, dirname, join } from 'node:path';
import { isFree, reservePartial } from '../../files/output-file.ts';
import { type DatasetType, scopeFieldOf, timeFieldOf } from '../../../../shared/datasets/datasets.ts';
import { AppError, invalidInput } from '../../../../shared/errors/errors.ts';
import type { ExportRequest } from '../../../../shared/export/export.ts';
import { clockToleranceMs, minPlausibleMs } from '../../../../shared/instants.ts';
import { maxOf } from '../../../../shared/lists.ts';
import { isObject, stringifyJson, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import type { FolderPlace } from '../../files/files.ts';
import { isUnder } from '../../records/columns.ts';
import { canBeWindowed } from '../../requests.ts';
import { queryAround } from '../census/comparison.ts';
import { checkFolder } from './commit.ts';
import {
  defaultSliceBytes,
  type FolderPlan,
  isChangedByOthers,
  type FolderFile,
  readTable,
  type TableAbout,
  type TableState,
} from './table-state.ts';
import { hasLog, readLastRun, type ReadCheckpoint } from '../delta/snapshot.ts';
import type { PartitionPlan } from '../census/partition.ts';
import { rm } from '../../../world/files.ts';

type FolderRequest = Pick<
  ExportRequest,
  'partition' | 'mirror' | 'format' | 'fields' | 'sort' | 'columnNames' | 'units' | 'wellNames'
>;

export interface FolderScope {
  readonly type: DatasetType | null;
  readonly query: JsonObject;
  readonly dataUrl: string;
  readonly dataset: string;
  readonly hasRecords: (query: JsonObject) => Promise<boolean>;
  /** The service's clock in Unix milliseconds. */
  readonly nowMs: number;
  readonly readCheckpoint: ReadCheckpoint;
}

interface PlannedFolder {
  readonly folder: FolderPlan;
  readonly query: JsonObject;
  /** The fields to read and write; empty: all. */
  readonly fields: readonly string[];
}

/**
 * Checks that a run may write a folder: it is new, empty, a mirror to update, or one that Wellbench wrote and may replace.
 * @throws AppError `file_exists`, `file_unwritable`, `disk_full`
 */
export async function checkFolderOutput(
  { path, name, replaces = false }: FolderPlace,
  isMirror: boolean,
): Promise<void> {
  await checkFolder(path);
  if (!isMirror && !replaces && (await hasLog(path))) throw new AppError('file_exists', { file: name });
  await checkWritable(path);
}

/**
 * Checks that files can be created in a folder, or that a new one can be created, before anything is read for it.
 * @throws AppError `file_unwritable`, `disk_full`
 */
async function checkWritable(folder: string): Promise<void> {
  let existing = folder;
  while ((await isFree(existing)) && dirname(existing) !== existing) existing = dirname(existing);
  await rm(await reservePartial(join(existing, basename(folder))), { force: true });
}

/**
 * Decides what a run of a folder reads: everything, or what is new since the last run of a mirror.
 * @param place a folder that {@link checkFolderOutput} has checked
 * @throws AppError `invalid_input`, `file_exists`, `file_unreadable`, `table_unsupported`, errors of the data service
 */
export async function planFolder(
  request: FolderRequest,
  { path, name, replaces = false }: FolderPlace,
  { type, query, dataUrl, dataset, hasRecords, nowMs, readCheckpoint }: FolderScope,
): Promise<PlannedFolder> {
  const { format, fields, sort, columnNames, units, wellNames, mirror } = request;
  if (format !== 'parquet') throw invalidInput('A folder contains Parquet files. Use --format parquet.');
  if (sort !== '')
    throw invalidInput('The records of a folder are in the order of its partitions. Remove the sort.');
  const partition = partitionOf(request.partition ?? [], type);
  const scopeText = stringifyJson({
    query,
    fields: [...fields],
    ...(units === 'stored' ? {} : { units }),
    ...(wellNames ? { wellNames } : {}),
  });
  const table = await readTable(path, readCheckpoint);
  const maxTimeMs = nowMs + clockToleranceMs;
  const plan = {
    partition,
    maxTimeMs,
    verifies: mirror !== undefined,
    request: scopeText,
    generation: table?.generation ?? 0,
    sliceBytes: defaultSliceBytes,
  };
  const whole = {
    folder: { ...plan, cutMs: null, belowMs: nowMs - (mirror?.overlapMs ?? 0), replaces: false },
    query,
    fields: withPlaceFields(fields, partition),
  };
  if (!table) return whole;
  const wanted = { partition, request: scopeText, service: dataUrl, dataset, columnNames };
  const differences = differencesOf(table, wanted);
  if (!mirror || (replaces && differences.length > 0))
    return { ...whole, folder: { ...whole.folder, replaces: true } };
  if (differences.length > 0)
    throw invalidInput(`${name} is a mirror of ${differences.join(', ')}. Use another folder.`);
  // A comparison finds what a change of another program concerns; where there may be none, everything is read.
  if (isChangedByOthers(table) && !(await readLastRun(path))?.run.verified) return whole;
  const update = await updateOf(table, query, { ...plan, overlapMs: mirror.overlapMs, hasRecords });
  if (!update) return whole;
  const { cutMs } = update;
  return { ...whole, folder: { ...plan, cutMs, belowMs: cutMs, replaces: false }, query: update.query };
}

/** Fields that include the well and the time, which place a record in the folder and are compared with the service. */
function withPlaceFields(
  fields: readonly string[],
  { assetPath, timePath }: PartitionPlan,
): readonly string[] {
  const isRequested = (path: string): boolean =>
    fields.length === 0 || fields.some((field) => isUnder(path, field));
  const places = [assetPath, timePath].filter((path) => path !== null);
  return [...places.filter((path) => !isRequested(path)), ...fields];
}

function partitionOf(keys: readonly string[], type: DatasetType | null): PartitionPlan {
  const timePath = timeFieldOf(type ?? 'time');
  if (keys.includes('day') && keys.includes('month'))
    throw invalidInput('Divide the folder by day or by month, not by both.');
  const period = keys.includes('day') ? 'day' : keys.includes('month') ? 'month' : null;
  if (period !== null && timePath === null)
    throw invalidInput(
      `Records of this dataset have no time, so they can’t be divided by ${period}. Use asset_id.`,
    );
  return { assetPath: keys.includes('asset_id') ? scopeFieldOf(type) : null, timePath, period };
}

/** How a mirror differs from a request, in words. */
const differencesOf = (base: TableState, wanted: Omit<TableAbout, 'columns'>): string[] =>
  [
    base.service !== wanted.service && `the service ${base.service}`,
    base.dataset !== wanted.dataset && `the dataset ${base.dataset}`,
    base.request !== wanted.request && 'another query, other fields, units, or well names',
    stringifyJson(base.partition) !== stringifyJson(wanted.partition) && 'other partitions',
    base.columnNames !== wanted.columnNames && 'other column names',
  ].filter((difference) => difference !== false);

/** The lower limit of a condition on a time, in milliseconds; infinite if it can't be compared. */
function lowerLimit(condition: JsonValue | undefined): number {
  if (!isObject(condition))
    return condition === undefined ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const limit = condition['$gte'] ?? condition['$gt'];
  if (limit === undefined) return Number.NEGATIVE_INFINITY;
  const ms = typeof limit === 'string' ? Date.parse(limit) : Number(limit);
  return Number.isFinite(ms) ? ms : Number.POSITIVE_INFINITY;
}

/** The time of the last record, in milliseconds. Wrong times don't count; infinite: there is none. */
const watermarkOf = (parts: readonly FolderFile[], maxTimeMs: number): number =>
  maxOf(
    parts.flatMap(({ last }) => (last !== null && last >= minPlausibleMs && last < maxTimeMs ? last : [])),
  );

/** What is new since the last run; null: everything has to be read. */
async function updateOf(
  { parts }: TableState,
  query: JsonObject,
  { partition: { timePath }, maxTimeMs, overlapMs, hasRecords }: UpdateOptions,
): Promise<{ readonly cutMs: number; readonly query: JsonObject } | null> {
  const watermark = watermarkOf(parts, maxTimeMs);
  if (!Number.isFinite(watermark) || timePath === null || !canBeWindowed(query, timePath)) return null;
  const cutMs = watermark - overlapMs;
  if (lowerLimit(query[timePath]) > cutMs) return null;
  const bounded = queryAround(query, timePath, { fromMs: cutMs, toMs: maxTimeMs });
  if (!bounded) return null;
  // Dates that the service stores as dates match no text; the mirror has at least one record in this range.
  return timePath === 'datetime' && !(await hasRecords(bounded)) ? null : { cutMs, query: bounded };
}

interface UpdateOptions extends Pick<FolderPlan, 'partition' | 'maxTimeMs'> {
  readonly overlapMs: number;
  readonly hasRecords: FolderScope['hasRecords'];
}
