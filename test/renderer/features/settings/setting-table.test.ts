import { expect, it } from 'vitest';
import {
  commandMatchesSearch,
  settingMatchesSearch,
  settingSections,
} from '../../../../src/renderer/features/settings/setting-table.ts';
import { words } from '../../../../src/renderer/words/words.ts';
import { type SettingName, settingNames } from '../../../../src/shared/settings/settings.ts';

const { sections, names, options } = words.settings;
const found = (sought: string): SettingName[] =>
  settingSections.flatMap(({ id, names: listed }) =>
    listed.filter((name) => settingMatchesSearch(name, sections[id], sought)),
  );

it('every setting is in one section', () => {
  const listed = settingSections.flatMap((section): readonly SettingName[] => section.names);
  expect(listed.toSorted()).toEqual(settingNames.toSorted());
});

it('settings are found by name, description, options, and section', () => {
  expect(found(names.theme.name.toLowerCase())).toContain('theme');
  expect(found(names.csvBom.note.toUpperCase())).toEqual(['csvBom']);
  expect(found(options.csvDelimiter[';'])).toContain('csvDelimiter');
  expect(found(`${sections.csv} ${names.csvNewline.name}`)).toContain('csvNewline');
  expect(found('nothing of the kind')).toEqual([]);
});

it('commands are found by name, group, and shortcut', () => {
  expect(commandMatchesSearch('save', ['Ctrl+S'], 'ctrl+s')).toBe(true);
  expect(commandMatchesSearch('save', ['Ctrl+S'], words.commands.titles.save.toUpperCase())).toBe(true);
  expect(commandMatchesSearch('save', [], 'ctrl')).toBe(false);
});
