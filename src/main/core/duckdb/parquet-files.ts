import { join } from 'node:path';
import { readFolderManifest } from '../write/folder/manifest.ts';
import { readSnapshot, type ReadCheckpoint } from '../write/delta/snapshot.ts';
import { readdir } from '../../world/files.ts';

/**
 * The Parquet files of a folder and its folders, in order; no links. Of a table of Delta, those of its last version. Of a
 * folder with a manifest, those that it names: the conversion of an earlier mirror has others beside them.
 * @returns their paths; empty if the folder can't be read
 * @throws AppError `file_unreadable`, `table_unsupported`, `file_too_new` for the log of a table or a manifest
 */
export async function parquetFilesOf(folder: string, readCheckpoint: ReadCheckpoint): Promise<string[]> {
  const table = await readSnapshot(folder, readCheckpoint);
  if (table) return [...table.files.keys()].map((path) => join(folder, path)).toSorted();
  const manifest = await readFolderManifest(folder);
  if (manifest) return manifest.parts.map(({ path }) => join(folder, path)).toSorted();
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.parquet'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
}
