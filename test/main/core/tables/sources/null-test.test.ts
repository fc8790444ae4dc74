import { expect, it } from 'vitest';
import { nullTexts } from '../../../../../src/main/core/tables/sources/null-test.ts';

it.each([
  ['-999.25', true],
  ['-999.2500', true],
  ['-999.26', false],
  ['n/a', true],
  ['0', false],
  ['', false],
  [' ', false],
  ['+1', false],
])('treats %j as null: %s', (cell, isNull) => {
  expect(nullTexts(['-999.25', 'n/a'])(cell)).toBe(isNull);
});

it('treats zero as null in any form, but not blanks', () => {
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
