import { expect, it } from 'vitest';
import { nullTexts } from '../../../../src/main/upload/conversion/null-texts.ts';

it.each([
  ['-999.25', true],
  ['-999.2500', true],
  ['-999.26', false],
  ['n/a', true],
  ['0', false],
  ['', false],
])('%j stands for no value: %s', (cell, isNull) => {
  expect(nullTexts(['-999.25', 'n/a'])(cell)).toBe(isNull);
});
