import { createHash } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../../../shared/errors/errors.ts';
import type { ColumnNames } from '../../../../shared/export/export.ts';
import { parquetCopy } from '../../duckdb/sql-text.ts';
import type { TableEngine } from '../../duckdb/table-engine.ts';
import { moveFile, type FileDigest } from '../../files/move-file.ts';
import { writeError } from '../../files/file-errors.ts';
import { partitionMatcher } from '../census/differences.ts';
import { noStats, type PartStats, statsSum } from '../census/tally.ts';
import { fileStats } from '../delta/file-stats.ts';
import type { DeltaColumn } from '../delta/schema.ts';
import { changesName, stagedLogName, stagedName, stagingName, type FolderChanges } from '../folder/commit.ts';
import { folderLog, tableColumns, type LoggedPart } from '../folder/delta-log.ts';
import type { FolderTarget } from '../folder/folder-target.ts';
import {
  type FolderManifest,
  manifestName,
  manifestText,
  manifestVersion,
  type Part,
  partOf,
  statsOfPart,
} from '../folder/manifest.ts';
import { folderTypes } from '../../records/column-types.ts';
import { Columns } from '../../records/columns.ts';
import { createPathTree } from '../../records/path-tree.ts';
import type { About } from '../../records/about.ts';
import type { FinishedFile } from '../spec.ts';
import { EarlierParts } from './earlier-parts.ts';
import { type FolderRows, freshRows, openFresh, openRows } from './folder-rows.ts';
import { groupRows } from './table-sql.ts';
import { metadataOf, tablesName, type WrittenColumn, writtenColumns } from './write-table.ts';

export interface WrittenFolder {
  readonly rows: FolderRows;
  readonly target: FolderTarget;
  readonly fields: readonly string[];
  readonly names: ColumnNames;
  readonly about: About;
  /** The average length of a row as text, in bytes. */
  readonly rowBytes: number;
}

const partName = 'part-0.parquet';

/**
 * Writes the rows of a run as Parquet files, one for each partition, which all have the same columns. Files that differ
 * from those of the folder are written to its staging folder, with the manifest.
 * @throws AppError `disk_full`, `file_unwritable`, `file_unreadable` for an earlier file, `sql_unavailable`, `cancelled`
 */
export async function stageFolder(engine: TableEngine, options: WrittenFolder): Promise<FinishedFile> {
  const { rows, target, fields, names, about } = options;
  const { base, belowMs, partition } = target;
  const { name, table } = rows;
  const staging = join(target.path, stagingName);
  await emptyStaging(staging, name);
  const plain = writtenColumns(table, { fields, names, types: folderTypes(partition) });
  const logged = target.tableFormat === 'delta' ? tableColumns(plain, about) : null;
  const columns = logged?.written ?? plain;
  const earlier = base && new EarlierParts({ ...target, columns: base.columns });
  const reads = (base?.parts ?? []).map(({ path }) => ({ path: join(target.path, path), name: path }));
  await openRows(engine, rows, reads);
  const fresh = await openFresh(engine, rows, columns, belowMs);
  const steps = partSteps(new Set(fresh.keys()), {
    ...target,
    hasSameColumns: base?.wellbenchFolder === manifestVersion && earlier?.hasColumns(columns) === true,
    digestOf: (at) => fresh.get(at)?.digest ?? null,
  });
  const writer = createPartWriter(engine, options, columns);
  const parts: Part[] = [];
  const loggedParts: LoggedPart[] = [];
  const made: FolderChanges = { moved: [], removed: [], tableFormat: target.tableFormat };
  for (const { at, before, keeps, stats: keptStats, tail, stays } of steps) {
    if (stays) {
      parts.push(stays);
      continue;
    }
    const path = at === '' ? partName : `${at}/${partName}`;
    const source = before && join(target.path, before.path);
    const kept =
      earlier && source && keeps
        ? {
            rows: earlier.rows(source, keeps.beforeMs, columns),
            stats: keptStats ?? (await earlier.stats(engine, source, { ...keeps, belowMs })) ?? noStats,
          }
        : null;
    const stats = statsSum([...(kept ? [kept.stats] : []), fresh.get(at) ?? noStats]);
    if (stats.rows === 0) {
      if (before) made.removed.push(path);
      continue;
    }
    const selects = [...(kept ? [kept.rows] : []), ...(fresh.has(at) ? [freshRows(at, columns)] : [])];
    const staged = join(staging, stagedName(path));
    const { logStats, ...digest } = await writer(selects, {
      staged,
      rows: stats.rows,
      logged: logged?.described ?? null,
    });
    if (logStats !== null) loggedParts.push({ path, bytes: digest.bytes, stats: logStats });
    const part = { ...partOf({ path, ...digest }, stats), ...(tail && { tail }) };
    if (before?.sha256 === part.sha256) await rm(staged, { force: true });
    else made.moved.push(path);
    parts.push(part);
  }
  const text = manifestText(manifestFor(parts, options));
  try {
    await writeFile(join(staging, manifestName), text, { flush: true });
    if (logged) {
      const { described } = logged;
      const log = folderLog({ job: target.job, about, columns: described, parts: loggedParts }, Date.now());
      await writeFile(join(staging, stagedLogName), log, { flush: true });
    }
    await writeFile(join(staging, changesName), JSON.stringify(made), { flush: true });
  } catch (error) {
    throw writeError(error, name, 0);
  }
  return {
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    columns: columns.map(({ path }) => path),
    warnings: [],
  };
}

