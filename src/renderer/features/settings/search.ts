import type { SettingName } from '../../../shared/settings/settings.ts';
import { words } from '../../words/words.ts';
import { commandTable, type CommandId } from '../commands/command-table.ts';
import { choices, isChoice } from './setting-table.ts';

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
