import * as z from 'zod';
import type { Synonyms } from '../../../shared/channels/channels.ts';
import { synonymsOf } from '../../../shared/channels/synonyms.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import type { events } from '../../../shared/contract/events.ts';
import {
  nothingKept,
  settingNames,
  withChange,
  type KeptSettings,
  type ChannelNames,
  changedSettings,
  channelNames,
  chordText,
  fieldUnits,
  unitsKey,
  rememberedName,
  settingsChange,
} from '../../../shared/settings/settings.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { openSharedFile } from '../../core/files/shared-file.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import { createBroadcast } from '../../core/jobs/broadcast.ts';
import { channelNamesText, withNamesOfFile } from './channel-names.ts';

const format = 1;

const any = z.record(z.string(), z.unknown());
const content = z.object({
  values: any,
  shortcuts: any,
  channelNames: any.optional(),
  fieldUnits: any.optional(),
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
    const parsedSetting = changedSettings.safeParse({ [name]: parsed.values[name] });
    if (parsedSetting.success) stored = withChange(stored, { set: parsedSetting.data });
    else partly = true;
  }
  for (const [command, bindings] of Object.entries(parsed.shortcuts)) {
    const keys = z.array(chordText).safeParse(bindings);
    if (keys.success) stored = withChange(stored, { shortcuts: { [command]: keys.data } });
    else partly = true;
  }
  for (const [channel, names] of Object.entries(parsed.channelNames ?? {})) {
    const parsedNames = channelNames.safeParse({ [channel]: names });
    if (parsedNames.success) stored = withChange(stored, { channelNames: parsedNames.data });
    else partly = true;
  }
  for (const [dataset, units] of Object.entries(parsed.fieldUnits ?? {})) {
    const parsedUnits = fieldUnits.safeParse({ [dataset]: units });
    if (parsedUnits.success) stored = withChange(stored, { fieldUnits: parsedUnits.data });
    else partly = true;
  }
  for (const place of rememberedName.options) {
    const text = parsed.remembered?.[place];
    if (text === undefined) continue;
    const parsedChange = settingsChange.safeParse({ remember: { [place]: text } });
    if (parsedChange.success) stored = withChange(stored, parsedChange.data);
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
  /** The units of a dataset's fields that the user set or an upload stored; none if the settings can't be read. */
  readonly fieldUnits: (of: DatasetAddress) => Promise<Readonly<Record<string, string>>>;
  /** Stores units of fields that have none. @throws AppError as `read`, `file_unwritable`, `disk_full` */
  readonly rememberUnits: (of: DatasetAddress, units: Readonly<Record<string, string>>) => Promise<void>;
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
    fieldUnits: async (of) => (await read().catch(() => nothingKept)).fieldUnits?.[unitsKey(of)] ?? {},
    rememberUnits: async (of, units) => {
      if (Object.keys(units).length === 0) return;
      await locked((now) =>
        store(
          withChange(now, {
            fieldUnits: { [unitsKey(of)]: { ...units, ...now.fieldUnits?.[unitsKey(of)] } },
          }),
        ),
      );
    },
    synonyms: async () => synonymsOf((await read().catch(() => nothingKept)).channelNames),
    handlers: {
      get: () => locked(async (now) => ({ ...now, problem: takeProblem() })),
      change: (change) => locked((now) => store(withChange(now, change))),
      exportChannelNames: async () => ({
        suggestedName: 'channel-names.wellbench.json',
        text: channelNamesText(await read()),
      }),
      importChannelNames: ({ name, text }) =>
        locked(async (now) => {
          const change = withNamesOfFile(now.channelNames ?? {}, text, name);
          const next = withChange(now, change);
          const count = ({ channelNames: names, fieldUnits: units }: KeptSettings): number =>
            countNames(names) + Object.values(units ?? {}).flatMap((of) => Object.keys(of)).length;
          return { settings: await store(next), added: count(next) - count(now) };
        }),
    },
    // A listener that fails to read now gets the next change; `get` reports the reason.
    watch: async (_input, { signal }) => news.listen(signal, () => read().then(toList, () => [])),
  };
}

const countNames = (names: ChannelNames = {}): number => Object.values(names).flat().length;

const toList = <T>(value: T): T[] => [value];
