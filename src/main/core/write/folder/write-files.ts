import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { TableEngine } from '../../duckdb/table-engine.ts';
import { writeError } from '../../files/file-errors.ts';
import { folderTypes } from '../../records/column-types.ts';
import { statsSum } from '../census/tally.ts';
import { freshRows, openFresh, openRows } from '../parquet/folder-rows.ts';
import { typeWarnings, writtenColumns } from '../parquet/write-table.ts';
import type { FinishedFile } from '../spec.ts';
import { commitStaging, discardStaging, ownFilesIn, stagedName, stagingName } from './commit.ts';
import { createPartWriter, type WrittenFolder } from './update-table.ts';
import {
  manifestName,
  manifestText,
  manifestVersion,
  partOf,
  sizeOfParts,
  type FolderManifest,
} from './manifest.ts';
import { mkdir, writeFile } from '../../../world/files.ts';

/** The file of each partition. */
const partName = 'part-0.parquet';

/**
 * Writes the rows of an export as Parquet files, one for each partition, which all have the same columns. They are staged
 * with a manifest, and then replace all files of the folder.
 * @throws AppError `disk_full`, `file_unwritable`, `file_exists`, `sql_unavailable`, `cancelled`
 */
export async function writeFiles(engine: TableEngine, options: WrittenFolder): Promise<FinishedFile> {
  const { rows, target, fields, names, about } = options;
  const staging = join(target.path, stagingName);
  await discardStaging(target.path);
  try {
    await mkdir(staging, { recursive: true });
  } catch (error) {
    throw writeError(error, rows.name, 0);
  }
  const columns = writtenColumns(rows.table, { fields, names, types: folderTypes(target.partition) });
  await openRows(engine, rows);
  const fresh = await openFresh(engine, rows, columns, target.belowMs);
  const write = createPartWriter(engine, options, columns);
  const parts: FolderManifest['parts'] = [];
  for (const [at, stats] of [...fresh].toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const path = at === '' ? partName : `${at}/${partName}`;
    const to = join(staging, stagedName(path));
    const file = await write({ selects: [freshRows(at, columns)], rows: stats.rows, to, described: null });
    parts.push(partOf({ path, bytes: file.bytes, sha256: file.sha256 }, stats));
  }
  const earlier = await ownFilesIn(target.path, target.earlier);
  const manifest: FolderManifest = {
    wellbenchFolder: manifestVersion,
    generation: 1,
    job: target.job,
    service: about.dataUrl,
    dataset: about.dataset,
    request: target.request,
    partition: target.partition,
    columnNames: names,
    ...sizeOfParts(parts),
    watermark: statsSum([...fresh.values()]).last,
    verified: false,
    warnings: [],
    columns: columns.map(({ path }) => ({
      path,
      kinds: rows.table.columns.find((column) => column.path === path)?.kinds ?? 0,
    })),
    parts,
  };
  const text = manifestText(manifest);
  try {
    await writeFile(join(staging, manifestName), text, { flush: true });
  } catch (error) {
    throw writeError(error, rows.name, 0);
  }
  const moved = parts.map(({ path }) => path);
  const removed = earlier.filter((path) => !moved.includes(path));
  // Until all files are in their places, the manifest names those that are removed, too.
  const none = { rows: 0, bytes: 0, sha256: '', last: null, id: null };
  const transition = manifestText({
    ...manifest,
    parts: [...parts, ...removed.map((path) => ({ path, ...none }))],
  });
  await commitStaging(target.path, { moved, removed, transition }, new Set(earlier));
  return {
    bytes: Buffer.byteLength(text),
    sha256: createHash('sha256').update(text).digest('hex'),
    columns: columns.map(({ path }) => path),
    warnings: typeWarnings(rows.table, columns),
  };
}
