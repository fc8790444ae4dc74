import { join } from 'node:path';
import { AppError } from '../../../../shared/errors/errors.ts';
import type { ExportResult } from '../../../../shared/export/export.ts';
import { isObject, type JsonObject } from '../../../../shared/json.ts';
import { writeError } from '../../../core/files/file-errors.ts';
import { checkNoLinks } from '../../../core/files/links.ts';
import { parseObject } from '../../../core/requests.ts';
import { partitionsOf, rereadsFor, type Reread } from '../../../core/write/census/comparison.ts';
import { checkpointReader, tidyTable } from '../../../core/write/delta/checkpoint.ts';
import { commitName, logName } from '../../../core/write/delta/snapshot.ts';
import { removeOldFiles } from '../../../core/write/delta/vacuum.ts';
import { lockFolder } from '../../../core/write/folder/commit.ts';
import {
  type FolderPlan,
  type FolderTarget,
  changeTable,
  type FolderContent,
  isOwnVersion,
  lostParts,
  otherRun,
  type Part,
  readTable,
  sizeOfParts,
  type TableState,
} from '../../../core/write/folder/table-state.ts';
import { contentOf } from '../../../core/write/folder/update-table.ts';
import { removeSpools } from '../../../core/write/record-writer.ts';
import { partialName } from '../plan.ts';
import { compareCounts } from '../report.ts';
import {
  entryEvent,
  progressEvent,
  writeRecords,
  type ExportEvent,
  type ExportRun,
  type WrittenFile,
} from '../write-records.ts';
import { readAgain, verifyFolder, type VerifiedFolder } from './verify.ts';
import { mkdir, rm } from '../../../world/files.ts';
import { wallMs } from '../../../world/time.ts';
import { countInWords, firstInWords } from '../../../../shared/lists.ts';
import { partitionAt, partitionScope } from '../../../core/write/census/partition.ts';

type Parts = Pick<FolderContent, 'parts'> | null;

/** How many records the partitions of a folder gained and lost. */
export function rowChanges(
  before: Parts,
  after: Pick<FolderContent, 'parts'>,
): { readonly added: number; readonly removed: number } {
  const rowsBefore = new Map(before?.parts.map(({ path, rows }) => [partitionAt(path), rows]));
  let [added, removed] = [0, 0];
  for (const { path, rows } of after.parts) {
    const change = rows - (rowsBefore.get(partitionAt(path)) ?? 0);
    if (change > 0) added += change;
    else removed -= change;
    rowsBefore.delete(partitionAt(path));
  }
  for (const rows of rowsBefore.values()) removed += rows;
  return { added, removed };
}

/** The well of a file as it is in the name of its folder, escaped; null: the folder is not divided by wells. */
const wellOf = ({ path }: Part): string | null =>
  /^asset_id=(?<well>[^/]*)\//.exec(path)?.groups?.['well'] ?? null;

function rowsByWell(parts: readonly Part[]): Map<string | null, number> {
  const rows = new Map<string | null, number>();
  for (const part of parts) rows.set(wellOf(part), (rows.get(wellOf(part)) ?? 0) + part.rows);
  return rows;
}

const maxNames = 10;
/** Some wells in words; empty if the folder is not divided by wells. */
function inWords(wells: readonly (string | null)[]): string {
  const names = wells.filter((well) => well !== null);
  if (names.length === 0) return '';
  return ` of ${names.length === 1 ? 'well' : 'wells'} ${firstInWords(names, maxNames)}`;
}

const advice =
  'The service no longer returns them. If nobody deleted them, check that your key can read these wells: once it can, the next update adds their records again.';

/**
 * Warnings about an update that removed all records of a well, or more than half of all records: a service that takes away
 * a key's access to a well returns the same as one whose records were deleted.
 * @param before the folder's content before the update; null: it had none
 * @param after the content that the update wrote
 */
export function removalWarnings(before: Parts, after: Pick<FolderContent, 'parts'>): string[] {
  const earlier = rowsByWell(before?.parts ?? []);
  const later = rowsByWell(after.parts);
  const decreases = [...earlier].flatMap(([well, rows]) => {
    const left = later.get(well) ?? 0;
    return left < rows ? [{ well, left, removed: rows - left }] : [];
  });
  const emptied = decreases.filter(({ left }) => left === 0).map(({ well }) => well);
  const total = [...earlier.values()].reduce((sum, rows) => sum + rows, 0);
  const removed = decreases.reduce((sum, decrease) => sum + decrease.removed, 0);
  return [
    ...(emptied.length === 0 ? [] : [`This update removed all records${inWords(emptied)}. ${advice}`]),
    ...(removed * 2 <= total
      ? []
      : [
          `This update removed ${removed} of ${countInWords(total, 'record', 'records')}${inWords(decreases.map(({ well }) => well))}. ${advice}`,
        ]),
  ];
}

