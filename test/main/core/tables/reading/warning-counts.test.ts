import { expect, it } from 'vitest';
import { inspectionOf } from '../../../../../src/main/core/tables/reading/warnings.ts';
import type { WarningCode } from '../../../../../src/shared/upload/warnings.ts';
import { scanText } from '../../../features/upload/support/files.ts';

const numbers = Array.from({ length: 30 }, (_, at) => `${at}`);

it.each<[WarningCode, string, number]>([
  ['preamble', 'Report of the rig\nWell: A\na,b\n1,2\n3,4\n', 2],
  ['mixed_newlines', 'a,b\r\n1,2\r\n3,4\n5,6\r\n', 1],
  ['empty_name', 'a,,c\n1,2,3\n4,,6\n7,8,9\n', 2],
  ['repeated_names', '{"a":1,"a":2}\n{"a":1,"b":{"a":1}}\n{"b":{"c":1,"c":2}}\n', 2],
  ['duplicate_names', 'a,b,b\n1,2,3\n4,5,\n', 1],
  ['no_rows', 'a,b\n', 0],
  ['ragged_rows', 'a,b\n1,2\n3\n4\n', 2],
  ['total_rows', 'Zone,Net,Gross\nA,1,2\nB,2,3\nSubtotal:,3,5\nC,4,5\nD,6,7\nSumme,10,12\nE,1,1\n', 2],
  ['total_rows', 'Step,Source,NN\n1,A,1\n1,B,3\n1,Totals,4\n2,A,1\n2,B,3\n2,Totals,4\n', 2],
  ['comment_lines', 'a,b\n#note\n1,2\n3,4\n5,6\n', 1],
  ['decimal_comma', 'a;b\n1,5;x\n2,25;y\n3;z\n', 2],
  ['thousands', 'a;b\n"1,234,567";x\n"2,345,678";y\n3;z\n', 2],
  ['ambiguous_dates', 'Date,a\n03/04/2024,1\n05/06/2024,2\n', 2],
  ['mixed_dates', 'Date,a\n2024-03-04,1\n05/06/2024,2\n2024-03-05,3\n', 3],
  ['serial_dates', 'Date,a\n45000,1\n45001,2\n', 2],
  ['lost_zeros', 'Code,a\n0012345678,1\n12345678,2\n1234567,3\n1234567890,4\n', 2],
  ['mixed_types', `a,b\n${numbers.map((n) => `${n},1`).join('\n')}\nstuck,1\nnone at all,1\n`, 2],
])('the warning %s has a count', async (code, text, count) => {
  const { warnings } = inspectionOf(await scanText(text));
  expect(warnings.find((warning) => warning.code === code)).toMatchObject({ count });
});

it.each([
  ['the footer, which is skipped', 'Zone,Net,Gross\nA,1,1\nB,2,2\nC,3,3\nTotal,6,\n'],
  ['a word of its column in many rows', 'Kind,Net\nTotal,1\nPart,2\nTotal,3\nPart,4\n'],
  ['another word', 'Zone,Net\nTotal Depth Sand,1\nSumatra,2\nMaxwell,3\nB,4\nC,5\n'],
  ['a cell behind a name with digits', 'Well,Kind,Net\n7/11-1,total,1\n8H,x,2\n9H,x,3\n9H,x,4\n'],
  ['a cell that isn’t the first', 'Zone,Kind,Net\nA,total,1\nB,x,2\nC,x,3\nD,x,4\n'],
])('no row is a total because of %s', async (_, text) => {
  const { warnings } = inspectionOf(await scanText(text));
  expect(warnings.map(({ code }) => code)).not.toContain('total_rows');
});

it('a warning about the name of a column has no line where the format has names in a header', async () => {
  const scan = await scanText('a,b,b,\n1,2,3,\n4,5,6,\n');
  const linesOf = (isExact: boolean) =>
    inspectionOf({ ...scan, layout: { ...scan.layout, isExact } })
      .warnings.filter(({ code }) => code === 'duplicate_names' || code === 'empty_columns')
      .map(({ line }) => line);
  expect(linesOf(false)).toEqual([1, 1]);
  expect(linesOf(true)).toEqual([null, null]);
});
