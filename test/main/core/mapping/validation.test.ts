import { appendFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { createValidation } from '../../../../src/main/core/mapping/validation.ts';
import { openCsvThread, type OpenCsvThread } from '../../../../src/main/core/mapping/source-file.ts';
import type { DatasetType } from '../../../../src/shared/datasets/datasets.ts';
import { matchRequest, type previewRequest } from '../../../../src/shared/upload/preview.ts';
import { mapping as mappingSchema, type Mapping } from '../../../../src/shared/upload/upload.ts';
import { fileWith } from '../../features/upload/support/files.ts';
import { inProcessThread, readingWith } from '../../features/upload/support/uploads.ts';

type PreviewRequest = z.infer<typeof previewRequest>;

const token = 'a'.repeat(24);

/** Validation of one file, with the calls of the reading thread. */
function validating(path: string, openThread?: OpenCsvThread) {
  const calls: string[] = [];
  const validation = createValidation({
    files: { source: () => ({ place: 'path', path, name: basename(path) }) },
    connections: { services: () => expect.fail('no service is asked') },
    store: { related: async () => [], plan: async () => null },
    ...readingWith(openThread ?? (() => inProcessThread(undefined, (name) => calls.push(name)))),
  });
  const match = (type: DatasetType | null, mapping: Partial<Mapping> | null = null) =>
    validation.match(
      matchRequest.parse({
        source: token,
        provider: 'p',
        dataset: 'd',
        type,
        mapping: mapping && mappingSchema.parse({ rest: 'data', ...mapping }),
      }),
      {},
    );
  const read = { source: token };
  return {
    calls,
    match,
    preview: (more: Partial<PreviewRequest> = {}) => validation.preview({ ...read, ...more }, {}),
    inspect: (nulls: string[] = []) => validation.inspect({ ...read, nulls }, {}),
  };
}

const rig = [
  'Time,asset_id,ROP(ft/h)',
  's,unitless,ft/h',
  '2026-01-02T03:04:05Z,5001,12.5',
  '2026-01-02T03:04:06Z,5001,x',
  ...Array.from({ length: 8 }, (_, row) => `2026-01-02T03:04:1${row}Z,5001,${row}`),
];

describe('a preview', () => {
  it('shows the first rows unchanged, with their lines, units, and damage', async () => {
    const path = await fileWith('well,rop\n,ft/h\nA-1, 1.50 \n"A ""2""",\n"A-3",2\n');
    const { columns, rows, headerRow, unitRow, delimiter } = await validating(path, openCsvThread).preview();
    expect({ headerRow, unitRow, delimiter }).toEqual({ headerRow: 1, unitRow: 2, delimiter: ',' });
    expect(columns).toEqual([
      { key: 'well', unit: null },
      { key: 'rop', unit: 'ft/h' },
    ]);
    expect(rows.map(({ line, cells }) => [line, ...cells])).toEqual([
      [3, 'A-1', ' 1.50 '],
      [4, 'A "2"', ''],
      [5, 'A-3', '2'],
    ]);
  });

  it('ends after 50 rows, and does not read the whole file', async () => {
    const path = await fileWith(`n\n${Array.from({ length: 5000 }, (_, n) => `${n}\n`).join('')}`);
    const validation = validating(path);
    expect((await validation.preview()).rows.map(({ cells }) => cells[0])).toEqual(
      Array.from({ length: 50 }, (_, n) => String(n)),
    );
    expect(validation.calls).toEqual(['detect', 'preview']);
  });

  it.each([
    ['a.ndjson', Buffer.from('{"a":1}\n{"a":2}\n')],
    ['a.ndjson.gz', gzipSync('{"a":1}\n{"a":2}\n')],
  ])('rejects the name of a table that %s doesn’t have', async (name, content) => {
    const validation = validating(await fileWith(content, name));
    await expect(validation.preview({ table: 'Sheet1' })).rejects.toThrow(/no table “Sheet1”/);
  });

  it('rejects anything but a table, with the type of the file', async () => {
    const path = await fileWith(new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), 'book.xlsx');
    await expect(validating(path).preview()).rejects.toThrow(
      /zip archive without its end, perhaps cut short/,
    );
  });
});