/** A warning about files that another program removed or changed. */
export const lostWarnings = (lost: number): string[] =>
  lost === 0
    ? []
    : [
        `${countInWords(lost, 'file of the folder was', 'files of the folder were')} missing or changed by another program. ${lost === 1 ? 'Its' : 'Their'} records are read again.`,
      ];

/** A warning about texts that a column of numbers, or of booleans, has. @param counts by field */
export const textWarnings = (counts: ReadonlyMap<string, number>, of: 'numbers' | 'booleans'): string[] =>
  counts.size === 0
    ? []
    : [
        `Texts that are written like ${of} became ${of}: ${firstInWords(
          Array.from(counts, ([path, count]) => `${count} of ${path}`),
          maxNames,
        )}.`,
      ];

/** Warnings about the comparison of a folder with the service, and about records without a plausible time. */
export function verifiedWarnings(
  verified: VerifiedFolder | null,
  { parts }: Pick<FolderContent, 'parts'>,
): string[] {
  if (!verified) return [];
  const wrongTimes = parts
    .filter(({ path }) => partitionScope(partitionAt(path)).period === null)
    .reduce((sum, { rows }) => sum + rows, 0);
  return [
    ...verified.warnings,
    ...(wrongTimes === 0
      ? []
      : [
          `${countInWords(wrongTimes, 'record has', 'records have')} no time, or one before 1950 or after the service’s clock. ${wrongTimes === 1 ? 'It is' : 'They are'} in the partition __HIVE_DEFAULT_PARTITION__.`,
        ]),
  ];
}

/** The partitions whose files differ between two states of a folder. */
export function changedPartitions(before: Parts, after: Pick<FolderContent, 'parts'>): string[] {
  const earlier = new Set(before?.parts.map(({ path }) => path));
  const later = new Set(after.parts.map(({ path }) => path));
  return [...earlier.symmetricDifference(later)].map(partitionAt);
}

type Folder = Pick<FolderTarget, 'path' | 'job'> & FolderPlan;
type WrittenTypes = Pick<WrittenFile['file'], 'typedTexts' | 'warnings'>;
type FolderEvents = AsyncGenerator<ExportEvent, ExportResult>;

/**
 * Writes a table of Delta, or what is new in one, and compares a mirror with the service. The records are spooled in the
 * job's folder, so that a resumed run continues there; its files become those of the table at the end.
 * @throws AppError of the services and of the writer; `invalid_input`, `file_unreadable`, `file_unwritable`
 */
export async function* runFolder(run: ExportRun, plan: FolderPlan): FolderEvents {
  const { job, earlier } = run;
  const { target } = job.plan;
  if (target.place !== 'path') throw new AppError('internal', { problem: 'a folder needs a path' });
  const { path } = target;
  const partial = join(job.folder, partialName);
  const lock = await lockFolder(path);
  try {
    if (earlier.partial === null) yield entryEvent({ kind: 'began', at: earlier.startedAt, partial }, false);
    const result = yield* runTable(run, { ...plan, path, job: job.id });
    await removeSpools(job.folder);
    await rm(partial, { force: true }).catch(() => undefined);
    yield progressEvent({ rows: result.rows, bytes: result.bytes });
    return result;
  } finally {
    lock.release();
  }
}

