import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { writeError } from '../files/file-errors.ts';

/**
 * Uses a file that doesn't exist yet, removed afterward.
 * @throws AppError disk_full, file_unwritable
 */
export async function withSpool<T>(use: (path: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-compare-')).catch((cause: unknown) => {
    throw writeError(cause, tmpdir());
  });
  try {
    return await use(join(folder, 'records'));
  } finally {
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
