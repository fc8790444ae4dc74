import { globSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { exportFormats } from '../../../../src/shared/export/export.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 100, wells: 5 });
  const { run, write } = await setUp();
  const times = [0, 86_400_000, 90_000_000].map(
    (ms, at) => `500${1 + (at % 2)},${1_700_000_000_123 + ms},1,${at}.25,${at === 1 ? '' : '"a ""b"", c"'}`,
  );
  const time = await write(
    't.csv',
    ['asset_id,timestamp,version,data.rop,data.note', ...times, ''].join('\n'),
  );
  await run('upload', 'demo/uploads.time', time);
  const depths = [100.5, 101, 101.5].map((md) => `5001,${md},run 1,1,${md / 8},${md === 101 ? '' : 80.125}`);
  const header = 'asset_id,measured_depth,log_identifier,version,data.rop,data.gamma_ray,data.lithology';
  const depth = await write('d.csv', [header, ...depths.map((row) => `${row},shale`), ''].join('\n'));
  await run('upload', 'demo/uploads.depth', depth);
});
afterAll(() => demo.close());
const folders = useFolders();

const summaryShape = z.object({ rows: z.int(), accepted: z.int(), skipped: z.int(), rejected: z.int() });

async function setUp() {
  const [data, work] = [await folders(), await folders()];
  const run = (...args: string[]) =>
    runInProcess([...args, '--data-dir', data, '--json'], connectionEnv(demo));
  return {
    run,
    work,
    write: async (name: string, text: string): Promise<string> => {
      await writeFile(join(work, name), text);
      return join(work, name);
    },
    /** Exports all records of a dataset of uploads. */
    exported: async (dataset: string, name: string, ...options: string[]): Promise<string> => {
      const out = join(work, name);
      const query = options.includes('--query') ? [] : ['--query', '{}'];
      const ended = await run('export', dataset, ...query, '--out', out, ...options);
      expect(ended.code).toBe(0);
      return out;
    },
    /** Uploads a file, and expects that each of its rows existed before. */
    expectNothingNew: async (dataset: string, file: string, ...options: string[]): Promise<number> => {
      const ended = await run('upload', dataset, file, '--existing', 'skip', ...options);
      const { rows, ...counts } = summaryShape.parse(ended.summary());
      expect(counts).toEqual({ accepted: rows, skipped: rows, rejected: 0 });
      return rows;
    },
  };
}

/** What a LAS file omits: the names of the fields, and the version. */
const lasMapping = {
  columns: {
    DEPT: { to: 'measured_depth' },
    ROP: { to: 'data.rop' },
    GAMMA_RAY: { to: 'data.gamma_ray' },
  },
  constants: { log_identifier: 'run 1', version: 1 },
};

const uses: readonly (readonly string[])[] = [
  ...exportFormats.filter((format) => format !== 'las').map((format) => ['--format', format]),
  ['--format', 'xlsx', '--time-zone', 'America/Chicago'],
  ['--format', 'csv', '--time-zone', 'America/Chicago', '--well-names'],
  ['--format', 'parquet', '--column-names', 'underscore'],
  ['--preset', 'excel', '--time-zone', 'America/Chicago'],
];

