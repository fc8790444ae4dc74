import { describe, expect, it } from 'vitest';
import type { WriterSpec } from '../../../../src/main/core/write/spec.ts';
import { las } from '../../../../src/main/core/tables/sources/las.ts';
import { useFolders } from '../../../support/folders.ts';
import { cellsOf, readContent } from '../../features/upload/support/sources.ts';
import { plainSpec } from '../../features/export/support/spec.ts';
import { writePages } from '../../features/export/support/written.ts';

const folder = useFolders();

const about = {
  ...plainSpec.about,
  dataset: 'demo/logs',
  well: { name: 'North Ridge 7H', api: '42-329-12345', field: 'Spraberry: Trend' },
  columns: {
    measured_depth: { unit: 'ft' },
    'data.gr': { unit: 'gAPI', description: 'Gamma ray' },
    'data.rop': { unit: 'ft / h' },
  },
};

const record = (depth: number | string | null, data: string, log = 'main'): string =>
  `{"_id":"${depth}","asset_id":5001,"log_identifier":"${log}","measured_depth":${JSON.stringify(depth)},"data":${data}}`;

async function written(records: string[], given: Partial<WriterSpec> = {}) {
  const { bytes, finished } = await writePages(await folder(), [`[${records.join(',')}]`], {
    format: 'las',
    about,
    ...given,
  });
  return { finished, text: bytes.toString(), read: await readContent(las, bytes, 'out.las') };
}

describe('a LAS file', () => {
  it('is read back with its depths, values, units, and well', async () => {
    const { read, finished, text } = await written([
      record(100, '{"gr":45.20,"rop":1e2,"note":"a"}'),
      record(100.5, '{"gr":null,"rop":88}'),
      record(101, '{"gr":-1.5}'),
    ]);
    expect(read.tables[0]?.columns).toMatchObject([
      { name: 'DEPT', unit: 'ft' },
      { name: 'GR', unit: 'gAPI' },
      { name: 'ROP', unit: 'ft/h' },
    ]);
    expect(text).toMatch(/^ *GR *\.gAPI .*: Gamma ray$/m);
    expect(text).toMatch(/^ *ROP *\.ft\/h .*: data\.rop$/m);
    expect(cellsOf(read)).toEqual([
      ['100', '45.20', '1e2'],
      ['100.5', null, '88'],
      ['101', '-1.5', null],
    ]);
    const header = Object.fromEntries(read.header.map(({ name, value }) => [name, value]));
    expect(header).toMatchObject({
      STRT: '100',
      STOP: '101',
      STEP: '0.5',
      NULL: '-999.25',
      WELL: 'North Ridge 7H',
      API: '42-329-12345',
      FLD: 'Spraberry Trend',
    });
    expect(finished.warnings).toEqual([expect.stringContaining('data.note')]);
    expect(read.warnings).toEqual([]);
  });

  it('has calculated columns as curves with their units, also of rows before', async () => {
    const { read } = await written([record(100, '{"rop":50}'), record(101, '{"rop":80}')], {
      calculation: {
        columns: [
          { name: 'double', expression: 'rop * 2' },
          { name: 'step', expression: 'difference(rop)' },
        ],
        fields: [
          { id: 'measured_depth', values: 'number', unit: 'ft' },
          { id: 'data.rop', values: 'number', unit: 'ft/h' },
        ],
        index: 'measured_depth',
        order: 'unknown',
        series: ['asset_id', 'log_identifier'],
      },
      about: { ...about, columns: { ...about.columns, double: { unit: 'ft/h' }, step: { unit: 'ft/h' } } },
    });
    expect(read.tables[0]?.columns.map(({ name, unit }) => [name, unit]).slice(1)).toEqual([
      ['DOUBLE', 'ft/h'],
      ['STEP', 'ft/h'],
      ['ROP', 'ft/h'],
    ]);
    expect(cellsOf(read)).toEqual([
      ['100', '100', null, '50'],
      ['101', '160', '30', '80'],
    ]);
  });

  it('says the dataset that it is from, but neither the address of the service nor the query', async () => {
    const { text } = await written([record(1, '{"a":1}')]);
    expect(text).toContain('demo/logs');
    expect(text).toContain('North Ridge 7H');
    expect(about.request).not.toBe('');
    for (const secret of [about.dataUrl, new URL(about.dataUrl).host, about.request])
      expect(text).not.toContain(secret);
  });

  it('marks its step as irregular', async () => {
    const { text, finished } = await written([
      record(1, '{"a":1}'),
      record(2, '{"a":1}'),
      record(4, '{"a":1}'),
    ]);
    expect(text).toMatch(/^STEP\.ft +0 +: STEP, IRREGULAR/m);
    expect(finished.warnings).toEqual([expect.stringContaining('STEP is 0')]);
  });

  it('skips records without a depth, and reports how many', async () => {
    const { read, finished } = await written([record(1, '{"a":1}'), record(null, '{"a":2}')]);
    expect(cellsOf(read)).toEqual([['1', '1']]);
    expect(finished.warnings).toEqual([expect.stringMatching(/without a depth .*: 1\./)]);
  });

  it('skips records whose depth is a null value, which is no start of the log', async () => {
    const records = [record(-999.25, '{"a":1}'), record(1000, '{"a":2}'), record(1000.5, '{"a":3}')];
    const { read, text, finished } = await written(records);
    expect(cellsOf(read)).toEqual([
      ['1000', '2'],
      ['1000.5', '3'],
    ]);
    expect(text).toMatch(/^STRT\.ft +1000 /m);
    expect(finished.warnings).toEqual([expect.stringMatching(/without a depth .*: 1\./)]);
  });

  it('skips records whose depth is text', async () => {
    const { read, finished } = await written([record(1, '{"a":1}'), record('2', '{"a":2}')]);
    expect(cellsOf(read)).toEqual([['1', '1']]);
    expect(finished.warnings).toEqual([expect.stringMatching(/without a depth .*: 1\./)]);
  });

  it('has the numbers of a table whose rows were records, but not their ids and versions', async () => {
    const row = (depth: number) =>
      `{"_id":"${depth}","version":1,"asset_id":5001,"measured_depth":${depth},"stage_number":7,"data_rop":${depth / 2}}`;
    const { read, finished } = await written([row(1), row(2)]);
    expect(read.tables[0]?.columns.map(({ name }) => name)).toEqual(['DEPT', 'STAGE_NUMBER', 'DATA_ROP']);
    expect(cellsOf(read)).toEqual([
      ['1', '7', '0.5'],
      ['2', '7', '1'],
    ]);
    expect(finished.warnings).toEqual([]);
  });

  it('has one log of one well', async () => {
    const records = [record(1, '{"a":1}'), record(2, '{"a":1}', 'other')];
    await expect(written(records)).rejects.toMatchObject({ code: 'invalid_input' });
  });
});
