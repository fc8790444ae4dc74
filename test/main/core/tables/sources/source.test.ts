import { basename } from 'node:path';
import { expect, it, vi } from 'vitest';
import { openSource } from '../../../../../src/main/core/tables/reading/source.ts';
import { openDelimitedTables } from '../../../../../src/main/core/tables/sources/several-tables.ts';
import { adapters } from '../../../../../src/main/core/tables/sources/readers.ts';
import { nullTest } from '../../../../../src/main/core/tables/sources/source.ts';
import { fileWith } from '../../../features/upload/support/files.ts';
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
])('opening %s, which can read all of it, reports its progress', async (name, content) => {
  const path = await fileWith(content, name);
  const onRead = vi.fn();
  const start = Buffer.from(content);
  const adapter = adapters.find((item) => item.recognize(start, name));
  const open = name === 'a.csv' ? openDelimitedTables : adapter?.open;
  const options = { signal: new AbortController().signal, fileName: basename(path), onRead };
  using source = openSource(path, basename(path));
  const file = await open?.(source, options);
  expect(onRead).toHaveBeenCalled();
  file?.close?.();
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
