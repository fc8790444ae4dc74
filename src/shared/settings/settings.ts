import * as z from 'zod';
import { csvStyle, type CsvStyle } from '../export/csv-style.ts';
import { parseChord } from './shortcuts.ts';

export const themes = ['system', 'light', 'dark'] as const;
export const motions = ['system', 'still'] as const;

export const theme = z.enum(themes);

/** In which zone times of an answer are shown first; `well`: the one the wells lie in; `raw`: as the service gave them. */
const timeView = z.enum(['utc', 'local', 'well', 'raw']);

const limitRange = 'Enter a number from 1 to 10,000.';

/** What a person sets for the whole application. */
export const settings = z.object({
  theme,
  /** Whether what moves stands still: as the system says, or always. */
  motion: z.enum(motions),
  times: timeView,
  /** How moments are written: `2026-11-21 06:58:01`, or as people do where the person is. */
  dates: z.enum(['iso', 'locale']),
  /** How counts and sizes are written: as people do where the person is, or with a point and no groups. */
  numbers: z.enum(['locale', 'plain']),
  /** How many lines a well takes in the list. */
  wellRows: z.enum(['one', 'two', 'three']),
  /** With how many records a new question begins. */
  limit: z.int(limitRange).min(1, limitRange).max(10_000, limitRange),
  /** Whether a new question counts what matches before it runs. */
  countFirst: z.boolean(),
  /** Whether a dataset shows its first records as soon as it is opened. */
  runOnOpen: z.boolean(),
  csvDelimiter: csvStyle.shape.delimiter.unwrap(),
  csvDecimal: csvStyle.shape.decimal.unwrap(),
  csvNewline: csvStyle.shape.newline.unwrap(),
  csvBom: z.boolean(),
  csvFormulas: z.boolean(),
  /** Whether to ask before the window goes while that stops or loses something. */
  askBeforeLeaving: z.boolean(),
});

export const settingName = settings.keyof();

export const chordText = z
  .string()
  .max(40)
  .refine((text) => parseChord(text) !== null, 'This isn’t a valid shortcut.');
const commandName = z.string().min(1).max(60);
const chords = z.array(chordText).max(8);

/** What a person has changed; all else is as {@link defaultSettings} says. */
export const changedSettings = settings.partial();

/** What a window remembers without being told to: how far the tour is, where its dividers stand. */
export const rememberedName = z.enum(['tour', 'columns', 'sections']);
const remembered = z.partialRecord(rememberedName, z.string().max(4000));

/** All that is kept: the settings that were changed, and the keys of the commands whose keys were. */
export const keptSettings = z.object({
  values: changedSettings,
  /** By the name of the command; an empty list: it has no keys any more. */
  shortcuts: z.record(commandName, chords),
  /** A text of each place of the window, which only that place reads. */
  remembered: remembered.optional(),
});

/** What becomes another setting; what is not named stays. */
export const settingsChange = z.object({
  set: changedSettings.default({}),
  /** These are as they were at first again. */
  reset: z.array(settingName).default([]),
  /** Null: the keys that the command had at first. */
  shortcuts: z.record(commandName, chords.nullable()).default({}),
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

/** What holds as long as nobody changes it. */
export const defaultSettings: Settings = {
  theme: 'system',
  motion: 'system',
  times: 'utc',
  dates: 'iso',
  numbers: 'locale',
  wellRows: 'one',
  limit: 1000,
  countFirst: false,
  runOnOpen: true,
  csvDelimiter: ',',
  csvDecimal: '.',
  csvNewline: 'CRLF',
  csvBom: false,
  csvFormulas: false,
  askBeforeLeaving: true,
};

export const settingNames = Object.keys(defaultSettings) as SettingName[];

export const nothingKept: KeptSettings = { values: {}, shortcuts: {} };

/** All settings: those that were changed, and what holds of the others. */
export function settingsOf({ values }: Pick<KeptSettings, 'values'>): Settings {
  return settingNames.reduce<Settings>(
    (all, name) => (values[name] === undefined ? all : { ...all, [name]: values[name] }),
    defaultSettings,
  );
}

/**
 * What is kept after a change. A delimiter and a decimal sign that are the same can't be told apart in a file: the one
 * that the change does not name gives way.
 */
export function withChange(
  kept: KeptSettings,
  { set = {}, reset = [], shortcuts = {}, remember = {} }: SettingsChange,
): KeptSettings {
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
  for (const [command, some] of Object.entries(shortcuts)) {
    if (some === null) keys.delete(command);
    else keys.set(command, some);
  }
  const places = { ...kept.remembered, ...remember };
  return {
    values,
    shortcuts: Object.fromEntries(keys),
    ...(Object.keys(places).length === 0 ? {} : { remembered: places }),
  };
}

/** How CSV is written where nothing else is said. */
export const csvOf = (all: Settings): CsvStyle => ({
  delimiter: all.csvDelimiter,
  decimal: all.csvDecimal,
  newline: all.csvNewline,
  bom: all.csvBom,
  escapeFormulas: all.csvFormulas,
});
