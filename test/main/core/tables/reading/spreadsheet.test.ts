import { describe, expect, it } from 'vitest';
import { mapping } from '../../../../../src/shared/upload/upload.ts';
import { decideAll, requireRules } from '../../../../../src/main/core/mapping/decisions.ts';
import { createRecordWriter } from '../../../../../src/main/core/mapping/record-writer.ts';
import { scanWarnings } from '../../../../../src/main/core/tables/reading/warnings.ts';
import { RowReader } from '../../../../../src/main/core/tables/reading/rows.ts';
import { openSource } from '../../../../../src/main/core/tables/reading/source.ts';
import { fileWith, scanPath, scanText } from '../../../features/upload/support/files.ts';

const found = async (lines: readonly string[]) =>
  scanWarnings(await scanText(lines.join('\n'))).map(({ code, line }) => [code, line]);

/** The records that a mapping makes of a file. */
async function records(lines: readonly string[], given: unknown): Promise<unknown[]> {
  const path = await fileWith(lines.join('\n'));
  const scan = scanPath(path);
  const { rules } = requireRules(
    decideAll(scan, mapping.parse(given), { address: { provider: 'p', dataset: 'd' }, type: 'time' }),
  );
  const source = openSource(path, 'file.csv');
  const { layout } = scan;
  const rows = new RowReader(source, layout, { byte: layout.dataStart, line: layout.dataLine });
  const write = createRecordWriter(rules, layout.columns.length);
  const all: unknown[] = [];
  for (let row = rows.next(); row; row = rows.next()) {
    const written = write([row]);
    all.push('record' in written ? JSON.parse(written.record) : written.problems[0]?.code);
  }
  source.close();
  return all;
}

describe('spreadsheet damage', () => {
  it('is detected in shortened numbers', async () => {
    expect(await found(['API,n', '33053012340000,1', '3.3101E+13,2'])).toContainEqual(['excel_damage', 3]);
  });

  it('is distinguished from lost characters', async () => {
    expect(await found(['name,n', 'Skj\uFFFDld,1', 'Skjold,2'])).toEqual([['lost_characters', 2]]);
  });

  it('is detected in codes without leading zeros, by other codes or by the digits of an API number', async () => {
    expect(await found(['code,n', '01071,1', '20003,2', '1072,3'])).toContainEqual(['lost_zeros', 4]);
    expect(await found(['API_Number,n', '33053012340000,1', '5045012340000,2'])).toContainEqual([
      'lost_zeros',
      3,
    ]);
  });

  it('is detected by the longest of API numbers that lack a zero', async () => {
    const text = 'API14,Oil\n21209660000,10\n5123192600000,11\n5123447470000,12\n5123447480000,12';
    const lost = scanWarnings(await scanText(text)).find(({ code }) => code === 'lost_zeros');
    expect(lost).toMatchObject({ digits: 14, count: 4 });
  });

  it.each(['APINumber', 'APINo', 'APINUMBER', 'API_WELLNO', 'UWINbr'])(
    'is detected in %s, which names API numbers',
    async (name) => {
      expect(await found([`${name},n`, '504501234,1', '3305301234,2'])).toContainEqual(['lost_zeros', 2]);
    },
  );

  it.each([
    ['codes that all have their zeros', ['code,n', '00,1', '07,2', '45,3']],
    ['whole numbers of any length', ['count,n', '1,1', '22,2', '333,3']],
    ['whole API numbers', ['API,n', '33053012340000,1', '42501012340000,2']],
    ['whole API numbers of two lengths', ['API,n', '330530123400,1', '42501012340000,2']],
    ['numbers of capitals', ['CAPITALNUMBER,n', '504501234,1', '3305301234,2']],
  ])('is not detected in %s', async (_what, lines) => {
    expect((await found(lines)).map(([code]) => code)).not.toContain('lost_zeros');
  });

  it('is detected in dates stored as day counts, in columns named like times', async () => {
    expect(await found(['Date,n', '44927.5,1', '44928,2'])).toContainEqual(['serial_dates', 2]);
    expect((await found(['rpm,n', '44927.5,1'])).map(([code]) => code)).not.toContain('serial_dates');
    expect((await found(['time,n', '1.5,1', '2,2'])).map(([code]) => code)).not.toContain('serial_dates');
  });
});

describe('a mapping can correct', () => {
  const constants = { asset_id: 1, version: 1 };

  it('day counts, and requires the epoch rather than guess it', async () => {
    const lines = ['Date,n', '43831.25,1'];
    await expect(records(lines, { columns: { Date: { to: 'timestamp' } }, constants })).rejects.toThrow(
      /excel_1900.*excel_1904/,
    );
    const as = (format: string) =>
      records(lines, { columns: { Date: { to: 'timestamp', format } }, constants });
    expect(await as('excel_1900')).toMatchObject([{ timestamp: Date.UTC(2020, 0, 1, 6) }]);
    expect(await as('excel_1904')).toMatchObject([{ timestamp: Date.UTC(2024, 0, 2, 6) }]);
  });

  it('lost zeros, but not missing digits', async () => {
    const lines = ['timestamp,code', '1700000000000,1072', '1700000000001,01071', '1700000000002,3.3101E+13'];
    const columns = { code: { to: 'data.code', type: 'string', digits: 5 } };
    expect(await records(lines, { columns, constants })).toMatchObject([
      { data: { code: '01072' } },
      { data: { code: '01071' } },
      'excel_damage',
    ]);
    await expect(
      records(lines, { columns: { code: { to: 'data.code', digits: 5 } }, constants }),
    ).rejects.toThrow(/digits/);
  });
});
