import * as z from 'zod';
import type { DatasetAddress } from '../datasets/datasets.ts';
import { csvStyle, type CsvStyle } from '../csv.ts';

/**
 * Keys pressed together. `mod` is Ctrl, and Cmd on a Mac; `ctrl` is always Ctrl. The key is a letter, a
 * digit, a character, or a name of `KeyboardEvent.key`.
 */
export interface Chord {
  readonly mod: boolean;
  readonly ctrl: boolean;
  readonly alt: boolean;
  readonly shift: boolean;
  readonly key: string;
}

const modifiers = ['mod', 'ctrl', 'alt', 'shift'] as const;
type Modifier = (typeof modifiers)[number];
const names: Record<Modifier, string> = { mod: 'Mod', ctrl: 'Ctrl', alt: 'Alt', shift: 'Shift' };

/** A character that a key types, or the name of another key; `+` is Plus, the space bar is Space. */
const keyForm = /^(?:[^\s+\p{Ll}\p{C}]|[A-Z][A-Za-z]*\d*)$/u;

/** A chord in its stored form, such as `Mod+Shift+P`, with modifiers in a fixed order. @param labels of modifiers */
export const formatChord = ({ key, ...chord }: Chord, labels: Partial<typeof names> = {}): string =>
  [
    ...modifiers.filter((modifier) => chord[modifier]).map((modifier) => labels[modifier] ?? names[modifier]),
    key,
  ].join('+');

/** Parses the text of {@link formatChord}. Null: invalid, or not in the stored order. */
export function parseChord(text: string): Chord | null {
  const parts = text.split('+');
  const key = parts.pop() ?? '';
  const chord = {
    mod: parts.includes('Mod'),
    ctrl: parts.includes('Ctrl'),
    alt: parts.includes('Alt'),
    shift: parts.includes('Shift'),
    key,
  };
  return keyForm.test(key) && formatChord(chord) === text ? chord : null;
}

/** A chord as keyboards label it, such as `Ctrl+Shift+P`. */
export const describeChord = (chord: Chord, isMac: boolean): string =>
  formatChord(chord, { mod: isMac ? 'Cmd' : 'Ctrl' });

/** A chord as Electron's menus write it, such as `CommandOrControl+Shift+P`. */
export const acceleratorOf = (chord: Chord): string =>
  formatChord(
    { ...chord, key: chord.key.replace(/^Arrow/, '') },
    { mod: 'CommandOrControl', ctrl: 'Control' },
  );

/** How fields are named: as engineers say them, as the dataset has them, or both. */
const nameForms = ['plain', 'fields', 'both'] as const;
export type NameForm = (typeof nameForms)[number];

/** In robust standard deviations. */
export const defaultSpikeThreshold = 8;
export const defaultMinFlatRecords = 30;

export const themes = ['system', 'light', 'dark'] as const;
export const motions = ['system', 'still'] as const;

export const theme = z.enum(themes);

/** The time zone of results; `well`: the wells' zone; `raw`: unchanged values. */
export const timeView = z.enum(['utc', 'local', 'well', 'raw']);

const spikeRange = 'Enter a number from 3 to 1,000.';
const flatRange = 'Enter a number from 5 to 1,000,000.';
const keptJobsRange = 'Enter a number from 20 to 100,000.';
const keptJobDaysRange = 'Enter a number from 1 to 10,000.';
const limitRange = 'Enter a number from 1 to 10,000.';

export const settings = z.object({
  theme,
  /** Whether motion is reduced: by the system's setting, or always. */
  motion: z.enum(motions),
  times: timeView,
  /** The format of times: `2026-11-21 06:58:01`, or the user's locale. */
  dates: z.enum(['iso', 'locale']),
  /** The format of counts and sizes: the user's locale, or with a point and without groups. */
  numbers: z.enum(['locale', 'plain']),
  names: z.enum(nameForms),
  /** The units of tables and plots: as stored, or those of a system. */
  units: z.enum(['stored', 'us', 'metric', 'si']),
  /** The units of copied and saved tables: as stored, or as shown. */
  copies: z.enum(['stored', 'shown']),
  /** How many lines a well takes in the list. */
  wellRows: z.enum(['one', 'two', 'three']),
  /** The default limit of a new query. */
  limit: z.int(limitRange).min(1, limitRange).max(10_000, limitRange),
  /** Whether a new query counts matches before it runs. */
  countFirst: z.boolean(),
  /** Whether a dataset shows its first records as soon as it is opened. */
  runOnOpen: z.boolean(),
  /** The memory limit of SQL: a share of the computer's memory, or GB. */
  sqlMemory: z.enum(['quarter', 'half', '1', '2', '4', '8', '16']),
  /** A spike of a quality check deviates by more than this many robust standard deviations. */
  spikeThreshold: z.number(spikeRange).min(3, spikeRange).max(1000, spikeRange),
  /** The smallest number of equal values that can be a flat stretch of a quality check. */
  minFlatRecords: z.int(flatRange).min(5, flatRange).max(1_000_000, flatRange),
  csvDelimiter: csvStyle.shape.delimiter.unwrap(),
  csvDecimal: csvStyle.shape.decimal.unwrap(),
  csvNewline: csvStyle.shape.newline.unwrap(),
  csvBom: z.boolean(),
  csvFormulas: z.boolean(),
  /** How many finished jobs are kept; older ones are removed, unless something is lost with them. */
  keptJobs: z.int(keptJobsRange).min(20, keptJobsRange).max(100_000, keptJobsRange),
  /** For how many days they are kept. */
  keptJobDays: z.int(keptJobDaysRange).min(1, keptJobDaysRange).max(10_000, keptJobDaysRange),
  /** Whether to confirm closing a window that stops or loses something. */
  askBeforeLeaving: z.boolean(),
  /**
   * Whether the system notifies of jobs that end while no window is in front: from the first job at which the user
   * wants it. A browser asks for permission first.
   */
  notifyWhenDone: z.boolean(),
});

