import type * as z from 'zod';
import type { CsvStyle } from '../export/csv-style.ts';
import type * as kept from './kept-settings.ts';

// What checks settings that are read stands in kept-settings.ts: the window begins without it.

export const themes = ['system', 'light', 'dark'] as const;
export const motions = ['system', 'still'] as const;

export type Theme = (typeof themes)[number];
export type Settings = z.infer<typeof kept.settings>;
export type TimeView = Settings['times'];
export type SettingName = z.infer<typeof kept.settingName>;
export type ChangedSettings = z.infer<typeof kept.changedSettings>;
export type RememberedName = z.infer<typeof kept.rememberedName>;
export type KeptSettings = z.infer<typeof kept.keptSettings>;
export type SettingsChange = z.input<typeof kept.settingsChange>;

/** What holds as long as nobody changes it. */
export const defaultSettings: Settings = {
  theme: 'system',
  motion: 'system',
  times: 'utc',
  dates: 'iso',
  numbers: 'locale',
  limit: 1000,
  countFirst: false,
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
