import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import {
  cellConverter,
  columnConverter,
  unitChanges,
} from '../../../../src/renderer/features/records/unit-changes.ts';
import { unitIn, unitSystems } from '../../../../src/shared/channels/unit-systems.ts';
import { convert, isSameUnit, unitOf } from '../../../../src/shared/channels/units.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 3000, wells: 4 });
});
afterAll(() => demo.close());
const folders = useFolders();

const dataset = 'demo/uploads.depth';
/** The curves of the file, with their units and the fields that they become. */
const curves = [
  { name: 'DEPT', unit: 'M', field: 'measured_depth' },
  { name: 'MFI', unit: 'L/MIN', field: 'data.mud_flow_in' },
  { name: 'MFO', unit: 'L/MIN', field: 'data.mud_flow_out' },
  { name: 'DEN', unit: 'G/CC', field: 'data.density' },
  { name: 'ROP', unit: 'M/HR', field: 'data.rop' },
] as const;
const rows = [
  [3000, 1900, 1850, 1.25, 30],
  [3000.5, 1905.5, 1851, 1.26, 31.25],
  [3001, 1910, 1852, 1.27, 29],
];
const lasText = [
  '~V',
  ' VERS. 2.0:',
  ' WRAP. NO:',
  '~W',
  ' STRT.M 3000:',
  ' STOP.M 3001:',
  ' STEP.M 0.5:',
  ' NULL. -999.25:',
  '~C',
  ...curves.map(({ name, unit }) => ` ${name}.${unit}:`),
  '~A',
  ...rows.map((row) => row.join(' ')),
  '',
].join('\n');

const record = z.object({ measured_depth: z.number(), data: z.record(z.string(), z.number()) });
type StoredRecord = z.infer<typeof record>;
const valueAt = ({ measured_depth: depth, data }: StoredRecord, field: string): number =>
  field === 'measured_depth' ? depth : (data[field.slice('data.'.length)] ?? Number.NaN);

/** The values of a LAS file by mnemonic, and its units. */
function readLas(text: string) {
  const lines = text.split('\r\n');
  const section = (name: string) => {
    const from = lines.findIndex((line) => line.startsWith(name)) + 1;
    const length = lines.slice(from).findIndex((line) => line.startsWith('~'));
    return lines.slice(from, length < 0 ? undefined : from + length).filter((line) => line !== '');
  };
  const heads = section('~Curve').map((line) => /^(\w+)\s*\.(\S*)/.exec(line) ?? []);
  const table = section('~ASCII').map((line) => line.trim().split(/\s+/).map(Number));
  return heads.map(([, name = '', unit = ''], at) => ({
    name,
    unit,
    values: table.map((row) => row[at] ?? NaN),
  }));
}

async function setUp() {
  const [data, files] = [await folders(), await folders()];
  const run = async (...args: string[]) =>
    runInProcess([...args, '--data-dir', data, '--json'], connectionEnv(demo));
  const done = async (...args: string[]) => {
    const ended = await run(...args);
    expect(ended, ended.stderr).toMatchObject({ code: 0 });
    return ended.lines.slice(0, -1);
  };
  const upload = async (name: string, text: string, columns: Record<string, string>, log: string) => {
    const [file, mapping] = [join(files, name), join(files, `${name}.json`)];
    await writeFile(file, text);
    const targets = Object.entries(columns).map(([column, to]) => [column, { to }]);
    const constants = { asset_id: 5001, version: 1, log_identifier: log };
    await writeFile(
      mapping,
      JSON.stringify({ columns: Object.fromEntries(targets), constants, rest: 'skip' }),
    );
    await done('upload', dataset, file, '--mapping', mapping, '--settle', '0');
  };
  const stored = async (log: string): Promise<StoredRecord[]> =>
    (await done('find', dataset, '--query', JSON.stringify({ asset_id: 5001, log_identifier: log }))).map(
      (line) => record.parse(JSON.parse(line)),
    );
  return { files, run, done, upload, stored };
}

