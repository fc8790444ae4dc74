import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { writeWhole } from '../../files/disk.ts';

const most = 8;
const kept = z.object({ files: z.array(z.string().min(1)).max(most) });

/** The files of saved queries that a person opened last, the newest first. Their paths stay in main. */
export type RecentFiles = Awaited<ReturnType<typeof openRecentFiles>>;

/** @param changed told whenever the list is another one */
export async function openRecentFiles(path: string, changed: () => void, log: (sentence: string) => void) {
  let files = await readFile(path, 'utf8')
    .then((text) => kept.parse(JSON.parse(text)).files)
    .catch(() => []);
  async function become(next: string[]): Promise<void> {
    files = next;
    changed();
    await writeWhole(path, JSON.stringify({ files })).catch((error: unknown) =>
      log(`The list of recent files wasn't saved: ${String(error)}`),
    );
  }
  return {
    list: (): readonly string[] => files,
    add: (added: string): Promise<void> =>
      become([added, ...files.filter((other) => other !== added)].slice(0, most)),
    clear: (): Promise<void> => become([]),
  };
}
