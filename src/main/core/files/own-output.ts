import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { writeWhole } from './disk.ts';
import { checkOutput, copyInto, writing, type OutputPath } from './output-file.ts';
import { readOwnJson } from './regular-file.ts';
import { lstat } from '../../world/files.ts';

const identity = z.object({ dev: z.string(), ino: z.string(), bytes: z.string(), modifiedNs: z.string() });
/** `isPublished`: an earlier run gave a version its name. */
const ownRecord = z.object({ isPublished: z.boolean(), versions: z.array(identity) });
type OwnRecord = z.infer<typeof ownRecord>;

async function identityOf(path: string): Promise<z.infer<typeof identity> | null> {
  const item = await lstat(path, { bigint: true }).catch(() => null);
  return (
    item && {
      dev: String(item.dev),
      ino: String(item.ino),
      bytes: String(item.size),
      modifiedNs: String(item.mtimeNs),
    }
  );
}

/** Without a readable record, the result counts as another file. */
const readRecord = async (path: string): Promise<OwnRecord> =>
  (await readOwnJson(path, ownRecord)) ?? { isPublished: false, versions: [] };

/**
 * What a job may do at the path of its result: it may always replace the version that an earlier run of the job wrote, while
 * that is unchanged. The permission of the person is for the first version only: a later one would replace what the person
 * has changed meanwhile.
 */
async function ownOutput(output: OutputPath, { isPublished, versions }: OwnRecord): Promise<OutputPath> {
  const now = await identityOf(output.path);
  const isOwn = versions.some((version) => isDeepStrictEqual(version, now));
  return { ...output, replaces: isOwn || (output.replaces && !isPublished) };
}

/**
 * Whether the file at a path is as a job wrote it, by its size and last change: its volume may get another number when the
 * system starts.
 * @param record a file of the job
 */
export async function isOwnOutput(path: string, record: string): Promise<boolean> {
  const now = await identityOf(path);
  const { versions } = await readRecord(record);
  return versions.some(({ bytes, modifiedNs }) => bytes === now?.bytes && modifiedNs === now.modifiedNs);
}

/**
 * As {@link checkOutput}, for a job that may have written an earlier version of the result.
 * @param record a file of the job
 * @throws AppError `file_exists`, `file_unwritable`, `disk_full`
 */
export const checkOwnOutput = async (output: OutputPath, record: string): Promise<void> =>
  checkOutput(await ownOutput(output, await readRecord(record)));

/**
 * As `copyToOutput`, for a job that may have written an earlier version of the result. The job recognizes it by its
 * identity in the file system and its last change, which are recorded before it gets its name.
 * @param record a file of the job
 * @throws AppError `file_unreadable`, `file_exists`, `file_unwritable`, `disk_full`
 */
export async function copyToOwnOutput(from: string, output: OutputPath, record: string): Promise<void> {
  const earlier = await readRecord(record);
  await writing(await ownOutput(output, earlier), async (result) => {
    await copyInto(result, from);
    const version = await identityOf(result.partial);
    // The one at the path stays there until the new one gets its name, however often that is tried.
    const replaced = await identityOf(output.path);
    const versions = [
      ...(version ? [version] : []),
      ...earlier.versions.filter((item) => isDeepStrictEqual(item, replaced)),
    ];
    await writeWhole(record, JSON.stringify({ ...earlier, versions } satisfies OwnRecord));
  });
  const { versions } = await readRecord(record);
  await writeWhole(record, JSON.stringify({ isPublished: true, versions } satisfies OwnRecord));
}
