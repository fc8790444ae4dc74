import { expect, it } from 'vitest';
import { nullTexts } from '../../../../src/main/upload/conversion/null-texts.ts';

it.each([
  ['-999.25', true],
  ['-999.2500', true],
  ['-999.26', false],
  ['n/a', true],
  ['0', false],
  ['', false],
  [' ', false],
  ['+1', false],
])('%j stands for no value: %s', (cell, isNull) => {
  expect(nullTexts(['-999.25', 'n/a'])(cell)).toBe(isNull);
});

it('takes a zero in any form where zero is null, but no blank', () => {
  const isNull = nullTexts(['0']);
  expect(['0', '0.00', '-0', '.0', ' ', '', '1'].map(isNull)).toEqual([
    true,
    true,
    false,
    true,
    false,
    false,
    false,
  ]);
});
