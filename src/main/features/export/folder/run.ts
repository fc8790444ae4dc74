import { join } from 'node:path';
import { AppError } from '../../../../shared/errors/errors.ts';
import type { ExportResult } from '../../../../shared/export/export.ts';
import { isObject, type JsonObject } from '../../../../shared/json.ts';
import { writeError } from '../../../core/files/file-errors.ts';
import { parseObject } from '../../../core/requests.ts';
import { partitionsOf, rereadsFor, type Reread } from '../../../core/write/census/differences.ts';
import { checkpointReader, tidyTable } from '../../../core/write/delta/checkpoint.ts';
import { commitName, logName } from '../../../core/write/delta/snapshot.ts';
import { discardStaging, lockFolder, removeFilesOf } from '../../../core/write/folder/commit.ts';
import { convertFolder } from '../../../core/write/folder/earlier-version.ts';
import { isTable, type FolderPlan, type FolderTarget } from '../../../core/write/folder/folder-target.ts';
import {
  manifestName,
  readFolderManifest,
  sizeOfParts,
  type Part,
  type FolderContent,
} from '../../../core/write/folder/manifest.ts';
import {
  changeTable,
  isOwnVersion,
  lostParts,
  otherRun,
  readTable,
  type TableState,
} from '../../../core/write/folder/table-state.ts';
import { contentOf } from '../../../core/write/folder/update-table.ts';
import { removeSpools } from '../../../core/write/record-writer.ts';
import { aboutOf, fieldsOf, partialName } from '../plan.ts';
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
 * Writes a folder of Parquet files or a table of Delta, or what is new in one, and compares a mirror with the service. The
 * records are spooled in the job's folder, so that a resumed run continues there; its files become those of the folder at
 * the end.
 * @throws AppError of the services and of the writer; `invalid_input`, `file_unreadable`, `file_too_new`, `file_unwritable`
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
    await discardStaging(path);
    const folder = { ...plan, path, job: job.id };
    const result = yield* isTable(plan) ? runTable(run, folder) : runFiles(run, folder);
    await removeSpools(job.folder);
    await rm(partial, { force: true }).catch(() => undefined);
    yield progressEvent({ rows: result.rows, bytes: result.bytes });
    return result;
  } catch (error) {
    // A resumed run stages its files again.
    await discardStaging(path).catch(() => undefined);
    throw error;
  } finally {
    lock.release();
  }
}

/** Writes an export as files, which replace those of the folder. */
async function* runFiles(run: ExportRun, folder: Folder): FolderEvents {
  const { job, services, signal } = run;
  const { path } = folder;
  const before = await readFolderManifest(path);
  const { files = [], removed = [] } =
    (await readTable(path, checkpointReader(checkpointPlace(run))))?.snapshot ?? {};
  const earlier = [...(before?.parts ?? []), ...[...files, ...removed].map(([file]) => ({ path: file }))];
  const written = yield* write(
    run,
    folder,
    null,
    earlier.map((file) => file.path),
  );
  const comparison = await compareCounts(services.data, job.plan, written, signal);
  const manifest = await readFolderManifest(path);
  if (!manifest)
    throw new AppError('file_unreadable', { file: job.plan.fileName, reason: 'its manifest is missing' });
  yield { kind: 'artifact', artifact: { kind: 'manifest', path: join(path, manifestName) } };
  const { rows, bytes, parts } = manifest;
  const { sha256 } = written.file;
  const { expected, warnings } = comparison;
  const changes = { partitions: parts.length, added: rows, removed: 0, rewritten: parts.length };
  return {
    rows,
    bytes,
    sha256,
    expected,
    warnings: [...written.file.warnings, ...warnings],
    folder: changes,
  };
}

/** Updates a table, and compares a mirror with the service. */
async function* runTable(run: ExportRun, folder: Folder): FolderEvents {
  const { job, services, signal } = run;
  const { plan } = job;
  const { path, partition, maxTimeMs, belowMs, request, verifies, replaces } = folder;
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
    const target = { ...folder, replaces: false, cutMs: null, table: from, earlier: [] };
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
  const written = yield* write(run, folder, before ?? 'new');
  const { table } = written.file;
  if (!table) throw new AppError('internal', { problem: 'a table was written as files' });
  await removeEarlierFiles(path, table);
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
  earlier: readonly string[] = [],
): AsyncGenerator<ExportEvent, WrittenFile> =>
  writeRecords(run, {
    partial: join(run.job.folder, partialName),
    folder: { ...folder, table, earlier, replaced: null },
  });

const checkpointPlace = ({ job, startTables, signal }: ExportRun) => ({
  startTables,
  signal,
  folder: join(job.folder, 'log'),
});

/**
 * The table of a run, which a mirror of an earlier version becomes; null: there is none yet.
 * @throws AppError `invalid_input` if another run has changed the folder since this one was planned; `file_unwritable`
 */
async function openTable(run: ExportRun, { path, generation, replaces }: Folder): Promise<TableState | null> {
  const { job, startTables, signal, earlier } = run;
  const { plan } = job;
  const table = await readTable(path, checkpointReader(checkpointPlace(run)));
  const manifest = await readFolderManifest(path);
  const present = table ?? manifest;
  const isOwn = table !== null && isOwnVersion(table, job.id);
  if (!isOwn && (present?.generation ?? 0) !== generation) throw otherRun(plan.fileName);
  const conversion = manifest && {
    path,
    manifest,
    jobFolder: job.folder,
    job: job.id,
    fields: fieldsOf(plan),
    about: { ...aboutOf(plan), started: earlier.startedAt },
    startTables,
    signal,
  };
  const opened = table ?? (conversion && !replaces ? await convertFolder(conversion) : null);
  // A folder that has a log, even an empty one, is known to be ours after a kill.
  await mkdir(join(path, logName), { recursive: true }).catch((error: unknown) => {
    throw writeError(error, plan.fileName, 0);
  });
  return opened;
}

/** Removes what the folder has from before it was a table. */
async function removeEarlierFiles(path: string, { snapshot }: TableState): Promise<void> {
  const manifest = await readFolderManifest(path);
  const { files, removed } = snapshot;
  if (manifest) await removeFilesOf(path, manifest, new Set([...files.keys(), ...removed.keys()]));
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
