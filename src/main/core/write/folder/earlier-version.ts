import { join } from 'node:path';
import { quoted } from '../../../../shared/sql/sql-name.ts';
import type { StartTableEngine, TableEngine } from '../../duckdb/table-engine.ts';
import type { About } from '../../records/about.ts';
import { folderTypes } from '../../records/column-types.ts';
import { partitionAt, partitionNames } from '../census/partition.ts';
import { fileStats } from '../delta/file-stats.ts';
import { newFilePath } from '../delta/vacuum.ts';
import { parquetRows, sharedValue } from '../parquet/table-sql.ts';
import { memoryMbFor, tablesName, writtenColumns } from '../parquet/write-table.ts';
import { flushFolders } from './commit.ts';
import { manifestVersion, type FolderManifest, type Part } from './manifest.ts';
import { growColumns } from './table-columns.ts';
import { createPartWriter } from './update-table.ts';
import {
  changeTable,
  lostParts,
  metaDataOf,
  partitionColumns,
  type TableChange,
  type TableState,
} from './table-state.ts';
import { rm } from '../../../world/files.ts';

interface Conversion {
  readonly path: string;
  readonly manifest: FolderManifest;
  /** The folder of the job. */
  readonly jobFolder: string;
  readonly job: string;
  readonly fields: readonly string[];
  readonly about: About;
  readonly startTables: StartTableEngine;
  readonly signal: AbortSignal | undefined;
}

/** The average length of a row as text, in bytes, where it isn't known. */
const usualRowBytes = 400;

/**
 * Makes a table of Delta of a mirror that an earlier version wrote, as its first version. Files stay as they are, unless
 * they have columns with names or types that a table can't have: then they are written again, without requests.
 * @throws AppError `disk_full`, `file_unwritable`, `file_unreadable`, `sql_unavailable`, `cancelled`
 */
export async function convertFolder(conversion: Conversion): Promise<TableState> {
  const engine = conversion.startTables(conversion.signal);
  const writtenPaths: string[] = [];
  let change: TableChange;
  try {
    change = await convert(engine, conversion, writtenPaths);
  } catch (error) {
    for (const path of writtenPaths) await rm(path, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await engine.close();
  }
  return changeTable(null, change, true);
}

/** @param writtenPaths gets the paths of files that are written */
async function convert(
  engine: TableEngine,
  { path: folder, manifest, jobFolder, job, fields, about }: Conversion,
  writtenPaths: string[],
): Promise<TableChange> {
  const { partition, columnNames: names, columns: spooled } = manifest;
  const types = folderTypes(partition);
  const keys = partitionNames(partition);
  const paths = manifest.parts.map(({ path }) => path);
  const partitions = partitionColumns(keys, paths);
  const grown = growColumns(null, { spooled, fields, types, names, about, partition: partitions });
  const earlier = writtenColumns({ columns: spooled }, { fields, names, types });
  const { written, described } = grown;
  const stays =
    manifest.wellbenchFolder === manifestVersion &&
    earlier.length === written.length &&
    earlier.every(
      ({ name, path, type }, at) =>
        written[at]?.name === name && written[at].path === path && written[at].type === type,
    );
  const lost = new Set(await lostParts(folder, manifest.parts));
  const reads = paths.map((path) => ({ path: join(folder, path), name: path }));
  const rows = { folder: jobFolder, name: manifest.dataset };
  await engine.open({
    folder: join(jobFolder, tablesName),
    reads,
    name: rows.name,
    memoryMb: memoryMbFor(0),
  });
  const write = createPartWriter(engine, { rows, about, rowBytes: usualRowBytes }, written);
  const selected = written.map((column) => {
    const at = earlier.findIndex(({ path }) => path === column.path);
    // A column of texts can become several.
    const isWhole = column.isLast && column.before?.length === 0;
    const value = isWhole && earlier[at]?.type === column.type ? `p${at}` : sharedValue(`p${at}`, column);
    return `${value} AS ${quoted(column.name)}`;
  });
  const inFile = earlier.map((_, at) => `p${at}`);
  const parts: Part[] = [];
  const stats = new Map<string, string>();
  for (const part of manifest.parts) {
    const source = join(folder, part.path);
    // The table names it, so that the update reads its records again.
    if (lost.has(part)) {
      parts.push(part);
      continue;
    }
    if (stays) {
      stats.set(part.path, await fileStats(engine, source, described));
      parts.push(part);
      continue;
    }
    const path = newFilePath(partitionAt(part.path));
    const select = `SELECT ${selected.join(', ')} FROM ${parquetRows([source], inFile)}`;
    writtenPaths.push(join(folder, path));
    const file = await write({ selects: [select], rows: part.rows, to: join(folder, path), described });
    stats.set(path, file.stats);
    parts.push({ ...part, path, bytes: file.bytes, sha256: file.sha256 });
  }
  await flushFolders(folder, [...stats.keys()]);
  const { service, dataset, request } = manifest;
  const of = { service, dataset, request, partition, columnNames: names, columns: [...grown.columns] };
  const { schema, partitionNames: named } = grown;
  const metaData = metaDataOf({ before: null, about: of, schema, partitionNames: named });
  const { version } = about;
  const { verified, warnings } = manifest;
  return { path: folder, job, version, metaData, parts, stats, verified, warnings };
}
