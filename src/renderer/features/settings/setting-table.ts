import {
  defaultSettings,
  type SettingName,
  type Settings,
  settings,
} from '../../../shared/settings/settings.ts';
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

export const isNumber = (name: SettingName): name is NumberName => typeof defaultSettings[name] === 'number';
export const isChoice = (name: SettingName): name is ChoiceName => typeof defaultSettings[name] === 'string';

const w = words.settings;

/** The options of a setting, with their texts. */
export function optionsOf(name: ChoiceName): { readonly id: string; readonly text: string }[] {
  const texts: Readonly<Record<string, string>> = w.options[name];
  return settings.shape[name].options.map((id) => ({ id, text: texts[id] ?? id }));
}

export function settingMatchesSearch(name: SettingName, section: string, search: string): boolean {
  const options = isChoice(name) ? optionsOf(name).map(({ text }) => text) : [];
  const { name: title, note } = w.names[name];
  return wordSearch(search)([title, note, section, ...options].join('\n'));
}

export function commandMatchesSearch(id: CommandId, keys: readonly string[], search: string): boolean {
  const { titles, groups } = words.commands;
  const texts = [titles[id], groups[commandTable[id].group], w.sections.shortcuts, ...keys];
  return wordSearch(search)(texts.join('\n'));
}
