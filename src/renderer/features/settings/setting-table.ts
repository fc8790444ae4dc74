import { type SettingName, type Settings, settings } from '../../../shared/settings/settings.ts';
import { words } from '../../words/words.ts';
import { type CommandId, commandTable } from '../commands/command-table.ts';

/** The settings by what they are about, in the order in which they are listed. */
export const settingSections = [
  { id: 'look', names: ['theme', 'motion', 'wellRows'] },
  { id: 'values', names: ['times', 'dates', 'numbers'] },
  { id: 'questions', names: ['runOnOpen', 'limit', 'countFirst'] },
  { id: 'csv', names: ['csvDelimiter', 'csvDecimal', 'csvNewline', 'csvBom', 'csvFormulas'] },
  { id: 'leaving', names: ['askBeforeLeaving'] },
] as const satisfies readonly { id: string; names: readonly SettingName[] }[];

/** The settings that are one of a few. */
export type ChoiceName = { [N in SettingName]: Settings[N] extends string ? N : never }[SettingName];
/** The settings that are yes or no. */
export type FlagName = { [N in SettingName]: Settings[N] extends boolean ? N : never }[SettingName];

const { theme, motion, wellRows, times, dates, numbers, csvDelimiter, csvDecimal, csvNewline } =
  settings.shape;

/** What each of them can be. */
export const choices: Readonly<Record<ChoiceName, readonly string[]>> = {
  theme: theme.options,
  motion: motion.options,
  wellRows: wellRows.options,
  times: times.options,
  dates: dates.options,
  numbers: numbers.options,
  csvDelimiter: csvDelimiter.options,
  csvDecimal: csvDecimal.options,
  csvNewline: csvNewline.options,
};

export const isChoice = (name: SettingName): name is ChoiceName => name in choices;

const w = words.settings;

/** Whether a text says every word that is sought, in any order. */
function says(text: string, sought: string): boolean {
  const low = text.toLocaleLowerCase();
  return sought
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => low.includes(word));
}

/** Whether a setting is meant by what is sought: by its name, its description, what it can be, or its section's name. */
export function isSought(name: SettingName, section: string, sought: string): boolean {
  const texts: Readonly<Record<string, string>> = isChoice(name) ? w.options[name] : {};
  const options = isChoice(name) ? choices[name].map((id) => texts[id] ?? '') : [];
  return says([w.names[name].name, w.names[name].note, section, ...options].join('\n'), sought);
}

/** Whether a command is meant: by its name, its group's, or its keys as they stand on the keyboard. */
export function isCommandSought(id: CommandId, keys: readonly string[], sought: string): boolean {
  const { titles, groups } = words.commands;
  return says([titles[id], groups[commandTable[id].group], w.sections.shortcuts, ...keys].join('\n'), sought);
}
