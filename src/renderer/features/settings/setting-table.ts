import { type SettingName, type Settings, settings } from '../../../shared/settings/settings.ts';

/** The settings by what they are about, in the order in which they are listed. */
export const settingSections = [
  { id: 'look', names: ['theme', 'motion'] },
  { id: 'values', names: ['times', 'dates', 'numbers'] },
  { id: 'questions', names: ['limit', 'countFirst'] },
  { id: 'csv', names: ['csvDelimiter', 'csvDecimal', 'csvNewline', 'csvBom', 'csvFormulas'] },
  { id: 'leaving', names: ['askBeforeLeaving'] },
] as const satisfies readonly { id: string; names: readonly SettingName[] }[];

/** The settings that are one of a few. */
export type ChoiceName = { [N in SettingName]: Settings[N] extends string ? N : never }[SettingName];
/** The settings that are yes or no. */
export type FlagName = { [N in SettingName]: Settings[N] extends boolean ? N : never }[SettingName];

const { theme, motion, times, dates, numbers, csvDelimiter, csvDecimal, csvNewline } = settings.shape;

/** What each of them can be. */
export const choices: Readonly<Record<ChoiceName, readonly string[]>> = {
  theme: theme.options,
  motion: motion.options,
  times: times.options,
  dates: dates.options,
  numbers: numbers.options,
  csvDelimiter: csvDelimiter.options,
  csvDecimal: csvDecimal.options,
  csvNewline: csvNewline.options,
};

export const isChoice = (name: SettingName): name is ChoiceName => name in choices;
