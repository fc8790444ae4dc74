import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { read as readReference, utils } from '@e965/xlsx';
import { describe, expect, it } from 'vitest';
import { plainName } from '../../../../src/shared/channels/plain-names.ts';
import { csvLayout } from '../../../../src/shared/csv.ts';
import { WorkbookWriter } from '../../../../src/main/core/write/xlsx-file.ts';
import type { WriterSpec } from '../../../../src/main/core/write/spec.ts';
import { realDisk, GrowingFile } from '../../../../src/main/core/files/growing-file.ts';
import { openSource } from '../../../../src/main/core/tables/reading/source.ts';
import { xlsx } from '../../../../src/main/core/tables/sources/xlsx.ts';
import { useFolders } from '../../../support/folders.ts';
import { cellsOf, readContent } from '../../features/upload/support/sources.ts';
import { plainSpec } from '../../features/export/support/spec.ts';
import { writePages } from '../../features/export/support/written.ts';

const folder = useFolders();

type Row = Record<string, unknown>;

/** Writes records as a workbook, and reads it with an independent library. */
async function written(pages: string[], given: Partial<WriterSpec> = {}) {
  const { bytes, finished } = await writePages(await folder(), pages, { format: 'xlsx', ...given });
  const book = readReference(bytes, { cellDates: true, cellNF: true, cellStyles: true, UTC: true });
  const [name = ''] = book.SheetNames;
  const sheet = book.Sheets[name] ?? {};
  const rows = utils.sheet_to_json<Row[]>(sheet, { header: 1, raw: true, defval: null, UTC: true });
  const about = utils.sheet_to_json<string[]>(book.Sheets['About'] ?? {}, { header: 1 });
  return { book, sheet, rows, bytes, finished, about };
}

const described = (timeZone: string, columns: WriterSpec['about']['columns'] = {}) => ({
  about: { ...plainSpec.about, timeZone, columns },
});

