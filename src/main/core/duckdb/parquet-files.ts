import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

const logName = '_delta_log';

/** @returns paths of the Parquet files of a folder and its folders, in order; no links. Empty if it can't be read */
export async function parquetFilesOf(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return (
    entries
      .filter((entry) => entry.isFile() && entry.name.endsWith('.parquet'))
      // The log of a table of Delta Lake has files, too.
      .filter(({ parentPath }) => !parentPath.includes(logName))
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
  );
}