it(
  'a depth, a flow, a density, and a rate of penetration stay the same from a file to an upload of its export',
  { timeout: 180_000 },
  async () => {
    const { files, done, upload, stored } = await setUp();
    await upload('a.las', lasText, Object.fromEntries(curves.map(({ name, field }) => [name, field])), 'a');
    const records = await stored('a');
    expect(records.map((each) => curves.map(({ field }) => valueAt(each, field)))).toEqual(rows);

    // The units of the file are those of the new fields.
    const fields = (await done('dataset', dataset, '--fields', '--format', 'ndjson')).map(
      (line) => JSON.parse(line) as { path: string; unit?: string },
    );
    const units = curves.map(
      ({ field }) => [field, fields.find(({ path }) => path === field)?.unit] as const,
    );
    for (const [at, { unit }] of curves.entries()) expect(isSameUnit(units[at]?.[1] ?? '', unit)).toBe(true);

    const sql = join(files, 'a.parquet');
    await done('export', dataset, '--query', '{ log_identifier: "a", asset_id: 5001 }', '--out', sql);
    const [average = ''] = await done(
      'sql',
      'SELECT avg(data_mud_flow_in) AS mean FROM t',
      '--table',
      `t=${sql}`,
    );
    expect(JSON.parse(average)).toEqual({ mean: (1900 + 1905.5 + 1910) / 3 });

    for (const system of unitSystems) {
      const changes = unitChanges(units, system);
      const out = join(files, `${system}.las`);
      const query = '{ log_identifier: "a", asset_id: 5001 }';
      await done('export', dataset, '--query', query, '--out', out, '--units', system);
      const exported = readLas(await readFile(out, 'utf8'));
      for (const [at, { unit, field }] of curves.entries()) {
        const from = unitOf(unit)!;
        const to = unitIn(system, from);
        const wanted = records.map((each) => convert(valueAt(each, field), from, to)!);
        // The table and the tiles of a live view, a plot, and the file.
        const shown = records.map((each) => {
          const value = valueAt(each, field);
          return cellConverter(changes, field)?.(value) ?? value;
        });
        const drawn = records.map((each) => {
          const value = valueAt(each, field);
          return columnConverter(changes, field)?.(value) ?? value;
        });
        const column = exported[at]!;
        expect(isSameUnit(column.unit, to.symbol), `${system} ${field}: ${column.unit}, ${to.symbol}`).toBe(
          true,
        );
        wanted.forEach((value, row) => {
          for (const other of [shown[row], drawn[row], column.values[row]])
            expect(Math.abs(other! / value - 1), `${system} ${field}`).toBeLessThan(1e-4);
        });
      }
      const mapping = Object.fromEntries(exported.map(({ name }, at) => [name, curves[at]!.field]));
      await upload(`${system}-again.las`, await readFile(out, 'utf8'), mapping, system);
      const again = await stored(system);
      expect(again).toHaveLength(rows.length);
      again.forEach((each, row) => {
        for (const { field } of curves)
          expect(Math.abs(valueAt(each, field) / valueAt(records[row]!, field) - 1)).toBeLessThan(1e-9);
      });
    }
  },
);

it('a LAS file of depths without a unit needs an option, which its error names', async () => {
  const { files, run } = await setUp();
  const depths = 'demo/wits.summary-1ft';
  const found = await run('find', depths, '--query', '{ asset_id: 5001 }', '--limit', '1');
  const [line = '{}'] = found.lines;
  const first = z.object({ measured_depth: z.number(), log_identifier: z.string() }).parse(JSON.parse(line));
  const query = JSON.stringify({ asset_id: 5001, log_identifier: first.log_identifier });
  const out = join(files, 'depths.las');
  const refused = await run('export', depths, '--query', query, '--out', out);
  expect(refused.code).toBe(2);
  expect(refused.error()).toMatchObject({
    code: 'invalid_input',
    message: expect.stringContaining('--depth-unit ft'),
    details: { issues: [{ place: { field: 'depthUnit' } }] },
  });
  const unit = ['--depth-unit', 'ft', '--units', 'metric'];
  const ended = await run('export', depths, '--query', query, '--out', out, ...unit);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  const [depth] = readLas(await readFile(out, 'utf8'));
  expect(depth?.unit).toBe('m');
  expect(depth?.values[0]).toBeCloseTo(first.measured_depth * 0.3048, 3);
});
