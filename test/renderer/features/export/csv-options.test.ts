import { expect, it } from 'vitest';
import { choiceOf, csvChoices, styleOf } from '../../../../src/renderer/features/export/export-button.tsx';
import { csvStyle } from '../../../../src/shared/csv.ts';
import { csvOf, defaultSettings } from '../../../../src/shared/settings/settings.ts';

const plain = csvOf(defaultSettings);
const own = csvOf({ ...defaultSettings, csvDelimiter: '|', csvBom: true });

it('unchanged options are plain CSV', () => {
  expect(plain).toEqual(csvStyle.parse({}));
  expect(choiceOf(plain)).toBe('plain');
  expect(csvChoices(plain)).not.toContain('own');
});

it('the user’s own format is offered when it has no other name', () => {
  expect(choiceOf(own)).toBe('own');
  expect(csvChoices(own)[0]).toBe('own');
  expect(styleOf('own', own)).toEqual(own);
  for (const choice of csvChoices(plain)) expect(choiceOf(styleOf(choice, own))).toBe(choice);
});