describe('the raw lines of a preview', () => {
  const shown = async (content: string | Uint8Array, more: Partial<PreviewRequest> = {}) => {
    const { lines } = await validating(await fileWith(content), openCsvThread).preview(more);
    return lines.map(({ line, kind, text }) => [line, kind, text]);
  };

  it('are the lines of the file, each with its role', async () => {
    const rows = '1.5, A\t1 \n\n# a note\n"2","A\n# 2"\n3,x\n';
    expect(await shown(`Rig report\n\nrop,well\nft/h,\n${rows}`)).toEqual([
      [1, 'left_out', 'Rig report'],
      [2, 'blank', ''],
      [3, 'header', 'rop,well'],
      [4, 'units', 'ft/h,'],
      [5, 'row', '1.5, A\t1 '],
      [6, 'blank', ''],
      [7, 'comment', '# a note'],
      [8, 'row', '"2","A'],
      [9, 'row', '# 2"'],
      [10, 'row', '3,x'],
    ]);
  });

  it('show the user’s header, units, and footer rows', async () => {
    const file = 'a,b\nm,m\n1,2\nc,d\n3,4\ntotal,\n';
    expect(await shown(file, { headerRow: 1, unitRow: 4, footerRows: 1 })).toEqual([
      [1, 'header', 'a,b'],
      [2, 'left_out', 'm,m'],
      [3, 'left_out', '1,2'],
      [4, 'units', 'c,d'],
      [5, 'row', '3,4'],
      [6, 'foot', 'total,'],
    ]);
    expect((await shown('a,b\n1,2\n3,"4\n5"')).map(([, kind]) => kind)).toEqual([
      'header',
      'row',
      'row',
      'row',
    ]);
    const { rows } = await validating(await fileWith(file)).preview({
      headerRow: 1,
      unitRow: 0,
      footerRows: 1,
    });
    expect(rows.map(({ line }) => line)).toEqual([2, 3, 4, 5]);
    expect((await shown(file, { headerRow: 0, footerRows: 0 })).map(([, kind]) => kind)).toEqual(
      Array(6).fill('row'),
    );
  });

  it('are decoded in the selected encoding, and keep their line endings', async () => {
    const wide = Buffer.from('\ufeffä;b\r\n1;2\r3;4\n', 'utf16le');
    const { lines } = await validating(await fileWith(wide)).preview();
    expect(lines.map(({ text, ending }) => [text, ending])).toEqual([
      ['ä;b', 'CRLF'],
      ['1;2', 'CR'],
      ['3;4', 'LF'],
    ]);
    expect(await shown(Buffer.from('Bohrung;Höhe\n1;2\n', 'latin1'), { encoding: 'ISO-8859-1' })).toEqual([
      [1, 'header', 'Bohrung;Höhe'],
      [2, 'row', '1;2'],
    ]);
  });

  it('of a long file end with the rows that are shown, and long lines are cut', async () => {
    const long = 'x'.repeat(3000);
    const path = await fileWith(`n,t\n${Array.from({ length: 80 }, (_, n) => `${n},${long}\n`).join('')}`);
    const { lines, rows } = await validating(path).preview();
    expect([rows.length, lines.length, lines.at(-1)?.line]).toEqual([50, 51, 51]);
    expect(lines[1]).toMatchObject({ cut: true });
    expect(lines[1]?.text).toHaveLength(2000);
    const near = await validating(path).preview({ from: 70 });
    expect([near.lines[0]?.line, near.rows[0]?.line]).toEqual([70, 70]);
  });
});

