import { gzipSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { detectFile } from '../../../../../src/main/core/tables/conversion/detect.ts';
import { fileWith } from '../../../features/upload/support/files.ts';
import { workbook } from '../../../features/upload/support/workbooks.ts';

const csv = 'time,rop\n2026-01-01T00:00:00Z,12.5\n';
const las = '~Version\n VERS. 2.0 :\n~Curve\n DEPT.M :\n~A\n1.0\n';
const book = workbook({ sheets: { One: '<row r="1"><c r="A1"><v>1</v></c></row>' } });

const detect = async (content: string | Uint8Array, name: string) =>
  detectFile({ path: await fileWith(content, name), fileName: name });

describe('the format of a file', () => {
  it.each([
    ['a.csv', csv, { format: 'csv', compression: null }],
    ['a.las', csv, { format: 'csv', compression: null }],
    ['a.csv', 'When\n03/03/2026 10:00\n03/04/2026 10:00\n', { format: 'csv', compression: null }],
    ['a.txt', 'Well\nBadger 1H\nRidge 2H\n', { format: 'csv', compression: null }],
    ['a.csv', 'MD INC AZI\n1.0 2.0 3.0\n2.0 2.5 3.5\n', { format: 'text', compression: null }],
    ['a.csv', `id,note\n${'1,"a b\nc d\ne f\ng h"\n'.repeat(9)}`, { format: 'csv', compression: null }],
    ['a.ndjson', '{"a":1}\n{"a":2}\n', { format: 'ndjson', compression: null }],
    ['a.csv', las, { format: 'las', compression: null }],
    ['a.csv', book, { format: 'xlsx', compression: null }],
    ['a.csv.gz', gzipSync(csv), { format: 'csv', compression: 'gzip', name: 'a.csv' }],
    ['a.gz', gzipSync(las), { format: 'las', compression: 'gzip' }],
    ['a.zip', zipSync({ 'b/c.csv': strToU8(csv) }), { format: 'csv', compression: 'zip', name: 'c.csv' }],
    ['a.xlsx.gz', gzipSync(book), { format: 'xlsx', compression: 'gzip', name: 'a.xlsx' }],
    ['a.zip', zipSync({ 'b.xlsx': book }), { format: 'xlsx', compression: 'zip', name: 'b.xlsx' }],
    [
      'a.zip',
      zipSync({ 'c.las': strToU8(las), '__MACOSX/c.las': strToU8('x') }, { level: 0 }),
      { format: 'las', compression: 'zip' },
    ],
  ])('%s is detected by content', async (name, content, found) => {
    expect(await detect(content, name)).toMatchObject(found);
  });

  it.each([
    ['two files', zipSync({ 'a.csv': strToU8(csv), 'b.csv': strToU8(csv) }), /2 files \(unpack it/],
    ['no file', zipSync({ 'a/': new Uint8Array() }), /without files/],
    ['a document', zipSync({ 'word/document.xml': strToU8('<x/>') }), /a Word document/],
    ['a binary workbook', zipSync({ 'xl/workbook.bin': strToU8('x') }), /save it as \.xlsx/],
    ['an archive', zipSync({ 'a.gz': gzipSync(csv) }), /archive in an archive/],
    ['a zip archive', zipSync({ 'a.zip': zipSync({ 'a.csv': strToU8(csv) }) }), /archive in an archive/],
    ['a truncated archive', zipSync({ 'a.csv': strToU8(csv) }).subarray(0, 60), /cut short/],
  ])('a zip archive with %s is rejected', async (_what, content, reason) => {
    await expect(detect(content, 'a.zip')).rejects.toThrow(reason);
  });
});