describe('a workbook', () => {
  it('has typed values, below names and units', async () => {
    const { rows, sheet, book } = await written(
      [
        '[{"_id":"a","timestamp":1700000000000,"data":{"rop":12.50,"on":true,"note":"ø & <b>","list":[1]}}]',
        '[{"_id":"b","timestamp":1700000000123,"data":{"rop":-1e-3,"on":false,"none":null}}]',
      ],
      described('America/Chicago', { 'data.rop': { unit: 'ft/h' } }),
    );
    expect(book.SheetNames).toEqual(['wits', 'About']);
    expect(rows.slice(0, 2)).toEqual([
      ['_id', 'timestamp', 'data.rop', 'data.on', 'data.note', 'data.list', 'data.none'],
      [null, 'America/Chicago', 'ft/h', null, null, null, null],
    ]);
    // The dates of the sheet are local times of Chicago, six hours behind UTC.
    expect(rows.slice(2)).toEqual([
      ['a', new Date('2023-11-14T16:13:20Z'), 12.5, true, 'ø & <b>', '[1]', null],
      ['b', new Date('2023-11-14T16:13:20.123Z'), -0.001, false, null, null, null],
    ]);
    expect([sheet['B3'], sheet['B4']].map((cell) => (cell as { z?: string }).z)).toEqual([
      'yyyy\\-mm\\-dd\\ hh:mm:ss',
      'yyyy\\-mm\\-dd\\ hh:mm:ss.000',
    ]);
    expect(sheet['!cols']?.[1]?.width).toBe(23);
  });

  it('has on request what engineers call its columns in a row above the names, and is read by the names', async () => {
    const rowOf = (at: number) =>
      `{"_id":"${at}","timestamp":${1.7e12 + at},"data":{"weight_on_bit":${at}.5,"rop":${at}}}`;
    const { rows, bytes } = await written([`[${[1, 2, 3].map(rowOf).join()}]`], {
      ...described('UTC', { 'data.rop': { unit: 'ft/h' } }),
      layout: csvLayout.parse({ names: { 'data.rop': 'Drilling speed' } }),
    });
    expect(rows.slice(0, 3)).toEqual([
      [...['_id', 'timestamp', 'data.weight_on_bit'].map(plainName), 'Drilling speed'],
      ['_id', 'timestamp', 'data.weight_on_bit', 'data.rop'],
      [null, 'UTC', null, 'ft/h'],
    ]);
    const source = await readContent(xlsx, bytes, 'names.xlsx');
    expect(source.tables[0]?.columns.map(({ name }) => name)).toEqual(rows[1]);
    expect(cellsOf(source)).toHaveLength(3);
  });

  it('has calculated columns as numbers with their units', async () => {
    const { rows } = await written(['[{"_id":"a","data":{"rop":12.5}},{"_id":"b","data":{"rop":null}}]'], {
      ...described('UTC', { 'data.rop': { unit: 'ft/h' }, double: { unit: 'ft/h' } }),
      calculation: {
        columns: [{ name: 'double', expression: 'rop * 2' }],
        fields: [{ id: 'data.rop', values: 'number', unit: 'ft/h' }],
        index: null,
        order: 'none',
        series: [],
      },
    });
    expect(rows).toEqual([
      ['_id', 'double', 'data.rop'],
      [null, 'ft/h', 'ft/h'],
      ['a', 25, 12.5],
      ['b', null, null],
    ]);
  });

  it('has up to 16,384 columns; with one more nothing is written, and the message names both numbers', async () => {
    const record = (columns: number): string =>
      `[${JSON.stringify(Object.fromEntries(Array.from({ length: columns }, (_, at) => [`c${at}`, at])))}]`;
    const { rows } = await written([record(16_384), record(2)]);
    expect(rows[0]).toHaveLength(16_384);
    expect(rows[1]?.at(-1)).toBe(16_383);
    const home = await folder();
    await expect(
      writePages(home, [record(16_384), '[{"other":1}]'], { format: 'xlsx' }),
    ).rejects.toMatchObject({
      code: 'file_unwritable',
      message: expect.stringMatching(/16,385 columns.*16,384.*CSV or Parquet/),
    });
    const files = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /xlsx/.test(name),
    );
    expect(files.map((name) => statSync(join(home, name)).size).filter((size) => size > 0)).toEqual([]);
  });

  it('has long integers as text, with all digits', async () => {
    const { rows } = await written([
      '[{"a":9007199254740993,"b":123456789012345,"c":-1234567890123456,"d":0.1234567890123456789,"e":1e400}]',
    ]);
    expect(rows[1]).toEqual([
      '9007199254740993',
      123_456_789_012_345,
      '-1234567890123456',
      0.123_456_789_012_345_68,
      '1e400',
    ]);
  });

  it('never has a formula, however a text begins', async () => {
    const texts = ['=1+1', '+1', '-1+1', '@SUM(A1)', '\t=1', "'=1", '=cmd|x'];
    const { sheet, rows, bytes } = await written([JSON.stringify(texts.map((a) => ({ a })))]);
    expect(rows.slice(1).flat()).toEqual(texts);
    for (const [at] of texts.entries()) expect(sheet[`A${at + 2}`]).toMatchObject({ t: 's' });
    expect(JSON.stringify(sheet)).not.toContain('"f":');
    expect(cellsOf(await readContent(xlsx, bytes, 'out.xlsx')).flat()).toEqual(texts);
  });

  it('has texts that XML can’t represent, the same in both readers', async () => {
    const texts = ['_x0041_', 'a_b', 'line\nfeed', ' blanks ', 'tab\there', '“quoted”', '😀'];
    const { rows, bytes } = await written([JSON.stringify(texts.map((a) => ({ a })))]);
    expect(rows.slice(1).flat()).toEqual(texts);
    expect(cellsOf(await readContent(xlsx, bytes, 'out.xlsx')).flat()).toEqual(texts);
    const { rows: escaped } = await written([String.raw`[{"a":"a\u0001b\rc"}]`]);
    expect(escaped[1]).toEqual(['a\u0001b\rc']);
  });

  it('truncates texts longer than an Excel cell, with a warning', async () => {
    const { rows, finished, about } = await written([JSON.stringify([{ a: 'x'.repeat(40_000) }])]);
    expect(String(rows[1]?.[0])).toHaveLength(32_767);
    expect(finished.warnings).toEqual([expect.stringContaining('32,767')]);
    expect(about).toContainEqual(['Warning', finished.warnings[0]]);
  });

  it('has the time of day of each year, and no time for a null value', async () => {
    const { rows, sheet } = await written(
      ['[{"timestamp":946728930000},{"timestamp":-999.25},{"timestamp":5}]'],
      { nullValues: 'blank' },
    );
    expect(rows[2]).toEqual([new Date('2000-01-01T12:15:30Z')]);
    expect((sheet['A3'] as { z?: string }).z).toBe('yyyy\\-mm\\-dd\\ hh:mm:ss');
    expect(sheet['A4']).toBeUndefined();
  });

  it('has times outside the date range of Excel as text', async () => {
    const { rows } = await written([
      '[{"timestamp":-3000000000000},{"timestamp":9e20},{"timestamp":"noon"}]',
    ]);
    expect(rows.slice(2).flat()).toEqual(['1874-12-07T18:40:00.000Z', 9e20, 'noon']);
  });

  it('describes its content on a separate sheet', async () => {
    const records = ['{"_id":"a","timestamp":1,"data":{"rop":1}}', '{"_id":"b","timestamp":2}'];
    const { about } = await written(
      [`[${records.join(',')}]`],
      described('UTC', { 'data.rop': { unit: 'ft/h', description: 'Rate of penetration' } }),
    );
    const digest = createHash('sha256')
      .update(`${records.join('\n')}\n`)
      .digest('hex');
    expect(Object.fromEntries(about)).toMatchObject({
      'Exported by': 'Wellbench 1.2.3',
      'Export started': '2026-11-24T08:00:00.000Z',
      Dataset: 'demo/wits',
      Request: '{"query":{},"sort":{"timestamp":1}}',
      Records: '2',
      'SHA-256 of the records as NDJSON': digest,
    });
    expect(about.at(-1)).toEqual(['data.rop', 'ft/h', 'Rate of penetration']);
  });

  it('can be read when no records matched', async () => {
    const { book, rows } = await written(['[]']);
    expect(book.SheetNames).toEqual(['wits', 'About']);
    expect(rows.flat()).toEqual([]);
  });

  it('is read by an upload with its times and units', async () => {
    const { bytes } = await written(
      ['[{"_id":"a","timestamp":1700000000123,"data":{"rop":12.5}},{"_id":"b","timestamp":1700000001000}]'],
      described('America/Argentina/Buenos_Aires', { 'data.rop': { unit: 'ft/h' } }),
    );
    const file = await readContent(xlsx, bytes, 'out.xlsx');
    expect(file.tables[0]?.columns).toMatchObject([
      { name: '_id', unit: null },
      { name: 'timestamp', unit: 'America/Argentina/Buenos_Aires', type: 'time' },
      { name: 'data.rop', unit: 'ft/h' },
    ]);
    expect(cellsOf(file)).toEqual([
      ['a', '2023-11-14T19:13:20.123', '12.5'],
      ['b', '2023-11-14T19:13:21', null],
    ]);
  });

  it('names sheets as Excel accepts them: up to 31 characters, not History, and no name twice, in any case', async () => {
    const place = await folder();
    const file = new GrowingFile({ disk: realDisk, path: `${place}/names.xlsx`, name: 'names.xlsx' }, 0);
    const workbook = new WorkbookWriter(file);
    const longest = 'x'.repeat(31);
    for (const name of ['history', 'about', 'About', longest, `${longest}y`]) {
      workbook.beginTable({ name, widths: [], header: [] });
      workbook.endTable();
    }
    workbook.finish();
    expect(workbook.sheets).toEqual(['history 2', 'about', 'About 2', longest, `${'x'.repeat(29)} 2`]);
    file.close();
  });

  it('continues a full sheet in the next one, with its header', async () => {
    const place = await folder();
    const path = `${place}/long.xlsx`;
    const file = new GrowingFile({ disk: realDisk, path, name: 'long.xlsx' }, 0);
    const workbook = new WorkbookWriter(file);
    workbook.beginTable({
      name: 'a/b: a long name of a dataset with 40',
      widths: [8],
      header: [['n'], ['ft']],
    });
    for (let n = 0; n < 1_048_575; n += 1) {
      const row = workbook.nextRow();
      workbook.add(`<row r="${row}"><c r="A${row}"><v>${n}</v></c></row>`);
    }
    workbook.endTable();
    workbook.finish();
    expect(workbook.sheets).toEqual(['a_b_ a long name of a dataset w', 'a_b_ a long name of a dataset 2']);
    using source = openSource(path, 'long.xlsx');
    const reader = await xlsx.open(source, {});
    expect(reader.tables.map(({ name, columns }) => [name, columns[0]?.name, columns[0]?.unit])).toEqual([
      ['a_b_ a long name of a dataset w', 'n', 'ft'],
      ['a_b_ a long name of a dataset 2', 'n', 'ft'],
    ]);
    reader.close?.();
    file.close();
  });
});