async function emptyStaging(staging: string, name: string): Promise<void> {
  try {
    await rm(staging, { recursive: true, force: true });
    await mkdir(staging, { recursive: true });
  } catch (error) {
    throw writeError(error, name, 0);
  }
}

interface StepsOptions extends Pick<FolderTarget, 'base' | 'cutMs' | 'replaced'> {
  readonly hasSameColumns: boolean;
  /** A digest of the new rows of a partition; null: unknown, or it has none. */
  readonly digestOf: (partition: string) => string | null;
}

/** What happens to the file of a partition. */
interface PartStep {
  /** The folder of the partition. */
  readonly at: string;
  readonly before: Part | undefined;
  /** The file that stays as it is; null: it is written. */
  readonly stays: Part | null;
  /** Which rows of the earlier file are kept; null: none. */
  readonly keeps: { readonly beforeMs: number | null } | null;
  /** What is known of the rows that are kept; null: has to be read. */
  readonly stats: PartStats | null;
  readonly tail: Part['tail'];
}

/** Decides which files are written, and of what. @param changed the partitions with new rows */
function partSteps(
  changed: ReadonlySet<string>,
  { base, cutMs, replaced, hasSameColumns, digestOf }: StepsOptions,
): PartStep[] {
  const isReplaced = replaced && partitionMatcher(replaced);
  const earlierParts = new Map(base?.parts.map((part) => [partitionAt(part), part]));
  return [...new Set([...earlierParts.keys(), ...changed])].toSorted().map((at) => {
    const before = earlierParts.get(at);
    const isTouched = isReplaced
      ? isReplaced(at)
      : changed.has(at) || cutMs === null || (before?.last ?? Number.NEGATIVE_INFINITY) >= cutMs;
    const untouched = before && !isTouched ? untouchedPart(before, isReplaced !== null) : null;
    const digest = isReplaced || cutMs === null ? null : digestOf(at);
    const tail = cutMs !== null && digest !== null ? { fromMs: cutMs, digest } : undefined;
    // An update that reads the same records as the one before leaves the file as it is.
    const isSame = before?.tail && tail?.fromMs === before.tail.fromMs && tail.digest === before.tail.digest;
    return {
      at,
      before,
      stays: hasSameColumns ? (untouched ?? (isSame ? before : null)) : null,
      keeps: isTouched && (cutMs === null || isReplaced) ? null : { beforeMs: isTouched ? cutMs : null },
      // Records whose file is only written again with other columns keep what is known of them.
      stats: untouched && statsOfPart(untouched),
      tail,
    };
  });
}

const partitionAt = ({ path }: Part): string => {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
};

/** A file whose records stay as they are. All of them are older than those that an update reads. */
function untouchedPart(before: Part, isReplacing: boolean): Part {
  if (isReplacing) return before;
  const { early: _, ...whole } = before;
  return whole;
}

interface StagedPart {
  readonly staged: string;
  readonly rows: number;
  /** The columns whose statistics a log has; null: there is no log. */
  readonly logged: readonly DeltaColumn[] | null;
}

/** Creates a function that writes the rows of statements, one after another, as a file in the staging folder. */
function createPartWriter(
  engine: TableEngine,
  { rows: { folder, name }, about, rowBytes }: WrittenFolder,
  columns: readonly WrittenColumn[],
) {
  const file = {
    path: join(folder, tablesName, partName),
    groupRows: groupRows(columns.length, rowBytes),
    metadata: metadataOf(about, columns),
  };
  return async (
    selects: readonly string[],
    { staged, rows, logged }: StagedPart,
  ): Promise<FileDigest & { readonly logStats: string | null }> => {
    const [[written] = []] = await engine.run(parquetCopy(selects.join(' UNION ALL '), file));
    if (Number(written) !== rows)
      throw new AppError('internal', { problem: `a file has ${written} rows instead of ${rows}` });
    await mkdir(dirname(staged), { recursive: true }).catch((error: unknown) => {
      throw writeError(error, name, 0);
    });
    const logStats = logged && (await fileStats(engine, file.path, logged));
    return { ...(await moveFile(file.path, staged, name, { flushesNames: false })), logStats };
  };
}

function manifestFor(
  parts: readonly Part[],
  { about, names, target, fields, rows: { table } }: WrittenFolder,
): FolderManifest {
  const sum = (of: 'rows' | 'bytes'): number => parts.reduce((total, part) => total + part[of], 0);
  const columns = new Columns(createPathTree(), fields, { isTyped: true, existing: table.columns });
  return {
    wellbenchFolder: manifestVersion,
    generation: (target.base?.generation ?? 0) + 1,
    job: target.job,
    service: about.dataUrl,
    dataset: about.dataset,
    request: target.request,
    partition: target.partition,
    columnNames: names,
    tableFormat: target.tableFormat,
    rows: sum('rows'),
    bytes: sum('bytes'),
    watermark: statsSum(parts.map(statsOfPart)).last,
    verified: false,
    warnings: [],
    columns: columns.inOrder().map(({ path, kinds }) => ({ path, kinds })),
    parts: [...parts],
  };
}
