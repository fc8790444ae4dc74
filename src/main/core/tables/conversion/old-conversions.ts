import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunning } from '../../processes/is-running.ts';
import { conversionFiles } from './converted-table.ts';

const hourMs = 3_600_000;
/** A conversion is removed after this time without use. */
const maxAgeMs = 24 * hourMs;
/** If conversions take more bytes than this, those unused for an hour are removed too, the oldest first. */
const maxBytes = 8 * (1 << 30);

interface Kept {
  readonly path: string;
  readonly usedMs: number;
  readonly bytes: number;
}

const isPartial = (name: string): boolean => name.endsWith('.partial');

/** The process that writes an incomplete conversion. */
const pidOf = (name: string): number => Number(/\.(\d+)-\d+\.partial$/.exec(name)?.[1]);

async function look(folder: string, name: string): Promise<Kept | null> {
  const path = join(folder, name);
  const facts = await stat(join(path, conversionFiles.facts)).catch(() => null);
  const table = await stat(join(path, conversionFiles.table)).catch(() => null);
  return { path, usedMs: facts?.mtimeMs ?? 0, bytes: table?.size ?? 0 };
}

/** Removes conversions that are out of use, and incomplete ones that a crash left. Never fails. */
export async function removeOldConversions(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const remove = (path: string): Promise<void> =>
    rm(path, { recursive: true, force: true }).catch(() => undefined);
  for (const name of names.filter(isPartial)) if (!isRunning(pidOf(name))) await remove(join(folder, name));
  const kept = (
    await Promise.all(names.filter((name) => !isPartial(name)).map((name) => look(folder, name)))
  ).filter((each) => each !== null);
  kept.sort((a, b) => b.usedMs - a.usedMs);
  const now = Date.now();
  let bytes = 0;
  for (const each of kept) {
    bytes += each.bytes;
    // The clock may have been ahead when it was used.
    const ageMs = Math.abs(now - each.usedMs);
    if (ageMs > maxAgeMs || (bytes > maxBytes && ageMs > hourMs)) await remove(each.path);
  }
}
