import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { isObject, parseJson } from '../../../../src/shared/json.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 10, wells: 3 });
});
afterAll(() => demo.close());
const folders = useFolders();

const inspected = z.object({
  format: z.string(),
  rows: z.int(),
  table: z.string(),
  tables: z.array(z.object({ name: z.string(), rows: z.int().nullable() })),
  columns: z.array(z.object({ name: z.string(), unit: z.string().nullable(), type: z.string() })),
  warnings: z.array(z.object({ code: z.string() })),
});
const summary = z.object({ rows: z.int(), accepted: z.int(), rejected: z.int() });

/** Inspects, checks, and uploads a file, and reads what is stored of it by the asset ID that the file has only here. */
async function uploaded(name: string, text: string, asset: number, ...options: string[]) {
  const [data, work] = [await folders(), await folders()];
  const file = join(work, name);
  await writeFile(file, text);
  const run = (...args: string[]) =>
    runInProcess([...args, '--data-dir', data, '--json'], connectionEnv(demo));
  const facts = inspected.parse((await run('inspect', file, ...options)).summary());
  const rest = join(work, 'mapping.json');
  await writeFile(rest, JSON.stringify({ rest: 'data', constants: { asset_id: asset, version: 1 } }));
  const upload = ['upload', 'demo/uploads.reference', file, '--mapping', rest, ...options];
  const dry = summary.parse((await run(...upload, '--dry-run')).summary());
  const done = summary.parse((await run(...upload)).summary());
  const out = join(work, 'out.ndjson');
  await run('export', 'demo/uploads.reference', '--query', JSON.stringify({ asset_id: asset }), '--out', out);
  const lines = (await readFile(out, 'utf8')).trimEnd().split('\n');
  const stored = lines.map((line) => {
    const record = parseJson(line);
    return isObject(record) ? record['data'] : null;
  });
  return { facts, dry, done, stored };
}

const checked = { rows: 2, accepted: 0, rejected: 0 };
const sent = { rows: 2, accepted: 2, rejected: 0 };

describe('a file of JSON has the same rows in inspect, in a dry run, and in the dataset', () => {
  it('if it is an object around a list', async () => {
    const { facts, dry, done, stored } = await uploaded(
      'answer.json',
      '{"count":2,"data":[{"a":1,"deep":{"er":"x"}},{"a":2,"deep":{"er":"y"}}]}',
      5001,
    );
    expect(facts).toMatchObject({ format: 'json', rows: 2, table: 'data', warnings: [] });
    expect([dry, done]).toEqual([checked, sent]);
    expect(stored).toEqual([
      { a: 1, deep: { er: 'x' } },
      { a: 2, deep: { er: 'y' } },
    ]);
  });

  it('if it has several lists, of which one is selected', async () => {
    const text = '{"wells":[{"id":1}],"days":[{"d":1,"oil":5},{"d":2,"oil":6}]}';
    const { facts, dry, done, stored } = await uploaded('two.json', text, 5002);
    expect(facts).toMatchObject({
      rows: 2,
      table: 'days',
      tables: [{ name: 'days' }, { name: 'wells' }, { name: 'Whole file' }],
      warnings: [{ code: 'several_tables' }],
    });
    expect([dry, done]).toEqual([checked, sent]);
    expect(stored).toEqual([
      { d: 1, oil: 5 },
      { d: 2, oil: 6 },
    ]);
  });

  it('if it is GeoJSON', async () => {
    const features = [1, 2].map((n) => ({
      type: 'Feature',
      properties: { kind: 'pad', n },
      geometry: { type: 'Point', coordinates: [-102 - n, 31.5] },
    }));
    const { facts, dry, done, stored } = await uploaded(
      'pads.geojson',
      JSON.stringify({ type: 'FeatureCollection', features }),
      5003,
    );
    expect(facts.columns.map(({ name, type }) => [name, type])).toEqual([
      ['kind', 'string'],
      ['n', 'integer'],
      ['longitude', 'integer'],
      ['latitude', 'number'],
    ]);
    expect([dry, done]).toEqual([checked, sent]);
    expect(stored).toEqual([
      { kind: 'pad', n: 1, longitude: -103, latitude: 31.5 },
      { kind: 'pad', n: 2, longitude: -104, latitude: 31.5 },
    ]);
  });

  it('if it is a JSON Well Log, with the units of its curves', async () => {
    const log = (name: string, first: number) => ({
      header: { name },
      curves: [
        { name: 'DEPT', unit: 'm', valueType: 'float' },
        { name: 'GR', unit: 'gAPI', valueType: 'float' },
      ],
      data: [
        [first, 50.5],
        [first + 0.5, null],
      ],
    });
    const { facts, dry, done, stored } = await uploaded(
      'logs.json',
      JSON.stringify([log('Main', 100), log('Repeat', 200)]),
      5001,
      '--table',
      'Repeat',
    );
    expect(facts).toMatchObject({
      table: 'Repeat',
      tables: [
        { name: 'Main', rows: 2 },
        { name: 'Repeat', rows: 2 },
      ],
      columns: [
        { name: 'DEPT', unit: 'm' },
        { name: 'GR', unit: 'gAPI' },
      ],
    });
    expect([dry, done]).toEqual([checked, sent]);
    expect(stored.slice(-2)).toEqual([{ DEPT: 200, GR: 50.5 }, { DEPT: 200.5 }]);
  });

  it('if it is one object without a list, which is a row with a warning', async () => {
    const { facts, done } = await uploaded('one.json', '{"depth":[1,2],"gr":[5,6]}', 5002);
    expect(facts).toMatchObject({ rows: 1, warnings: [{ code: 'single_record' }] });
    expect(done).toEqual({ rows: 1, accepted: 1, rejected: 0 });
  });
});
