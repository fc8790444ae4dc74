import { expect, it } from 'vitest';
import { isCommandSought, isSought } from '../../../../src/renderer/features/settings/search.ts';
import { settingSections } from '../../../../src/renderer/features/settings/setting-table.ts';
import { en } from '../../../../src/renderer/words/en.ts';
import { settingNames, type SettingName } from '../../../../src/shared/settings.ts';

const { sections } = en.settings;
const found = (sought: string): SettingName[] =>
  settingSections.flatMap(({ id, names }) => names.filter((name) => isSought(name, sections[id], sought)));

it('every setting stands in one section', () => {
  const listed = settingSections.flatMap(({ names }): readonly SettingName[] => names);
  expect(listed.toSorted()).toEqual(settingNames.toSorted());
});

it('settings are found by name, description, what they can be, and their section', () => {
  expect(found('theme')).toEqual(['theme']);
  expect(found('EXCEL utf-8')).toEqual(['csvBom']);
  expect(found('semicolon')).toEqual(['csvDelimiter']);
  expect(found('exports csv line')).toContain('csvNewline');
  expect(found('nothing of the kind')).toEqual([]);
});

it('commands are found by name, group and keys', () => {
  expect(isCommandSought('save', ['Ctrl+S'], 'ctrl+s')).toBe(true);
  expect(isCommandSought('save', ['Ctrl+S'], 'query save')).toBe(true);
  expect(isCommandSought('save', [], 'ctrl')).toBe(false);
});
