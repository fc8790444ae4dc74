import { type SettingName, type Settings, settings } from '../../../shared/settings/settings.ts';
import { wordSearch } from '../../../shared/word-search.ts';
import { words } from '../../words/words.ts';
import { type CommandId, commandTable } from '../commands/command-table.ts';

/** The settings by section, in display order. */
export const settingSections = [
  { id: 'look', names: ['theme', 'motion', 'wellRows'] },
  { id: 'values', names: ['names', 'times', 'dates', 'numbers', 'units', 'copies'] },
  { id: 'questions', names: ['runOnOpen', 'limit', 'countFirst'] },
  { id: 'sql', names: ['sqlMemory'] },
  { id: 'quality', names: ['spikeThreshold', 'minFlatRecords'] },
  { id: 'csv', names: ['csvDelimiter', 'csvDecimal', 'csvNewline', 'csvBom', 'csvFormulas'] },
  { id: 'jobs', names: ['notifyWhenDone', 'keptJobs', 'keptJobDays'] },
  { id: 'leaving', names: ['askBeforeLeaving'] },
] as const satisfies readonly { id: string; names: readonly SettingName[] }[];

/** Settings with a few options. */
export type ChoiceName = { [N in SettingName]: Settings[N] extends string ? N : never }[SettingName];
export type NumberName = { [N in SettingName]: Settings[N] extends number ? N : never }[SettingName];
export type FlagName = { [N in SettingName]: Settings[N] extends boolean ? N : never }[SettingName];

const { theme, motion, wellRows, names, times, dates, numbers, units, copies, sqlMemory } = settings.shape;
const { csvDelimiter, csvDecimal, csvNewline } = settings.shape;

export const optionsByName: Readonly<Record<ChoiceName, readonly string[]>> = {
  theme: theme.options,
  motion: motion.options,
  wellRows: wellRows.options,
  names: names.options,
  times: times.options,
  dates: dates.options,
  numbers: numbers.options,
  units: units.options,
  copies: copies.options,
  sqlMemory: sqlMemory.options,
  csvDelimiter: csvDelimiter.options,
  csvDecimal: csvDecimal.options,
  csvNewline: csvNewline.options,
};

const numberNames: readonly NumberName[] = [
  'limit',
  'spikeThreshold',
  'minFlatRecords',
  'keptJobs',
  'keptJobDays',
];

export const isNumber = (name: SettingName): name is NumberName =>
  numberNames.some((numberName) => numberName === name);

export const isChoice = (name: SettingName): name is ChoiceName => name in optionsByName;

const w = words.settings;

export function settingMatchesSearch(name: SettingName, section: string, search: string): boolean {
  const texts: Readonly<Record<string, string>> = isChoice(name) ? w.options[name] : {};
  const options = isChoice(name) ? optionsByName[name].map((id) => texts[id] ?? '') : [];
  const { name: title, note } = w.names[name];
  return wordSearch(search)([title, note, section, ...options].join('\n'));
}

export function commandMatchesSearch(id: CommandId, keys: readonly string[], search: string): boolean {
  const { titles, groups } = words.commands;
  const texts = [titles[id], groups[commandTable[id].group], w.sections.shortcuts, ...keys];
  return wordSearch(search)(texts.join('\n'));
}