describe('the upload of an export', () => {
  it.each(uses.map((use) => [use.join(' '), use] as const))(
    'inserts no record again: %s',
    async (_, options) => {
      const { exported, expectNothingNew } = await setUp();
      const name = options[1] === 'reimport' ? 'out.ndjson' : 'out.csv';
      const file = await exported('demo/uploads.time', name, ...options);
      expect(await expectNothingNew('demo/uploads.time', file)).toBe(3);
    },
  );

  it('inserts no record of a folder’s files again; files of one well have no asset IDs', async () => {
    const { exported, expectNothingNew } = await setUp();
    const days = await exported('demo/uploads.time', 'days', '--partition', 'day');
    let rows = 0;
    for (const file of globSync('**/*.parquet', { cwd: days }))
      rows += await expectNothingNew('demo/uploads.time', join(days, file));
    const wells = await exported('demo/uploads.time', 'wells', '--partition', 'asset_id,month');
    for (const file of globSync('asset_id=5001/*/*.parquet', { cwd: wells }))
      rows += await expectNothingNew('demo/uploads.time', join(wells, file), '--well', '5001');
    expect(rows).toBe(5);
  });

  it('inserts no record of a LAS file again when its header names the well', async () => {
    const { exported, expectNothingNew, write } = await setUp();
    const file = await exported(
      'demo/uploads.depth',
      'out.las',
      '--query',
      '{ asset_id: 5001 }',
      '--depth-unit',
      'ft',
    );
    const mapping = await write('mapping.json', JSON.stringify(lasMapping));
    const options = ['--mapping', mapping, '--well', 'header'];
    expect(await expectNothingNew('demo/uploads.depth', file, ...options)).toBe(3);
  });

  it('inserts no record again whose null value was stored as a number, and is read as null', async () => {
    const { run, exported, expectNothingNew, write } = await setUp();
    const rows = [1, 2].map((second) => `5003,${1_700_000_000_000 + second * 1000},1,-999.25,${second}`);
    const header = 'asset_id,timestamp,version,data.rop,data.wob';
    await run('upload', 'demo/uploads.time', await write('nulls.csv', [header, ...rows, ''].join('\n')));
    const mapping = await write('nulls.json', JSON.stringify({ nulls: ['-999.25'] }));
    for (const options of [['--null-values', 'keep'], ['--format', 'ndjson'], []]) {
      const name = `nulls-${options.length}.${options[1] === 'ndjson' ? 'ndjson' : 'csv'}`;
      const file = await exported('demo/uploads.time', name, '--query', '{ asset_id: 5003 }', ...options);
      expect(await expectNothingNew('demo/uploads.time', file, '--mapping', mapping)).toBe(2);
    }
  });
});

describe('the well of a file', () => {
  const las = (...well: string[]): string =>
    ['~V', ' VERS. 2.0:', '~W', ...well, '~C', ' measured_depth.FT:', ' GR.GAPI:', '~A', '1 2', ''].join(
      '\n',
    );
  const wellList = z.object({
    asset_id: z.int(),
    name: z.string(),
    settings: z.object({ api_number: z.string() }),
  });

  /** A file whose header names wells, with the wells of the platform. */
  async function withHeader(header: (names: z.infer<typeof wellList>[]) => readonly string[]) {
    const { run, write } = await setUp();
    const { lines } = await run('wells', '--format', 'ndjson');
    const known = lines.slice(0, -1).map((line) => {
      const { attributes } = z.object({ attributes: wellList }).parse(JSON.parse(line));
      return attributes;
    });
    const file = await write('log.las', las(...header(known)));
    const mapping = await write('mapping.json', JSON.stringify({ constants: { log_identifier: 'run 2' } }));
    return {
      known,
      inspect: async () => (await run('inspect', file, '--wells')).summary(),
      upload: (well: string) =>
        run('upload', 'demo/uploads.depth', file, '--mapping', mapping, '--dry-run', '--well', well),
    };
  }

  it('is shown with its asset ID, and used by --well header', async () => {
    const { known, inspect, upload } = await withHeader(([first]) => [` WELL. ${first?.name}:`]);
    const [{ name, asset_id } = { name: '', asset_id: 0 }] = known;
    const names = [expect.objectContaining({ value: name, assetId: asset_id, found: 'one' })];
    expect(await inspect()).toMatchObject({ wells: [{ column: null, by: 'name', names }] });
    const ended = await upload('header');
    expect(ended).toMatchObject({ code: 0 });
    expect(summaryShape.parse(ended.summary())).toMatchObject({ rows: 1, rejected: 0 });
  });

  it.each([
    [
      'the header names two wells',
      (wells: z.infer<typeof wellList>[]) => [
        ` WELL. ${wells[0]?.name}:`,
        ` API. ${wells[1]?.settings.api_number}:`,
      ],
    ],
    ['no well has the name', () => [' WELL. Nobody 1H:']],
    ['the header names no well', () => []],
  ])('is not guessed when %s', async (_, header) => {
    const { upload } = await withHeader(header);
    const ended = await upload('header');
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({
      code: 'invalid_input',
      details: { issues: [{ place: { field: 'well' } }] },
    });
  });

  it('can’t differ from the one in the header', async () => {
    const { known, upload } = await withHeader(([first]) => [` WELL. ${first?.name}:`]);
    const ended = await upload(String(known[1]?.asset_id));
    expect(ended.code).toBe(2);
    expect(JSON.stringify(ended.error())).toContain(`the header names other wells: “${known[0]?.name}”. `);
  });
});
