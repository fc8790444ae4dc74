import * as z from 'zod';
import type { calls } from '../../shared/contract/contract.ts';
import type { events } from '../../shared/contract/events.ts';
import {
  nothingKept,
  settingNames,
  withChange,
  type KeptSettings,
  changedSettings,
  chordText,
  rememberedName,
  settingsChange,
} from '../../shared/settings/settings.ts';
import { openSharedFile } from '../files/shared-file.ts';
import type { ModuleHandlers } from '../handlers.ts';
import { createBroadcast } from '../jobs/broadcast.ts';

const format = 1;

const any = z.record(z.string(), z.unknown());
const content = z.object({ values: any, shortcuts: any, remembered: any.optional() });

/** What of the file can be read; a setting that is damaged does not take the others with it. */
function readContent(found: unknown): { value: KeptSettings; partly: boolean } | null {
  const parsed = content.safeParse(found).data;
  if (!parsed) return null;
  let partly = false;
  let stored = nothingKept;
  for (const name of settingNames) {
    if (parsed.values[name] === undefined) continue;
    const one = changedSettings.safeParse({ [name]: parsed.values[name] });
    if (one.success) stored = withChange(stored, { set: one.data });
    else partly = true;
  }
  for (const [command, bindings] of Object.entries(parsed.shortcuts)) {
    const keys = z.array(chordText).safeParse(bindings);
    if (keys.success) stored = withChange(stored, { shortcuts: { [command]: keys.data } });
    else partly = true;
  }
  for (const place of rememberedName.options) {
    const text = parsed.remembered?.[place];
    if (text === undefined) continue;
    const one = settingsChange.safeParse({ remember: { [place]: text } });
    if (one.success) stored = withChange(stored, one.data);
    else partly = true;
  }
  return { value: stored, partly };
}

export interface SettingsService {
  readonly handlers: ModuleHandlers<(typeof calls)['settings']>;
  readonly watch: ModuleHandlers<typeof events>['settings'];
  /**
   * The changed settings.
   * @throws AppError `file_too_new`, `file_unreadable`
   */
  readonly read: () => Promise<KeptSettings>;
}

/**
 * The settings: `<data>/settings.json`. Only differences from the defaults are stored.
 * @param warn called when a damaged file was set aside
 */
export function createSettings(dataFolder: string, warn: (sentence: string) => void): SettingsService {
  const { locked, write, takeProblem } = openSharedFile({
    dataFolder,
    name: 'settings',
    format,
    nothing: nothingKept,
    read: readContent,
    what: 'settings',
    warn,
  });
  const news = createBroadcast<KeptSettings>(() => 'settings');
  const read = (): Promise<KeptSettings> => locked(async (now) => now);

  return {
    read,
    handlers: {
      get: () => locked(async (now) => ({ ...now, problem: takeProblem() })),
      change: (change) =>
        locked(async (now) => {
          const stored = withChange(now, change);
          await write(stored);
          news.send(stored);
          return stored;
        }),
    },
    // A listener that fails to read now gets the next change; `get` reports the reason.
    watch: async (_input, { signal }) => news.listen(signal, () => read().then(each, () => [])),
  };
}

const each = <T>(one: T): T[] => [one];
