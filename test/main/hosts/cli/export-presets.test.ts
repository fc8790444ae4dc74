import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { openServices } from '../../../support/services.ts';
import { testClock } from '../../../support/clock.ts';
import { useFolders } from '../../../support/folders.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 100, wells: 5 });
});
afterAll(() => demo.close());
const folders = useFolders();

const recordShape = z.record(z.string(), z.unknown());
type DemoRecord = z.infer<typeof recordShape>;

async function setUp() {
  const [data, work] = [await folders(), await folders()];
  return {
    in: (name: string) => join(work, name),
    run: (...args: string[]) => runInProcess([...args, '--data-dir', data], connectionEnv(demo)),
  };
}

const setByService = new Set(['_id', 'company_id', 'provider', 'collection']);
/** A record without the fields that the service sets. */
const content = (record: DemoRecord): DemoRecord =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !setByService.has(name)));
const contentOf = (lines: readonly string[]): DemoRecord[] =>
  lines.map((line) => content(recordShape.parse(JSON.parse(line))));

describe('export for another import', () => {
  const timestamp = Date.UTC(2020, 0, 1);
  /** Uploads records, exports them for another import, and uploads that file to another dataset. */
  async function roundTrip(data: readonly DemoRecord[], day: number) {
    const { in: at, run } = await setUp();
    const from = timestamp + day * 86_400_000;
    const records = data.map((each, row) => ({
      version: 1,
      asset_id: 5001,
      timestamp: from + row * 1500,
      data: each,
    }));
    const query = ['--query', `{ timestamp: { $gte: ${from}, $lt: ${from + 86_400_000} } }`];
    const services = openServices({
      dataUrl: demo.dataUrl,
      platformUrl: demo.platformUrl,
      credential: { method: 'api_key', apiKey: demo.apiKeys.write },
      env: {},
      clock: testClock({ frozen: true }),
      random: () => 0.5,
    });
    const body = new TextEncoder().encode(JSON.stringify(records));
    const source = { provider: 'demo', dataset: 'uploads.time' };
    expect(await services.data.insert(source, body, records.length)).toMatchObject({ kind: 'answered' });
    const file = at('again.ndjson');
    await run('export', 'demo/uploads.time', ...query, '--preset', 'reimport', '--out', file);
    const uploaded = await run('upload', 'demo/wits', file, '--json');
    expect(uploaded.summary()).toMatchObject({ accepted: records.length, rejected: 0, skipped: 0 });
    return { given: records, stored: contentOf((await run('find', 'demo/wits', ...query)).lines) };
  }

  it('can be uploaded again without a change of any value', async () => {
    const { given, stored } = await roundTrip(
      [
        { token: -999.25, digits: '0042', number: '12', flag: 'true', yes: true },
        { stations: [{ md: 1.5 }, { md: null }], nested: { a: { b: 1 } }, formula: '=1+1' },
        { text: 'a,b "c"\nd', zero: 0, small: 1e-9, date: '2024-07-01', list: [], accent: 'é' },
      ],
      0,
    );
    expect(stored).toEqual(given);
  });

  it('has null values such as -999.25 as numbers in CSV, too', async () => {
    const { in: at, run } = await setUp();
    await writeFile(at('a.csv'), 'version,asset_id,timestamp,rop\n1,5001,1782864000000,-999.25\n');
    await run('upload', 'demo/uploads.time', at('a.csv'));
    await run('export', 'demo/uploads.time', '--preset', 'reimport', '--out', at('again.csv'));
    expect(await readFile(at('again.csv'), 'utf8')).toContain('-999.25');
  });

  it('has no null, blank text, or blanks around a text, as in each upload', async () => {
    const { stored } = await roundTrip([{ n: 1, none: null, empty: '', word: 'N/A', blank: ' x ' }], 1);
    expect(stored.map(({ data }) => data)).toEqual([{ n: 1, blank: 'x' }]);
  });

  it.each([
    ['demo/wits', 'demo/uploads.time', '{ asset_id: 5002 }'],
    ['demo/drilling.wits.depth', 'demo/uploads.depth', '{}'],
    ['demo/data.actual_survey', 'demo/uploads.reference', '{}'],
    ['demo/sensors.pad', 'demo/uploads.timeseries', '{}'],
  ])('copies records of %s to %s', async (source, target, which) => {
    const { in: at, run } = await setUp();
    const file = at('again.ndjson');
    const query = ['--query', which];
    await run('export', source, ...query, '--preset', 'reimport', '--out', file);
    await run('upload', target, file);
    const contents = async (dataset: string) => contentOf((await run('find', dataset, ...query)).lines);
    const records = await contents(source);
    expect(records.length).toBeGreaterThan(0);
    expect(await contents(target)).toHaveLength(records.length);
    expect(await contents(target)).toEqual(expect.arrayContaining(records));
  });
});

