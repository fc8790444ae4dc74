import { expect, it, vi } from 'vitest';
import { convert } from '../../../../../src/main/core/tables/conversion/convert-file.ts';
import { detectFile } from '../../../../../src/main/core/tables/conversion/detect.ts';
import { hashFile } from '../../../../../src/main/core/tables/reading/source.ts';
import { nullTest } from '../../../../../src/main/core/tables/sources/source.ts';
import { fileWith, temporaryFolder } from '../../../features/upload/support/files.ts';
import { sheetRow, workbook } from '../../../features/upload/support/workbooks.ts';

const sheet = sheetRow(1, ['Name', 'Depth']) + sheetRow(2, ['a', 1]);

it.each([
  ['a.las', '~V\n VERS. 2.0 :\n~C\n DEPT.M :\n GR.GAPI :\n~A\n1 2\n2 3\n'],
  ['a.xml', '<logs><log><name>a</name><logData><data>1,2</data></logData></log></logs>'],
  ['a.json', '[{"a":1,"b":"x"},{"a":2}]'],
  ['a.wits', '&&\r\n01081.0\r\n!!\r\n'],
  ['a.txt', '  MD   INC\n 1.0   2.0\n 2.0   3.0\n'],
  ['a.xlsx', workbook({ sheets: { A: sheet, B: sheet } })],
  ['a.csv', 'a,b\n1,2\n\nc,d\n3,4\n'],
])('converting %s reports its progress, and ends when it is cancelled', async (name, content) => {
  const file = { path: await fileWith(content, name), fileName: name };
  const detected = { ...(await detectFile(file)), hasTables: true };
  const folder = await temporaryFolder();
  const request = { ...file, detected, choice: {}, folder, original: hashFile(file) };
  const onRead = vi.fn();
  await convert(request, { signal: new AbortController().signal, onRead });
  expect(onRead).toHaveBeenCalled();
  await expect(convert(request, { signal: AbortSignal.abort(), onRead })).rejects.toMatchObject({
    code: 'cancelled',
  });
});

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
  expect(nullTest(['-999.25', 'n/a'])(cell)).toBe(isNull);
});

it('treats zero as null in any form, but not blanks', () => {
  const isNull = nullTest(['0']);
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