const settingName = settings.keyof();

const chordText = z
  .string()
  .max(40)
  .refine((text) => parseChord(text) !== null, 'This isn’t a valid shortcut.');
const commandName = z.string().min(1).max(60);
const chords = z.array(chordText).max(8);

/** The changed settings; others have their {@link defaultSettings}. */
export const changedSettings = settings.partial();

/** State that the window remembers: divider positions, connections by their last use. */
export const rememberedName = z.enum(['columns', 'panel', 'sections', 'connections', 'query', 'export']);
const remembered = z.partialRecord(rememberedName, z.string().max(4000));

/** The user's own names of channels, by the channel's standard name, such as `weight_on_bit`. */
export const channelNames = z.record(
  z.string().regex(/^[a-z][a-z0-9_]{0,59}$/, 'This isn’t the standard name of a channel.'),
  z.array(z.string().trim().min(1, 'A name is empty.').max(80, 'A name has at most 80 characters.')).max(100),
);
export type ChannelNames = z.infer<typeof channelNames>;

export const maxUnitLength = 40;
export const maxFieldNameLength = 80;
const unitText = z
  .string()
  .trim()
  .min(1, 'A unit is empty.')
  .max(maxUnitLength, `A unit has at most ${maxUnitLength} characters.`);
const fieldPath = z.string().min(1).max(500);
const nameText = z
  .string()
  .trim()
  .min(1, 'A name is empty.')
  .max(maxFieldNameLength, `A name has at most ${maxFieldNameLength} characters.`);
/** A text for fields by dotted path, for each dataset by `provider/name`. */
const byField = <T extends z.ZodType>(text: T) => z.record(z.string().max(401), z.record(fieldPath, text));
export const fieldUnits = byField(unitText);
/** Names that the user gave to fields. */
export const fieldNames = byField(nameText);
type TextsByField = z.infer<typeof fieldUnits>;

/** The units of a dataset's fields that this application remembers. */
export interface RememberedUnits {
  /** They come before those of the definition. */
  readonly fromUser: Readonly<Record<string, string>>;
  /** Of the files that added the fields: they apply where the definition has none. */
  readonly fromUploads: Readonly<Record<string, string>>;
}

/** The units of a dataset's fields in the settings. */
export const rememberedUnits = (
  { fieldUnits: units, uploadedUnits }: KeptSettings,
  of: DatasetAddress,
): RememberedUnits => ({
  fromUser: units?.[fieldsKey(of)] ?? {},
  fromUploads: uploadedUnits?.[fieldsKey(of)] ?? {},
});

/** The name of a dataset in {@link fieldUnits} and {@link fieldNames}. */
export const fieldsKey = ({ provider, dataset }: DatasetAddress): string => `${provider}/${dataset}`;

export const keptSettings = z.object({
  values: changedSettings,
  /** By the name of the command; an empty list: it has no keys any more. */
  shortcuts: z.record(commandName, chords),
  channelNames: channelNames.optional(),
  /** Those that the user set. */
  fieldUnits: fieldUnits.optional(),
  /** Those of the files that added the fields. */
  uploadedUnits: fieldUnits.optional(),
  fieldNames: fieldNames.optional(),
  /** A text for each place of the window, read only by that place. */
  remembered: remembered.optional(),
});

/** The changed settings; others remain. */
export const settingsChange = z.object({
  set: changedSettings.default({}),
  reset: z.array(settingName).default([]),
  /** Null: the default shortcut. */
  shortcuts: z.record(commandName, chords.nullable()).default({}),
  /** All names of each channel; an empty list: none. */
  channelNames: channelNames.optional(),
  /** Null: the field has no unit of its own any more. */
  fieldUnits: byField(unitText.nullable()).optional(),
  uploadedUnits: byField(unitText.nullable()).optional(),
  /** Null: the field has no name of its own any more. */
  fieldNames: byField(nameText.nullable()).optional(),
  remember: remembered.optional(),
});

