import { basename, join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../../../shared/errors/errors.ts';
import { readRegularIfExists } from '../../files/regular-file.ts';

const manifestName = '_manifest.json';
const manifestVersion = 3;
/** About a million files. */
const maxManifestBytes = 256_000_000;

const partPath = z.string().regex(/^(?:[A-Za-z0-9_]+=[A-Za-z0-9_.%-]+\/)*part-[0-9a-f]+\.parquet$/);
const folderManifest = z.object({ parts: z.array(z.object({ path: partPath })) });

/** The files that a manifest names; null if the folder has none. @throws AppError `file_unreadable`, `file_too_new` */
export async function readFolderManifest(folder: string): Promise<z.infer<typeof folderManifest> | null> {
  const file = `${basename(folder)}/${manifestName}`;
  const bytes = await readRegularIfExists(join(folder, manifestName), file, maxManifestBytes);
  if (bytes === null) return null;
  try {
    const json: unknown = JSON.parse(bytes.toString('utf8'));
    const { wellbenchFolder } = z.object({ wellbenchFolder: z.int() }).parse(json);
    if (wellbenchFolder > manifestVersion)
      throw new AppError('file_too_new', { file, format: wellbenchFolder });
    return folderManifest.parse(json);
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('file_unreadable', { file, reason: 'it is damaged' }, { cause: error });
  }
}
