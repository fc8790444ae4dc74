import { read as readReference, utils } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { nullTokens } from '../../../../src/shared/upload/null-tokens.ts';
import {
  exportOptions,
  nullValueStyles,
  type ExportFormat,
  type NullValues,
} from '../../../../src/shared/export/export.ts';
import { useFolders } from '../../../support/folders.ts';
import { writePages } from '../../features/export/support/written.ts';

const folder = useFolders();

const values = [...nullTokens.map(String), '-999.2500', '-9.9925e2', '-998', '-99', '-9', '999.25', '0'];
const records = values.map(
  (value, at) =>
    `{"_id":"${at}","asset_id":5001,"measured_depth":${at + 1},"data":{"gr":${value},"list":[-999.25]}}`,
);
const isNull = (value: string) => nullTokens.includes(Number(value));

async function write(format: ExportFormat, nullValues: NullValues): Promise<Buffer> {
  const { bytes } = await writePages(await folder(), [`[${records.join(',')}]`], { format, nullValues });
  return bytes;
}
const gr = (header: string, rows: readonly string[], separator: string | RegExp): string[] => {
  const at = header.split(separator).indexOf('data.gr');
  return rows.map((row) => row.split(separator)[at] ?? '');
};

describe.each(nullValueStyles)('null values such as -999.25, with the option %s', (nullValues) => {
  const expected = values.map((value) => (nullValues === 'blank' && isNull(value) ? '' : value));

  it('are written so in CSV, except inside lists', async () => {
    const [header = '', ...rows] = (await write('csv', nullValues)).toString().trimEnd().split('\r\n');
    expect(gr(header, rows, ',')).toEqual(expected);
    expect(rows.every((row) => row.includes('[-999.25]'))).toBe(true);
  });

  it('are written so in a workbook, which says so', async () => {
    const book = readReference(await write('xlsx', nullValues));
    const [name = ''] = book.SheetNames;
    const rows = utils.sheet_to_json<Record<string, unknown>>(book.Sheets[name] ?? {});
    expect(rows.map((row) => row['data.gr'])).toEqual(
      expected.map((value) => (value === '' ? undefined : Number(value))),
    );
    const about = utils.sheet_to_json<string[]>(book.Sheets['About'] ?? {}, { header: 1 });
    const described = about.find(([head]) => head?.startsWith('Null values'));
    expect(described?.[1]).toBe(nullValues === 'blank' ? 'blank' : 'as stored');
  });

  it('are the null value of a LAS file, or stay as they are', async () => {
    const text = (await write('las', nullValues)).toString();
    const rows = text.split('~ASCII\r\n')[1]?.trimEnd().split('\r\n') ?? [];
    expect(rows.map((row) => row.trim().split(/\s+/)[1])).toEqual(
      expected.map((value) => (value === '' ? '-999.25' : value)),
    );
  });

  it.each(['ndjson', 'json'] as const)('stay as they are in %s', async (format) => {
    const text = (await write(format, nullValues)).toString();
    for (const value of values) expect(text).toContain(`"gr":${value},`);
  });
});

it('are blank by default', () => {
  expect(exportOptions.parse({}).nullValues).toBe('blank');
});
