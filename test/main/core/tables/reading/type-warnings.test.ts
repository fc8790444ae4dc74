import { expect, it } from 'vitest';
import { scanWarnings } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { scanText } from '../../../features/upload/support/files.ts';

const codes = async (values: readonly string[]) => {
  const warnings = scanWarnings(await scanText(`n;x\n${values.map((value) => `1;${value}\n`).join('')}`));
  return warnings.filter(({ column }) => column === 'x').map(({ code }) => code);
};

it.each([
  ['a unit', ['0.5 psi', '1.5 psi', '12 psi']],
  ['a percent sign', ['5%', '7.5 %', '9%']],
  ['blanks between thousands', ['1\u00a0000', '1\u00a0001', '12\u202f000']],
  ['a minus that isn’t a hyphen', ['\u22125', '\u22126', '\u22127.5']],
  ['brackets', ['(5)', '(6.5)', '(7)']],
])('numbers with %s are reported as text', async (_what, values) => {
  expect(await codes(values)).toEqual(['numbers_as_text']);
});

it.each([
  ['names of wells', ['101H', '102H', '103H']],
  ['names with a number', ['12 Badger', '13 Badger', '14 Badger']],
  ['wellbores', ['15/9-F-1', '15/9-F-4', '15/9-F-9']],
  ['years', ['197 519 761 977 197 000', '197 519 761 977 197 001', '2 519 761 977 197 000']],
  ['texts', ['drilling', 'tripping', 'idle']],
])('%s are not', async (_what, values) => {
  expect(await codes(values)).toEqual([]);
});
