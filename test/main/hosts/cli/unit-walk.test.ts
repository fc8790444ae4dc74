import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import {
  cellConverter,
  columnConverter,
  unitChanges,
} from '../../../../src/renderer/features/records/shown-cells.ts';
import { unitIn, unitSystems } from '../../../../src/shared/channels/unit-systems.ts';
import { isSameUnit, unitOf } from '../../../../src/shared/channels/units.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

import * as z from 'zod';

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
/** Stations of half a meter. Null is written as in the file, and one channel has it at each seventh station. */
const nullValue = -999.25;
const stations = 401;
const rows = Array.from({ length: stations }, (_, at) => [
  3000 + at / 2,
  1900 + Math.round(900 * Math.sin(at / 9)) / 8,
  at % 7 === 3 ? nullValue : 1850 + (at % 40) / 4,
  1.25 + (at % 50) / 100,
  30 + Math.round(400 * Math.cos(at / 5)) / 16,
]);

/** The factors to the units of each system, written without Wellbench, in the order of the curves. */
const factors = {
  us: [1 / 0.3048, 1 / 3.785411784, 1 / 3.785411784, 1, 1 / 0.3048],
  metric: [1, 1, 1, 1, 1],
  si: [1, 1 / 60_000, 1 / 60_000, 1000, 1 / 3600],
} as const;
/** A table shows at least six digits of a converted number. */
const shownError = 5e-6;

/** Where two lists of numbers differ by more than a relative error. Null values are NaN. */
function differences(
  what: string,
  found: readonly (number | undefined)[],
  wanted: readonly number[],
  error: number,
): string[] {
  const list =
    found.length === wanted.length ? [] : [`${what}: ${found.length} of ${wanted.length} stations`];
  wanted.forEach((value, at) => {
    const number = found[at] ?? Number.NaN;
    const isSame = Number.isNaN(value)
      ? Number.isNaN(number)
      : Math.abs(number - value) <= error * Math.abs(value);
    if (!isSame) list.push(`${what}, station ${at + 1}: ${number}, not ${value}`);
  });
  return list;
}
const lasText = [
  '~V',
  ' VERS. 2.0:',
  ' WRAP. NO:',
  '~W',
  ' STRT.M 3000:',
  ' STOP.M 3200:',
  ' STEP.M 0.5:',
  ' NULL. -999.25:',
  '~C',
  ...curves.map(({ name, unit }) => ` ${name}.${unit}:`),
  '~A',
  ...rows.map((row) => row.join(' ')),
  '',
].join('\n');

const record = z.object({
  measured_depth: z.number(),
  data: z.record(z.string(), z.number().nullable()),
});
type StoredRecord = z.infer<typeof record>;
const valueAt = ({ measured_depth: depth, data }: StoredRecord, field: string): number =>
  field === 'measured_depth' ? depth : (data[field.slice('data.'.length)] ?? NaN);

/** The values of a LAS file by mnemonic, and its units. */
function readLas(text: string) {
  const lines = text.split('\r\n');
  const section = (name: string) => {
    const from = lines.findIndex((line) => line.startsWith(name)) + 1;
    const length = lines.slice(from).findIndex((line) => line.startsWith('~'));
    return lines.slice(from, length < 0 ? undefined : from + length).filter((line) => line !== '');
  };
  const heads = section('~Curve').map((line) => /^(\w+)\s*\.(\S*)/.exec(line) ?? []);
  const number = (text: string) => (Number(text) === nullValue ? Number.NaN : Number(text));
  const table = section('~ASCII').map((line) => line.trim().split(/\s+/).map(number));
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
    (
      await done(
        'find',
        dataset,
        '--query',
        JSON.stringify({ asset_id: 5001, log_identifier: log }),
        '--sort',
        '{ measured_depth: 1 }',
        '--limit',
        '1000',
      )
    ).map((line) => record.parse(JSON.parse(line)));
  return { files, run, done, upload, stored };
}

it(
  'a depth, a flow, a density, and a rate of penetration stay the same from a file to an upload of its export',
  { timeout: 180_000 },
  async () => {
    const { files, done, upload, stored } = await setUp();
    await upload('a.las', lasText, Object.fromEntries(curves.map(({ name, field }) => [name, field])), 'a');
    const records = await stored('a');
    const columnOf = (all: readonly StoredRecord[], field: string) => all.map((each) => valueAt(each, field));
    const fileValues = curves.map((_, at) => rows.map((row) => (row[at] === nullValue ? NaN : row[at]!)));
    const found = curves.flatMap(({ field }, at) =>
      differences(`stored ${field}`, columnOf(records, field), fileValues[at]!, 0),
    );

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
    const names = curves.map(({ field }) => field.replace('.', '_'));
    const statement = `SELECT ${names.join(', ')} FROM t ORDER BY measured_depth`;
    const selected = (await done('sql', statement, '--table', `t=${sql}`)).map((line) =>
      z.record(z.string(), z.number().nullable()).parse(JSON.parse(line)),
    );
    names.forEach((name, at) =>
      found.push(
        ...differences(
          `SQL ${name}`,
          selected.map((row) => row[name] ?? NaN),
          fileValues[at]!,
          0,
        ),
      ),
    );

    for (const system of unitSystems) {
      const changes = unitChanges(units, system);
      const out = join(files, `${system}.las`);
      const query = '{ log_identifier: "a", asset_id: 5001 }';
      await done('export', dataset, '--query', query, '--out', out, '--units', system);
      const exported = readLas(await readFile(out, 'utf8'));
      for (const [at, { unit, field }] of curves.entries()) {
        const values = columnOf(records, field);
        const wanted = fileValues[at]!.map((value) => value * factors[system][at]!);
        const what = `${system} ${field}`;
        // The table, the record, and the tiles of a live view; a plot; the file.
        const shown = values.map((value) => cellConverter(changes, field)?.(value) ?? value);
        const drawn = values.map((value) => columnConverter(changes, field)?.(value) ?? value);
        const column = exported[at]!;
        expect(isSameUnit(column.unit, unitIn(system, unitOf(unit)!).symbol), `${what}: ${column.unit}`).toBe(
          true,
        );
        found.push(
          ...differences(`${what} in a table`, shown, wanted, shownError),
          ...differences(`${what} in a plot`, drawn, wanted, 1e-12),
          ...differences(`${what} in LAS`, column.values, wanted, 1e-12),
        );
      }
      const mapping = Object.fromEntries(exported.map(({ name }, at) => [name, curves[at]!.field]));
      await upload(`${system}-again.las`, await readFile(out, 'utf8'), mapping, system);
      const again = await stored(system);
      for (const [at, { field }] of curves.entries())
        found.push(
          ...differences(`${system} ${field} again`, columnOf(again, field), fileValues[at]!, 1e-12),
        );
    }
    expect(found).toEqual([]);
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
