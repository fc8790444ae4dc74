import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { nullsOf } from '../../../../../src/shared/upload/null-tokens.ts';
import { readingOptions, type ReadingOptions } from '../../../../../src/shared/upload/upload.ts';
import { scan, type Scan } from '../../../../../src/main/core/tables/reading/scan.ts';

/** A folder that is deleted when the test ends. */
export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-upload-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  // A folder in it: a job also writes beside its own folder.
  const inner = join(folder, 'work');
  await mkdir(inner);
  return inner;
}

/** A file with this content in its own folder. */
export async function fileWith(content: string | Uint8Array, name = 'file.csv'): Promise<string> {
  const path = join(await temporaryFolder(), name);
  await writeFile(path, content);
  return path;
}

/** Scans a file at a path. */
export const scanPath = (path: string, reading: Partial<ReadingOptions> = {}, nulls: string[] = []): Scan =>
  scan({
    path,
    fileName: basename(path),
    reading: readingOptions.parse(reading),
    nulls: nullsOf({ nulls }),
    distinct: [],
  });

/** Scans content like a file. */
export const scanText = async (
  content: string | Uint8Array,
  reading: Partial<ReadingOptions> = {},
  nulls: string[] = [],
): Promise<Scan> => scanPath(await fileWith(content), reading, nulls);
