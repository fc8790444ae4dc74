import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { checkFree, publish, reservePartial, sizeOf, type Places } from './places.ts';
import { idBytes } from '../paging/id-set.ts';
import type { ExportEntry, ExportPlan, ExportProgress } from './plan.ts';
import { spoolName } from './writing/open-sink.ts';
import { idsName } from './writing/seen-ids.ts';
import type { Checkpoint, Finished } from './writing/spec.ts';

type Append = (entry: ExportEntry, options?: { flush?: boolean }) => Promise<void>;

/**
 * The path of the incomplete file: the one of before when it still stands, else a new one.
 * @throws AppError file_exists when something has the result's name meanwhile; file_unwritable
 */
export async function findPartial(
  { file }: Places,
  { partial, began }: ExportProgress & { readonly began: string },
  append: Append,
): Promise<string> {
  await checkFree(file);
  if (partial !== null && (await sizeOf(partial)) !== null) return partial;
  const made = await reservePartial(file);
  await append({ kind: 'began', at: began, partial: made }, { flush: true });
  return made;
}

/**
 * The last checkpoint whose files are as long as it says: after a loss of power they may be shorter. A table whose
 * incomplete file is gone is made anew from the spool.
 * @returns null when everything must be read again
 */
export async function lastUsable(
  { checkpoints }: ExportProgress,
  { format }: ExportPlan,
  { folder, partial }: { folder: string; partial: string },
): Promise<Checkpoint | null> {
  const size = async (path: string): Promise<number> => (await sizeOf(path)) ?? 0;
  const ids = (await size(join(folder, idsName))) / idBytes;
  const spool = await size(join(folder, spoolName));
  const file = await size(partial);
  const spooled = format === 'csv' || format === 'parquet';
  const usable = checkpoints.findLast(
    ({ marks, ...known }) => known.ids <= ids && marks.spool <= spool && (spooled || marks.partial <= file),
  );
  // A table that was given up later is not what the file holds by now, whatever its length.
  const givenUp = checkpoints.at(-1)?.marks.columns === null && usable?.marks.columns !== null;
  if (!usable || (usable.marks.partial <= file && !givenUp)) return usable ?? null;
  return { ...usable, marks: { ...usable.marks, partial: 0, columns: null } };
}

async function isWhole(path: string, { bytes, sha256 }: Finished, signal: AbortSignal): Promise<boolean> {
  if ((await sizeOf(path)) !== bytes) return false;
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash, { signal });
  return hash.digest('hex') === sha256;
}

/**
 * The file that an earlier run finished, under its name by now; null when it was not finished, or is not as it was.
 * @throws AppError file_exists, file_unwritable
 */
export async function findFinished(
  { file }: Places,
  { finished, partial }: ExportProgress,
  signal: AbortSignal,
): Promise<ExportProgress['finished']> {
  if (!finished) return null;
  if (partial !== null && (await isWhole(partial, finished.file, signal))) await publish(partial, file);
  return (await isWhole(file, finished.file, signal)) ? finished : null;
}

/** Removes what only an unfinished export needs. What can't be removed now goes with the job's folder. */
export async function removeSpools(folder: string): Promise<void> {
  for (const name of [spoolName, idsName])
    await rm(join(folder, name), { force: true }).catch(() => undefined);
}