describe('export with escaped formulas', () => {
  it('has each text again when it is uploaded, and the check says how many', async () => {
    const { in: at, run } = await setUp();
    // oxfmt-ignore
    const texts = ['=1+1', '+1 in', '-2', '@rig', "'=1", "''-3", "'", "it's", 'a=1', '=SUM(A1, "b")', "'-4'", '=\n1'];
    const from = Date.UTC(2021, 0, 1);
    const lines = texts.map((note, row) =>
      JSON.stringify({ version: 1, asset_id: 5001, timestamp: from + row * 1000, data: { note } }),
    );
    const query = ['--query', `{ timestamp: { $gte: ${from}, $lt: ${from + 86_400_000} } }`];
    const [source, file] = [at('notes.ndjson'), at('notes.csv')];
    await writeFile(source, `${lines.join('\n')}\n`);
    await run('upload', 'demo/uploads.time', source);
    await run('export', 'demo/uploads.time', ...query, '--escape-formulas', '--out', file);
    const dry = await run('upload', 'demo/wits', file, '--dry-run');
    expect(dry.stderr).toMatch(/line 2\b.*\b9\b/);
    const inspected = await run('inspect', file, '--json');
    expect(inspected.summary()).toMatchObject({
      warnings: [expect.objectContaining({ code: 'escaped_formulas', count: 9, line: 2 })],
    });
    const sent = await run('upload', 'demo/wits', file, '--json');
    expect(sent.summary()).toMatchObject({ accepted: texts.length, skipped: 0, rejected: 0 });
    const { lines: stored } = await run('find', 'demo/wits', ...query, '--sort', '{ timestamp: 1 }');
    expect(contentOf(stored).map(({ data }) => data)).toEqual(texts.map((note) => ({ note })));
    // The same table in SQL.
    const statement = `SELECT data_note AS note FROM t WHERE data_note LIKE '=1%'`;
    const selected = await run('sql', statement, '--table', `t=${file}`, '--format', 'ndjson');
    expect(selected.lines).toEqual(['{"note":"=1+1"}']);
    // Kept on purpose.
    const kept = await run('inspect', file, '--apostrophes', 'keep', '--json');
    expect(kept.stdout).not.toContain('escaped_formulas');
  });
});

describe('export for Excel', () => {
  it('has times in the zone, time and well first, and units in the header', async () => {
    const { in: at, run } = await setUp();
    const zone = ['--time-zone', 'America/Chicago'];
    const query = ['--query', '{ asset_id: 5001 }'];
    await run('export', 'demo/wits', '--preset', 'excel', ...zone, ...query, '--out', at('a.csv'));
    const [header = '', row = ''] = (await readFile(at('a.csv'), 'utf8')).split('\r\n');
    expect(header).toMatch(/^\uFEFFtimestamp \(America\/Chicago\),asset_id,/);
    expect(header).toMatch(/,data\.rop \(ft\/h\)/);
    expect(row).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d{3})?,5001,/);
  });
});

describe('export with well names', () => {
  it('has the name after the asset id, even if the selected fields don’t include it', async () => {
    const { in: at, run } = await setUp();
    const query = ['--query', '{ asset_id: 5001 }', '--well-names'];
    await run('export', 'demo/wits', ...query, '--fields', 'timestamp,data.rop', '--out', at('a.csv'));
    const { lines } = await run('wells', '--asset-id', '5001', '--format', 'ndjson');
    const { attributes } = z
      .object({ attributes: z.object({ name: z.string() }) })
      .parse(JSON.parse(lines[0] ?? ''));
    const [header, row] = (await readFile(at('a.csv'), 'utf8')).split('\r\n');
    expect(header).toBe('asset_id,well_name,timestamp,data.rop');
    expect(row?.startsWith(`5001,${attributes.name},`)).toBe(true);
  });
});

it.each([
  ['pandas', 'a.parquet', 'PAR1'],
  ['reimport', 'a.csv', '_id,'],
  ['excel', 'a.txt', 'PK'],
])('a file for %s has the format of its name %s, if it names one', async (preset, name, start) => {
  const { in: at, run } = await setUp();
  const query = ['--query', '{ asset_id: 5001 }'];
  expect((await run('export', 'demo/wits', '--preset', preset, ...query, '--out', at(name))).code).toBe(0);
  expect((await readFile(at(name), 'latin1')).startsWith(start)).toBe(true);
});

describe('export for pandas', () => {
  it('has times in UTC and plain names; explicit options take precedence', async () => {
    const { in: at, run } = await setUp();
    const query = ['--query', '{ asset_id: 5001 }'];
    await run(
      'export',
      'demo/wits',
      '--preset',
      'pandas',
      ...query,
      '--delimiter',
      ';',
      '--out',
      at('a.csv'),
    );
    const [header, row] = (await readFile(at('a.csv'), 'utf8')).split('\n');
    expect(header).toMatch(/^timestamp;asset_id;.*data\.rop(;|$)/);
    expect(row).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(Z|\+00:00);5001;/);
  });
});
