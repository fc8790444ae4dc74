import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { scanPath, scanText, temporaryFolder } from '../../../features/upload/support/files.ts';

describe('a file that isn’t CSV', () => {
  it.each([
    ['is empty', '', /it is empty/],
    ['contains only blanks', ' \n\n', /only whitespace/],
    ['has only empty cells', '""\n""\n', /its first rows are all empty/],
    ['is an HDF5 file', Buffer.from('\x89HDF\r\n\x1a\n', 'latin1'), /HDF5 file \(export/],
    ['is a PDF', '%PDF-1.7\n%âãÏÓ', /PDF document.*\(byte 0\)/],
    [
      'is a workbook',
      Buffer.from([0x50, 0x4b, 3, 4, 20, 0, 6, 0]),
      /Excel workbook \(save the sheet as CSV first\)/,
    ],
    ['is an old workbook', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /old Excel workbook/],
    ['is an image', Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10]), /PNG image/],
    ['is packed', gzipSync('a,b\n'), /gzip archive/],
    ['is XML without a declaration', '<mudLogs version="1">\n<mudLog/></mudLogs>', /an XML file without/],
    ['is XML after a remark', '<!-- made by hand -->\n<rows><row a="1"/></rows>', /an XML file without/],
    [
      'is a web page with a table',
      '<html><body><table>\n<tr><th>Depth</th></tr><tr><td>1</td></tr></table></body></html>',
      /web page with a table.*\.xlsx/,
    ],
    ['is a table of a web page', '<table border=0>\n<tr><td>1</td></tr></table>', /web page with a table/],
    [
      'is a workbook of Excel 2003',
      '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook/>',
      /Excel 2003 XML/,
    ],
    ['is a web page', '<!DOCTYPE html><html><body>Sign in</body></html>', /web page/],
    ['is XML', '<?xml version="1.0"?><log/>', /XML file without a WITSML log/],
    ['is JSON', '[{"a":1}]', /JSON file/],
    ['is LAS', '#comment\n~Version Information\n VERS. 2.0:\n', /LAS file.*\(line 2\)/],
    ['is LAS below many remarks', `${'# note\n\n'.repeat(60)}~v\n VERS. 2.0:\n`, /LAS file.*\(line 121\)/],
    ['has NUL bytes', 'a,b\n1,\0\0\n', /NUL bytes.*\(line 2, byte 6\)/],
    [
      'has control characters',
      Buffer.from(Array.from({ length: 300 }, (_, n) => (n % 8) + 1)),
      /control characters/,
    ],
    ['is UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), /UTF-32/],
  ])('and %s is rejected with the reason and the next step', async (_what, content, reason) => {
    const refused = scanText(content);
    await expect(refused).rejects.toThrow(reason);
    await expect(refused).rejects.toMatchObject({ code: 'file_unsuitable', details: { file: 'file.csv' } });
  });

  it('but has NUL bytes only in later rows, as after a crash, is read: those rows are reported', async () => {
    const scan = await scanText(`a,b\n${'1,2\n'.repeat(40_000)}\0\0\0\0\n3,4\n`);
    expect(scan.rows).toBe(40_002);
    expect(scan.findings.nul_bytes).toEqual({ count: 1, line: 40_002 });
  });

  it('is rejected when it doesn’t exist, or is a folder', async () => {
    const folder = await temporaryFolder();
    expect(() => scanPath(`${folder}/none.csv`)).toThrow(/none.csv.*it doesn’t exist/);
    expect(() => scanPath(folder)).toThrow(/it is a folder/);
  });
});
