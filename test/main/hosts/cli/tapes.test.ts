import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { dlisFile, numbersChannel } from '../../features/upload/support/dlis-files.ts';
import { data, format, information, lisFile, lisValue } from '../../features/upload/support/lis-files.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 10, wells: 3 });
});
afterAll(() => demo.close());
const folders = useFolders();

const well = 'Ridge A-101H';
const stations = Array.from({ length: 40 }, (_, row) => ({
  // Tenths of an inch: half a foot for each row.
  depth: 120_000 + row * 60,
  gamma: 60 + row / 8,
}));
const dlis = dlisFile([
  { well: 'Another', frames: [{ name: 'OTHER', channels: [numbersChannel('X', [1, 2])] }] },
  {
    well,
    run: '2',
    frames: [
      {
        name: 'MAIN',
        indexType: 'BOREHOLE-DEPTH',
        channels: [
          numbersChannel(
            'TDEP',
            stations.map(({ depth }) => depth),
            '0.1 in',
          ),
          numbersChannel(
            'GR',
            stations.map(({ gamma }) => gamma),
            'gAPI',
          ),
          {
            name: 'AMP',
            code: 'USHORT',
            dimensions: [3],
            samples: stations.map((_, row) => Buffer.from([row, row + 1, row + 2])),
          },
        ],
      },
    ],
    records: [{ type: 5, isExplicit: true, isEncrypted: true, body: Buffer.alloc(20) }],
  },
]);
const { float } = lisValue;
const lis = lisFile([
  [
    information('CONS', [['WN', well]]),
    format([
      { name: 'DEPT', unit: '.1IN', code: 68, size: 4 },
      { name: 'GR', unit: 'GAPI', code: 68, size: 4 },
    ]),
    ...stations.map(({ depth, gamma }) => data(float(depth), float(gamma))),
  ],
]);
const mapping = (name: string, index: string) => ({
  columns: {
    [index]: { to: 'measured_depth', fieldUnit: 'ft' },
    GR: { to: 'data.gr', fieldUnit: 'gAPI' },
    ...(name === 'log.dlis' ? { AMP: { to: 'data.amp' } } : {}),
  },
  constants: { log_identifier: name, version: 1 },
});

async function setUp(name: string, content: Uint8Array) {
  const [dataFolder, work] = [await folders(), await folders()];
  const file = join(work, name);
  await writeFile(file, content);
  const run = (...args: string[]) => runInProcess([...args, '--data-dir', dataFolder], connectionEnv(demo));
  const out = (path: string): string => join(work, path);
  return { file, run, out };
}

/** The numbers below `~A` of a LAS file. */
async function lasRows(path: string): Promise<number[][]> {
  const [, rows = ''] = (await readFile(path, 'utf8')).split(/^~A.*$/m);
  const lines = rows.split('\n').filter((line) => line.trim() !== '');
  return lines.map((line) => line.trim().split(/\s+/).map(Number));
}

it.each([
  ['log.dlis', dlis, 'TDEP', ['--table', '2', '--arrays', 'list']],
  ['log.lis', lis, 'DEPT', []],
])('%s is uploaded, and its export to LAS has the same values', async (name, content, index, options) => {
  const { file, run, out } = await setUp(name, content);
  await writeFile(out('mapping.json'), JSON.stringify(mapping(name, index)));
  const upload = ['upload', 'demo/uploads.depth', file, '--mapping', out('mapping.json'), '--well', 'header'];
  const ended = await run(...upload, ...options, '--json');
  expect(ended.summary()).toMatchObject({ rows: 40, accepted: 40, rejected: 0 });
  const query = JSON.stringify({ asset_id: 5001, log_identifier: name });
  const exported = await run(
    'export',
    'demo/uploads.depth',
    '--query',
    query,
    '--out',
    out('out.las'),
    '--depth-unit',
    'ft',
  );
  expect(exported.code, exported.stderr).toBe(0);
  const rows = await lasRows(out('out.las'));
  expect(rows.map(([depth, gamma]) => [depth, gamma])).toEqual(
    stations.map(({ depth, gamma }) => [depth / 120, gamma]),
  );
  const found = await run('find', 'demo/uploads.depth', '--query', query, '--limit', '1');
  const record: unknown = JSON.parse(found.lines[0] ?? '');
  expect(record).toMatchObject({
    measured_depth: 1000,
    data: name === 'log.dlis' ? { gr: 60, amp: [0, 1, 2] } : { gr: 60 },
  });
});

it('inspect shows the structure, the tables, and what isn’t read, and names the well', async () => {
  const { file, run } = await setUp('log.dlis', dlis);
  const ended = await run('inspect', file, '--table', `${well}, run 2, MAIN`, '--wells');
  for (const text of [
    'Logical file 1, frame OTHER         2 rows, 1 channel, FRAMENO 1 to 2',
    'Logical file 2, frame MAIN          40 rows, 3 channels, TDEP 120000 to 122340 0.1 in',
    'Logical file 2, encrypted records   1 (1 STATIC)',
    'USHORT, 3',
    'index: TDEP, 0.1 in, depth',
    'The file has encrypted records, which are skipped: 1 (1 STATIC). (records_encrypted)',
  ])
    expect(ended.stdout.replaceAll(/ +/g, ' ')).toContain(text.replaceAll(/ +/g, ' '));
  expect(ended.stdout).toMatch(/\(header\) +Ridge A-101H +5001/);
  const columns = (await run('inspect', file, '--table', '2', '--json')).summary();
  expect(JSON.stringify(columns)).toContain('AMP[3]');
});

it.each([
  ['log.dlis', dlis, 'TDEP', '#2'],
  ['log.lis', lis, 'DEPT', ''],
])('%s is a table of SQL, and has a quality', async (name, content, index, table) => {
  const { file, run } = await setUp(name, content);
  const statement = `SELECT count(*) AS n, max("${index}") AS deepest, avg("GR") AS mean FROM log`;
  const result = await run('sql', statement, '--table', `log=${file}${table}`);
  expect(JSON.parse(result.lines[0] ?? '')).toEqual({ n: 40, deepest: 122_340, mean: 62.4375 });
  const quality = await run('quality', file, ...(table === '' ? [] : ['--table', '2']));
  expect(quality.stdout).toMatch(new RegExp(`index: ${index}, 120000 to 122340, step 60 `));
  expect(quality.stdout).toContain('gaps: 0');
});
