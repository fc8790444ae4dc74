import * as z from 'zod';
import { synonymsOf, joinedNames, nameProblems, unknownChannels } from '../../../shared/channels/channels.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import type { events } from '../../../shared/contract/events.ts';
import {
  nothingKept,
  settingNames,
  settingsOf,
  withChange,
  type KeptSettings,
  type ChannelNames,
  fieldsKey,
  rememberedName,
  rememberedUnits,
  settingsChange,
  channelNames,
  fieldUnits,
  fieldNames,
  type SettingsChange,
} from '../../../shared/settings/settings.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { openSharedFile } from '../../core/files/shared-file.ts';
import type { ModuleHandlers } from '../../core/handlers.ts';
import { createBroadcast } from '../../core/broadcast.ts';
import { AppError, type ErrorDetails, isAppError } from '../../../shared/errors/errors.ts';
import { checkSharedHead } from '../../../shared/files/files.ts';
import { parseRelaxedObject } from '../../../shared/language/relaxed.ts';

const kind = 'wellbench-channel-names';
const namesFormat = 1;

const channelNamesContent = z.object({
  channels: channelNames,
  units: fieldUnits.optional(),
  uploadedUnits: fieldUnits.optional(),
  fields: fieldNames.optional(),
});

type SharedNames = 'channelNames' | 'fieldUnits' | 'uploadedUnits' | 'fieldNames';

/** The names of channels, and the units and names of fields, as text to share. */
export const channelNamesText = ({
  channelNames: channels = {},
  fieldUnits: units,
  uploadedUnits,
  fieldNames: fields,
}: Pick<KeptSettings, SharedNames>): string =>
  `${JSON.stringify({ kind, format: namesFormat, channels, units, uploadedUnits, fields }, null, 2)}\n`;

type Issue = ErrorDetails<'invalid_input'>['issues'][number];

/**
 * The change that adds the names and units of a shared file to the stored ones, which stay as they are.
 * @param file its name, for errors
 * @throws AppError `file_unsuitable`, `file_too_new`; `invalid_input` with the line, or the member that is wrong
 */
export function withNamesOfFile(
  stored: Pick<KeptSettings, SharedNames>,
  text: string,
  file: string,
): Pick<SettingsChange, SharedNames> {
  const parsed = parseFile(text.replace(/^\uFEFF/, ''), file);
  const reason = 'it contains no names of channels';
  checkSharedHead(parsed, { kind, format: namesFormat, wanted: 'channel_names', reason }, file);
  const { data, error } = channelNamesContent.safeParse(parsed);
  const issue = (message: string, path: readonly PropertyKey[]): Issue => ({
    message,
    place: { file, field: path.map(String).join('.') },
  });
  if (!data)
    throw new AppError('invalid_input', {
      issues: error.issues.map(({ message, path }) =>
        issue(message.endsWith('.') ? message : `${message}.`, path),
      ),
    });
  const joined = joinedNames(stored.channelNames ?? {}, data.channels);
  const issues = [
    ...unknownChannels(data.channels).map((name) =>
      issue('The dictionary doesn’t have this channel.', ['channels', name]),
    ),
    ...nameProblems(joined).map(({ channel, name, takenBy }) =>
      issue(
        takenBy === null
          ? `“${name}” has neither letters nor digits.`
          : `“${name}” is a name of ${takenBy} already. Remove it from one of them.`,
        ['channels', channel],
      ),
    ),
  ];
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  const { units, uploadedUnits, fields } = data;
  return {
    channelNames: joined,
    ...(units && { fieldUnits: withStored(stored.fieldUnits, units) }),
    ...(uploadedUnits && { uploadedUnits: withStored(stored.uploadedUnits, uploadedUnits) }),
    ...(fields && { fieldNames: withStored(stored.fieldNames, fields) }),
  };
}

type TextsByField = NonNullable<KeptSettings['fieldUnits']>;

/** Texts of fields by dataset, in which those that are stored already stay. */
const withStored = (stored: TextsByField = {}, texts: TextsByField): TextsByField =>
  Object.fromEntries(Object.entries(texts).map(([key, some]) => [key, { ...some, ...stored[key] }]));

function parseFile(text: string, file: string): unknown {
  try {
    return parseRelaxedObject(text, 'channels');
  } catch (error) {
    if (!isAppError(error, 'invalid_input')) throw error;
    const issues = error.details.issues.map((issue) => ({ ...issue, place: { ...issue.place, file } }));
    throw new AppError('invalid_input', { issues }, { cause: error });
  }
}

