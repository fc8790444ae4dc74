import * as z from 'zod';
import type { Synonyms } from '../../shared/channels/channels.ts';
import { synonymsOf } from '../../shared/channels/synonyms.ts';
import type { calls } from '../../shared/contract/contract.ts';
import type { events } from '../../shared/contract/events.ts';
import {
  nothingKept,
  settingNames,
  withChange,
  type KeptSettings,
  type ChannelNames,
  changedSettings,
  channelNames,
  chordText,
  rememberedName,
  settingsChange,
} from '../../shared/settings/settings.ts';
import { openSharedFile } from '../files/shared-file.ts';
import type { ModuleHandlers } from '../handlers.ts';
import { createBroadcast } from '../jobs/broadcast.ts';
import { channelNamesText, withNamesOfFile } from './channel-names.ts';

const format = 1;

const any = z.record(z.string(), z.unknown());
const content = z.object({
  values: any,
  shortcuts: any,
  channelNames: any.optional(),
  remembered: any.optional(),
});

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
  for (const [channel, names] of Object.entries(parsed.channelNames ?? {})) {
    const one = channelNames.safeParse({ [channel]: names });
    if (one.success) stored = withChange(stored, { channelNames: one.data });
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
  /** The user's names of channels; none if the settings can't be read. */
  readonly synonyms: () => Promise<Synonyms>;
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
  async function store(stored: KeptSettings): Promise<KeptSettings> {
    await write(stored);
    news.send(stored);
    return stored;
  }

  return {
    read,
    synonyms: async () => synonymsOf((await read().catch(() => nothingKept)).channelNames),
    handlers: {
      get: () => locked(async (now) => ({ ...now, problem: takeProblem() })),
      change: (change) => locked((now) => store(withChange(now, change))),
      exportChannelNames: async () => ({
        suggestedName: 'channel-names.wellbench.json',
        text: channelNamesText((await read()).channelNames ?? {}),
      }),
      importChannelNames: ({ name, text }) =>
        locked(async (now) => {
          const names = withNamesOfFile(now.channelNames ?? {}, text, name);
          const added = countNames(names) - countNames(now.channelNames);
          return { settings: await store(withChange(now, { channelNames: names })), added };
        }),
    },
    // A listener that fails to read now gets the next change; `get` reports the reason.
    watch: async (_input, { signal }) => news.listen(signal, () => read().then(each, () => [])),
  };
}

const countNames = (names: ChannelNames = {}): number => Object.values(names).flat().length;

const each = <T>(one: T): T[] => [one];