export type Theme = (typeof themes)[number];
export type Settings = z.infer<typeof settings>;
export type TimeView = Settings['times'];
export type SettingName = z.infer<typeof settingName>;
export type ChangedSettings = z.infer<typeof changedSettings>;
export type RememberedName = z.infer<typeof rememberedName>;
export type KeptSettings = z.infer<typeof keptSettings>;
export type SettingsChange = z.input<typeof settingsChange>;

export const defaultSettings: Settings = {
  theme: 'system',
  motion: 'system',
  times: 'utc',
  dates: 'iso',
  numbers: 'locale',
  names: 'plain',
  units: 'stored',
  copies: 'stored',
  wellRows: 'one',
  limit: 1000,
  countFirst: false,
  runOnOpen: true,
  sqlMemory: 'quarter',
  spikeThreshold: defaultSpikeThreshold,
  minFlatRecords: defaultMinFlatRecords,
  csvDelimiter: ',',
  csvDecimal: '.',
  csvNewline: 'CRLF',
  csvBom: false,
  csvFormulas: false,
  keptJobs: 500,
  keptJobDays: 90,
  askBeforeLeaving: true,
  notifyWhenDone: false,
};

export const settingNames = Object.keys(defaultSettings) as SettingName[];

export const nothingKept: KeptSettings = { values: {}, shortcuts: {} };

/** All settings: the changed ones and the defaults of the others. */
export function settingsOf({ values }: Pick<KeptSettings, 'values'>): Settings {
  return settingNames.reduce<Settings>(
    (all, name) => (values[name] === undefined ? all : { ...all, [name]: values[name] }),
    defaultSettings,
  );
}

/**
 * The stored settings after a change. Delimiter and decimal mark must differ: the one that the change doesn't
 * set is adjusted.
 */
export function withChange(kept: KeptSettings, change: SettingsChange): KeptSettings {
  const { set = {}, reset = [], shortcuts = {}, channelNames: names = {}, remember = {} } = change;
  const values: ChangedSettings = { ...kept.values, ...set };
  for (const name of reset) delete values[name];
  const { csvDelimiter, csvDecimal } = settingsOf({ values });
  if (csvDelimiter === csvDecimal) {
    if (set.csvDelimiter !== undefined || reset.includes('csvDelimiter')) values.csvDecimal = '.';
    else values.csvDelimiter = ';';
  }
  for (const name of settingNames)
    if (values[name] === undefined || values[name] === defaultSettings[name]) delete values[name];
  const keys = new Map(Object.entries(kept.shortcuts));
  for (const [command, bindings] of Object.entries(shortcuts)) {
    if (bindings === null) keys.delete(command);
    else keys.set(command, bindings);
  }
  const rememberedPlaces = { ...kept.remembered, ...remember };
  const namesByChannel = Object.entries({ ...kept.channelNames, ...names }).filter(
    ([, some]) => some.length > 0,
  );
  const units = withTexts(kept.fieldUnits, change.fieldUnits);
  const uploaded = withTexts(kept.uploadedUnits, change.uploadedUnits);
  const fields = withTexts(kept.fieldNames, change.fieldNames);
  return {
    values,
    shortcuts: Object.fromEntries(keys),
    ...(Object.keys(units).length === 0 ? {} : { fieldUnits: units }),
    ...(Object.keys(uploaded).length === 0 ? {} : { uploadedUnits: uploaded }),
    ...(Object.keys(fields).length === 0 ? {} : { fieldNames: fields }),
    ...(namesByChannel.length === 0 ? {} : { channelNames: Object.fromEntries(namesByChannel) }),
    ...(Object.keys(rememberedPlaces).length === 0 ? {} : { remembered: rememberedPlaces }),
  };
}

function withTexts(kept: TextsByField = {}, change: SettingsChange['fieldUnits'] = {}): TextsByField {
  const datasets = new Map(Object.entries(kept));
  for (const [dataset, texts] of Object.entries(change)) {
    const merged = Object.entries({ ...datasets.get(dataset), ...texts });
    const left = merged.flatMap(([path, text]) => (text === null ? [] : [[path, text] as const]));
    if (left.length === 0) datasets.delete(dataset);
    else datasets.set(dataset, Object.fromEntries(left));
  }
  return Object.fromEntries(datasets);
}

/** The default CSV style. */
export const csvOf = (all: Settings): CsvStyle => ({
  delimiter: all.csvDelimiter,
  decimal: all.csvDecimal,
  newline: all.csvNewline,
  bom: all.csvBom,
  escapeFormulas: all.csvFormulas,
});