/** Updates a table, and compares a mirror with the service. */
async function* runTable(run: ExportRun, folder: Folder): FolderEvents {
  const { job, services, signal } = run;
  const { plan } = job;
  const { path, partition, maxTimeMs, belowMs, request, verifies, replaces } = folder;
  const startMs = wallMs();
  const start = await openTable(run, folder);
  const lost = await lostParts(path, start?.parts ?? []);
  const scope = { query: userQuery(request), partition, maxTimeMs, belowMs };
  const changed = new Set<string>();
  const reread = new Set<string>();
  const texts = { numbers: new Map<string, number>(), booleans: new Map<string, number>() };
  const splitWarnings = new Set<string>();
  function keepTypes({ typedTexts, warnings }: WrittenTypes): void {
    for (const type of ['numbers', 'booleans'] as const)
      for (const [field, count] of typedTexts?.[type] ?? [])
        texts[type].set(field, (texts[type].get(field) ?? 0) + count);
    for (const warning of warnings) splitWarnings.add(warning);
  }
  async function* replaced(these: Reread, from: TableState): AsyncGenerator<ExportEvent, TableState> {
    const target = { ...folder, replaces: false, cutMs: null, table: from };
    const { table: after, ...types } = yield* readAgain(these, run, target);
    keepTypes(types);
    for (const name of changedPartitions(from, after)) changed.add(name);
    for (const name of these.partitions) reread.add(name);
    return after;
  }
  let before = start && withoutFiles(start, lost, folder.cutMs === null);
  // Until they are read, the log names the lost files: a run that is killed here reads them the next time.
  if (before && folder.cutMs !== null)
    for (const reading of rereadsFor(partitionsOf(lost), scope)) before = yield* replaced(reading, before);
  const written = yield* write(run, folder, before);
  const { table } = written.file;
  if (!table) throw new AppError('internal', { problem: 'a folder is a table' });
  const comparison = await compareCounts(services.data, plan, written, signal);
  keepTypes(written.file);
  for (const name of changedPartitions(before, table)) changed.add(name);
  const verified = verifies
    ? yield* verifyFolder(table, {
        data: services.data,
        address: plan.address,
        scope,
        signal,
        readAgain: replaced,
      })
    : null;
  const current = verified?.table ?? table;
  // The comparison was before the differences were read again.
  const isVerified = verified?.isVerified === true;
  const warnings = [
    ...lostWarnings(lost.length),
    ...(replaces ? [] : removalWarnings(start, current)),
    ...(isVerified ? [] : comparison.warnings),
    ...textWarnings(texts.numbers, 'numbers'),
    ...textWarnings(texts.booleans, 'booleans'),
    ...splitWarnings,
    ...verifiedWarnings(verified, current),
  ];
  const about = { path, job: job.id, version: plan.version, warnings, stats: new Map<string, string>() };
  const { metaData } = current.snapshot;
  const end = verified
    ? await changeTable(
        current,
        { ...about, metaData, parts: verified.parts, verified: verified.isVerified },
        true,
      )
    : current;
  await tidyTable(path, end.snapshot, checkpointPlace(run));
  // Who reads its Parquet files without the log has those of this export only.
  if (!verifies) await removeOldFiles(path, end.snapshot, { unknownMs: startMs, removedMs: Infinity });
  const lastCommit = join(path, logName, commitName(end.snapshot.version));
  yield { kind: 'artifact', artifact: { kind: 'manifest', path: lastCommit } };
  const { parts } = end;
  const { rows } = sizeOfParts(parts);
  const missingRows = isVerified
    ? 0
    : comparison.expected === null
      ? null
      : comparison.expected - written.rows;
  return {
    rows,
    ...contentOf(end),
    expected: missingRows === null ? null : rows + missingRows,
    warnings,
    folder: {
      partitions: parts.length,
      ...rowChanges(start, end),
      rewritten: changed.size,
      ...(verified && { reread: reread.size, verified: verified.isVerified }),
    },
  };
}

const write = (
  run: ExportRun,
  folder: Folder,
  table: FolderTarget['table'],
): AsyncGenerator<ExportEvent, WrittenFile> =>
  writeRecords(run, {
    partial: join(run.job.folder, partialName),
    folder: { ...folder, table, replaced: null },
  });

const checkpointPlace = ({ job, startTables, signal }: ExportRun) => ({
  startTables,
  signal,
  folder: join(job.folder, 'log'),
});

/**
 * The table of a run; null: there is none yet.
 * @throws AppError `invalid_input` if another run has changed the folder since this one was planned; `file_unwritable`
 */
async function openTable(run: ExportRun, { path, generation }: Folder): Promise<TableState | null> {
  const { job } = run;
  const { fileName } = job.plan;
  await checkNoLinks(path, [logName]);
  const table = await readTable(path, checkpointReader(checkpointPlace(run)));
  const isOwn = table !== null && isOwnVersion(table, job.id);
  if (!isOwn && (table?.generation ?? 0) !== generation) throw otherRun(fileName);
  // A folder that has a log, even an empty one, is known to be ours after a kill.
  await mkdir(join(path, logName), { recursive: true }).catch((error: unknown) => {
    throw writeError(error, fileName, 0);
  });
  return table;
}

/** The query of a folder, without the limits of an update. */
function userQuery(request: string): JsonObject {
  const { query } = parseObject(request);
  return isObject(query) ? query : {};
}

/** A table whose files were lost. @param isRead whether all records are read: then it doesn't name them */
const withoutFiles = (table: TableState, lost: readonly Part[], isRead: boolean): TableState => ({
  ...table,
  // A file with the same content must not be taken for the one that is lost.
  parts: table.parts.flatMap((part) =>
    lost.includes(part) ? (isRead ? [] : { ...part, sha256: '' }) : part,
  ),
});
