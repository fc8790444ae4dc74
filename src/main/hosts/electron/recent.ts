import { basename } from 'node:path';
import * as z from 'zod';
import { writeWhole } from '../../core/files/disk.ts';
import { readOwnText } from '../../core/files/regular-file.ts';

const maxFiles = 8;
const storedFiles = z.object({ files: z.array(z.string().min(1)).max(maxFiles) });

/** The most recently opened files of saved queries, newest first. Their paths stay in main. */
export type RecentFiles = Awaited<ReturnType<typeof openRecentFiles>>;

/**
 * @param changed called when the list changes
 */
export async function openRecentFiles(path: string, changed: () => void, log: (sentence: string) => void) {
  let files = await readOwnText(path, basename(path))
    .then((text) => (text === null ? [] : storedFiles.parse(JSON.parse(text)).files))
    .catch(() => []);
  async function update(next: string[]): Promise<void> {
    files = next;
    changed();
    await writeWhole(path, JSON.stringify({ files })).catch((error: unknown) =>
      log(`The list of recent files wasn't saved: ${String(error)}`),
    );
  }
  return {
    list: (): readonly string[] => files,
    add: (path: string): Promise<void> =>
      update([path, ...files.filter((other) => other !== path)].slice(0, maxFiles)),
    clear: (): Promise<void> => update([]),
  };
}
