import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type * as z from 'zod';
import type { about, Settings } from '../../shared/workspace.ts';
import { settings as settingsSchema } from '../../shared/workspace.ts';
import { renameFile, writeWhole } from '../files/disk.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { calls } from '../../shared/contract.ts';
import { diagnosticsText, type DiagnosticsNeeds } from './diagnostics.ts';
import { createViews } from './views.ts';

export type About = z.infer<typeof about>;

/** Settings as they stand on disk; a damaged file is set aside under another name, never overwritten. */
async function readSettings(path: string): Promise<Settings> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return settingsSchema.parse({});
  try {
    return settingsSchema.parse(JSON.parse(text));
  } catch {
    await renameFile(path, `${path}.damaged-${Date.now()}`);
    return settingsSchema.parse({});
  }
}

/** What diagnostics say of other rooms. */
type KnownElsewhere = Pick<DiagnosticsNeeds, 'connections' | 'jobs' | 'clean'>;

/** What belongs to the window as a whole: who we are, and the person's settings. */
export function createWorkspace(
  facts: About,
  dataFolder: string,
  { warn, ...known }: { readonly warn: (sentence: string) => void } & KnownElsewhere,
): RoomHandlers<(typeof calls)['workspace']> {
  const path = join(dataFolder, 'settings.json');
  // One change after the other: each begins with what the one before has written.
  let last: Promise<unknown> = Promise.resolve();
  return {
    ...createViews(dataFolder, warn),
    about: async () => facts,
    settings: () => readSettings(path),
    async diagnostics() {
      const settings = (): Promise<Settings> => readSettings(path);
      return { text: await diagnosticsText({ about: facts, dataFolder, settings, ...known }) };
    },
    change(wanted) {
      const changing = last.then(async () => {
        const given = Object.entries(wanted).filter(([, value]) => value !== undefined);
        const changed = settingsSchema.parse({ ...(await readSettings(path)), ...Object.fromEntries(given) });
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeWhole(path, JSON.stringify(changed, null, 2));
        return changed;
      });
      last = changing.catch(() => undefined);
      return changing;
    },
  };
}