const format = 1;

const members = z.record(z.string(), z.unknown());
const content = z.object({
  values: members,
  shortcuts: members,
  channelNames: members.optional(),
  fieldUnits: members.optional(),
  uploadedUnits: members.optional(),
  fieldNames: members.optional(),
  remembered: members.optional(),
});

/** What of the file can be read; a setting that is damaged does not take the others with it. */
function readContent(json: unknown): { value: KeptSettings; partly: boolean } | null {
  const parsed = content.safeParse(json).data;
  if (!parsed) return null;
  const { values, remembered = {}, ...others } = parsed;
  const changes = [
    ...singly(values, settingNames).map((set) => ({ set })),
    ...Object.entries(others).flatMap(([name, all = {}]) => singly(all).map((some) => ({ [name]: some }))),
    ...singly(remembered, rememberedName.options).map((remember) => ({ remember })),
  ].map((change) => settingsChange.safeParse(change));
  return {
    value: changes.reduce((stored, { data }) => (data ? withChange(stored, data) : stored), nothingKept),
    partly: changes.some(({ success }) => !success),
  };
}

/** Each member with one of these names alone; a file of another version can have others. */
const singly = (all: z.infer<typeof members>, names: readonly string[] = Object.keys(all)) =>
  names.flatMap((name) => (all[name] === undefined ? [] : [{ [name]: all[name] }]));

export type SettingsService = ReturnType<typeof createSettings>;

/**
 * The settings: `<data>/settings.json`. Only differences from the defaults are stored.
 * @param warn called when a damaged file was set aside
 */
export function createSettings(dataFolder: string, warn: (sentence: string) => void) {
  const { locked, write, takeProblem } = openSharedFile({
    dataFolder,
    name: 'settings',
    format,
    nothing: nothingKept,
    read: readContent,
    what: 'settings',
    warn,
  });
  const changes = createBroadcast<KeptSettings>(() => 'settings');
  const read = (): Promise<KeptSettings> => locked(async (now) => now);
  async function store(stored: KeptSettings): Promise<KeptSettings> {
    await write(stored);
    changes.send(stored);
    return stored;
  }

  const handlers: ModuleHandlers<(typeof calls)['settings']> = {
    get: () => locked(async (now) => ({ ...now, problem: takeProblem() })),
    change: (change) => locked((now) => store(withChange(now, change))),
    exportChannelNames: async () => ({
      suggestedName: 'channel-names.wellbench.json',
      text: channelNamesText(await read()),
    }),
    importChannelNames: ({ name, text }) =>
      locked(async (now) => {
        const change = withNamesOfFile(now, text, name);
        const next = withChange(now, change);
        const count = (all: KeptSettings): number =>
          countNames(all.channelNames) +
          [all.fieldUnits, all.uploadedUnits, all.fieldNames].flatMap((some) =>
            Object.values(some ?? {}).flatMap((of) => Object.keys(of)),
          ).length;
        return { settings: await store(next), added: count(next) - count(now) };
      }),
  };
  // A listener that fails to read now gets the next change; `get` reports the reason.
  const watch: ModuleHandlers<typeof events>['settings'] = async (_input, { signal }) =>
    changes.listen(signal, () => read().then(toList, () => []));
  return {
    handlers,
    watch,
    /** The changed settings. @throws AppError `file_too_new`, `file_unreadable` */
    read,
    /** All settings, with the defaults of those that weren't changed. @throws AppError as `read` */
    values: async () => settingsOf(await read()),
    /** The units of a dataset's fields; none if the settings can't be read. */
    fieldUnits: async (of: DatasetAddress) => rememberedUnits(await read().catch(() => nothingKept), of),
    /** Stores the units of fields that an upload adds. @throws AppError as `read`, `file_unwritable`, `disk_full` */
    async rememberUnits(of: DatasetAddress, units: Readonly<Record<string, string>>): Promise<void> {
      if (Object.keys(units).length === 0) return;
      await locked((now) =>
        store(withChange(now, { uploadedUnits: withStored(now.uploadedUnits, { [fieldsKey(of)]: units }) })),
      );
    },
    /** The user's names of channels; none if the settings can't be read. */
    synonyms: async () => synonymsOf((await read().catch(() => nothingKept)).channelNames),
  };
}

const countNames = (names: ChannelNames = {}): number => Object.values(names).flat().length;

const toList = <T>(value: T): T[] => [value];