describe('an inspection', () => {
  it('applies the null values that the user sets', async () => {
    const path = await fileWith(`a,b\n1,2\nstuck,3\n${'5,6\n'.repeat(40)}`);
    const { inspect } = validating(path);
    const before = await inspect();
    expect(before.columns[0]).toMatchObject({ type: 'integer' });
    expect(before.warnings).toMatchObject([{ code: 'type_exceptions', column: 'a', cell: 'stuck' }]);
    const after = await inspect(['stuck', '5']);
    expect(after.columns[0]).toMatchObject({ type: 'integer', nulls: 41 });
  });
});

describe('a match', () => {
  it('lists where each column goes, how it is parsed, and the results of its first cells', async () => {
    const path = await fileWith(rig.join('\n'));
    const { columns, ready, issues } = await validating(path).match('time', {
      columns: { Time: { to: 'timestamp' }, 'ROP(ft/h)': { to: 'data.rop', type: 'number' } },
    });
    expect({ ready, issues }).toEqual({ ready: true, issues: [] });
    expect(columns.map(({ to, reading }) => [to, reading?.as])).toEqual([
      ['timestamp', 'time'],
      ['asset_id', 'integer'],
      ['data.rop', 'number'],
    ]);
    expect(columns[0]?.reading).toMatchObject({ as: 'time', format: 'iso', zone: 'UTC' });
    expect(columns[0]?.examples).toHaveLength(5);
    expect(columns[0]?.examples[0]).toEqual({
      line: 3,
      cell: '2026-01-02T03:04:05Z',
      value: String(Date.UTC(2026, 0, 2, 3, 4, 5)),
      problem: null,
      time: { ms: Date.UTC(2026, 0, 2, 3, 4, 5), offset: 0, repeated: null },
    });
    expect(columns[2]?.examples[1]).toEqual({
      line: 4,
      cell: 'x',
      value: null,
      problem: '“x” is not a number.',
      time: null,
    });
  });

  it('shows times that daylight saving skips or repeats, even far into the file', async () => {
    const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'));
    const rows = hours.map((hour) => `2021-11-07 ${hour}:30,1`);
    const path = await fileWith(['When,asset_id', ...rows, '2021-03-14 02:30,1'].join('\n'));
    const { columns } = await validating(path).match('time', {
      columns: { When: { to: 'timestamp', zone: 'America/Chicago' } },
    });
    const [first, second, , , last] = columns[0]?.examples ?? [];
    expect(first?.time).toEqual({ ms: Date.UTC(2021, 10, 7, 5, 30), offset: -300, repeated: null });
    expect(second).toMatchObject({ cell: '2021-11-07 01:30', time: { repeated: 'first', offset: -300 } });
    expect(last).toMatchObject({
      line: 26,
      problem: expect.stringContaining('exist in its time zone'),
      time: null,
    });
  });

  it('does not start while two columns go to one field, even if the mapping sends both there', async () => {
    const path = await fileWith('asset_id,timestamp,a,b\n7,1700000000000,1,2\n8,1700000000001,2,\n');
    const { match } = validating(path);
    const { columns, ready } = await match('time', { columns: { a: { to: 'data.x' }, b: { to: 'data.x' } } });
    const problem = 'Columns “a” and “b” go to one field, data.x. Map one of them elsewhere, or skip it.';
    expect(columns.map((column) => [column.problem, column.problemOf])).toEqual([
      [null, null],
      [null, null],
      [problem, 'to'],
      [problem, 'to'],
    ]);
    expect(ready).toBe(false);
    expect((await match('time', { columns: { a: { to: 'data.x' }, b: { to: 'data.y' } } })).ready).toBe(true);
  });

  it('reports names that differ only by case', async () => {
    const path = await fileWith('asset_id,timestamp,ROP,rop,Rop\n7,1700000000000,1,2,3\n');
    const { warnings } = await validating(path).inspect();
    expect(warnings.filter(({ code }) => code === 'names_differ_by_case')).toMatchObject([
      { column: 'rop', line: 1, message: expect.stringContaining('“ROP” and “rop”') },
      { column: 'Rop', line: 1, message: expect.stringContaining('“ROP” and “Rop”') },
    ]);
    expect((await validating(path).match('time')).warnings.map(({ code }) => code)).toContain(
      'names_differ_by_case',
    );
  });

  it('reads times that occur twice by the order of rows, and reads the file for them once', async () => {
    const hours = ['00:30', '01:00', '01:30', '01:00', '01:30', '02:00'];
    const path = await fileWith(['When,n', ...hours.map((hour) => `2021-11-07 ${hour},1`)].join('\n'));
    const validation = validating(path);
    const mapped = (more: object = {}) =>
      validation.match('time', { columns: { When: { to: 'timestamp', zone: 'America/Chicago', ...more } } });
    const { columns, warnings } = await mapped();
    expect(columns[0]?.repeatedTimes).toEqual({ first: 2, second: 2, undecided: 0 });
    expect(columns[0]?.examples.map(({ time }) => time?.repeated)).toEqual([
      null,
      'first',
      'first',
      'second',
      'second',
    ]);
    expect(warnings).toEqual([]);
    expect((await mapped({ repeatedTimes: 'second' })).columns[0]?.examples[1]?.time).toMatchObject({
      repeated: 'second',
      ms: Date.UTC(2021, 10, 7, 7),
    });
    expect(validation.calls.filter((name) => name === 'scanRepeatedTimes')).toHaveLength(1);
  });

  it('offers the formats that fit ambiguous dates, and names the setting that is wrong', async () => {
    const path = await fileWith('When\n03/03/2026 10:00\n03/04/2026 10:00\n');
    const validation = validating(path);
    const ambiguous = await validation.match('time', { columns: { When: { to: 'timestamp' } } });
    expect(ambiguous.columns[0]).toMatchObject({
      problemOf: 'format',
      choices: [
        { format: 'dd/MM/yyyy HH:mm', cell: '03/04/2026 10:00', local: Date.UTC(2026, 3, 3, 10) },
        { format: 'MM/dd/yyyy HH:mm', cell: '03/04/2026 10:00', local: Date.UTC(2026, 2, 4, 10) },
      ],
    });
    const wrong = await validation.match('time', {
      columns: { When: { to: 'timestamp', format: 'dd/MM/yyyy HH:mm', zone: 'Mars' } },
    });
    expect(wrong.columns[0]).toMatchObject({ problemOf: 'zone', problem: expect.stringContaining('Mars') });
    const invalid = await validation.match('time', { columns: { When: { to: 'invalid.at.all' } } });
    expect(invalid.columns[0]?.problemOf).toBe('to');
  });

  it('lists the fields of the dataset’s type: filled, assumed, or missing with candidate columns', async () => {
    const { fields, ready } = await validating(await fileWith(rig.join('\n'))).match('time');
    expect(ready).toBe(false);
    expect(
      fields.map(({ path, required, columns, assumed, likely }) => ({
        path,
        required,
        columns,
        assumed,
        likely,
      })),
    ).toEqual([
      { path: 'version', required: true, columns: [], assumed: '1', likely: [] },
      { path: 'asset_id', required: true, columns: ['asset_id'], assumed: null, likely: [] },
      { path: 'timestamp', required: true, columns: [], assumed: null, likely: ['Time'] },
    ]);
  });

  it.each([
    ['measured depth', 'DEPT'],
    ['vertical depth', null],
  ])('has the index of a log as a certain depth if it is one: %s', async (indexType, certain) => {
    const curves = ['DEPT', 'GR'].map((name) => `<logCurveInfo><mnemonic>${name}</mnemonic></logCurveInfo>`);
    const log = `<log><indexType>${indexType}</indexType>${curves.join('')}<logData><mnemonicList>DEPT,GR</mnemonicList><data>1.5,2</data><data>2.5,3</data></logData></log>`;
    const text = `<?xml version="1.0"?>\n<logs xmlns="http://www.witsml.org/schemas/1series">${log}</logs>`;
    const { fields } = await validating(await fileWith(text, 'log.xml')).match('depth');
    const likely = certain === null ? [] : [certain];
    expect(fields.find(({ path }) => path === 'measured_depth')).toMatchObject({ certain, likely });
  });

  it('is ready exactly when an upload could start; a constant fills a field as well', async () => {
    const validation = validating(await fileWith('DEPT;GR\n1,5;20\n2,5;30\n'));
    const missing = await validation.match('depth');
    expect(
      missing.fields.filter(({ columns, assumed }) => columns.length === 0 && assumed === null),
    ).toMatchObject([
      { path: 'asset_id' },
      { path: 'measured_depth', likely: ['DEPT'] },
      { path: 'log_identifier' },
    ]);
    const full = await validation.match('depth', {
      columns: { DEPT: { to: 'measured_depth' } },
      constants: { asset_id: 5001, log_identifier: 'run 1' },
    });
    expect(full.ready).toBe(true);
    expect(full.spans).toEqual([{ path: 'measured_depth', from: '1.5', to: '2.5' }]);
    expect(full.columns[0]?.examples[0]?.value).toBe('1.5');
  });

  it('lists problems of a column at the column, and other problems separately', async () => {
    const { columns, issues, ready } = await validating(await fileWith('a,b,t\n1,2,01.02.2026\n')).match(
      'reference',
      {
        columns: { a: { to: 'nowhere' }, b: { to: 'data.x' }, t: { to: 'data.x.y' } },
        constants: { version: 'one' },
      },
    );
    expect(ready).toBe(false);
    expect(columns.map(({ problem }) => problem !== null)).toEqual([true, false, false]);
    expect(columns[0]?.problem).toContain(
      "“nowhere” isn't a record field; use asset_id, company_id, version, timestamp, measured_depth, log_identifier, stage_number, datetime, metadata.<name> or data.<name>",
    );
    expect(issues.map(({ message }) => message)).toEqual([
      expect.stringContaining("“data.x” can't be a value"),
    ]);
    const dates = await validating(await fileWith('t\n01.02.2026\n')).match('time', {
      columns: { t: { to: 'timestamp' } },
      constants: { asset_id: 1 },
    });
    expect(dates.columns[0]?.problem).toContain('is an ambiguous time');
    expect(dates).toMatchObject({ ready: false, issues: [] });
  });

  it('omits skipped columns, including envelope fields', async () => {
    const { columns, fields } = await validating(await fileWith(rig.join('\n'))).match('time', {
      skip: ['asset_id', 'ROP(ft/h)'],
    });
    expect(columns.map(({ to }) => to)).toEqual(['data.Time', null, null]);
    expect(fields.find(({ path }) => path === 'asset_id')).toMatchObject({
      columns: [],
      likely: ['asset_id'],
    });
  });

  it('reads the whole file once, and again when it or its null values change', async () => {
    const path = await fileWith('v\n1\n-999\n');
    const validation = validating(path);
    await validation.inspect();
    await validation.match('reference');
    await validation.match('reference', { constants: { version: 2 } });
    await validation.match('reference', { columns: { v: { to: 'asset_id' } } });
    expect(validation.calls.filter((call) => call === 'scan')).toHaveLength(1);
    const { columns } = await validation.match('reference', { nulls: ['-999'] });
    expect(columns[0]?.examples.map(({ value }) => value)).toEqual(['1', null]);
    expect(validation.calls.filter((call) => call === 'scan')).toHaveLength(2);
    await appendFile(path, '5\n');
    expect((await validation.inspect()).rows).toBe(3);
    await writeFile(path, new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]));
    await expect(validation.inspect()).rejects.toThrow(/zip archive/);
  });
});
