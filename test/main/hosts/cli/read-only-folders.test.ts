import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import { connectionEnv, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { canMakeReadOnly, withReadOnly } from '../../../support/small-disk.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 200, wells: 2 });
});
afterAll(() => demo.close());
const folders = useFolders();

/** Nothing listens there: a request fails with another error than the one that the tests expect. */
const nowhere = { WELLBENCH_DATA_URL: 'http://127.0.0.1:9', WELLBENCH_PLATFORM_URL: 'http://127.0.0.1:9' };

type At = (...names: string[]) => string;

async function setUp() {
  const [data, work] = [await folders(), await folders()];
  const at: At = (...names) => join(work, ...names);
  writeFileSync(at('rows.csv'), 'version,asset_id,timestamp,rop\n1,5001,1577836800000,1\n1,5001,never,2\n');
  mkdirSync(at('locked', 'empty'), { recursive: true });
  writeFileSync(at('locked', 'older.csv'), 'mine');
  writeFileSync(at('locked', 'older.parquet'), 'mine');
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runInProcess([...args, '--data-dir', data, '--json'], { ...connectionEnv(demo), ...env });
  return { at, run };
}

const commands: readonly (readonly [string, (at: At) => string[]])[] = [
  ['export', (at) => ['export', 'demo/wits', '--out', at('locked', 'out.csv')]],
  ['export over a file', (at) => ['export', 'demo/wits', '--out', at('locked', 'older.csv'), '--force']],
  ['export as a workbook', (at) => ['export', 'demo/wits', '--out', at('locked', 'out.xlsx')]],
  [
    'export to a new folder',
    (at) => ['export', 'demo/wits', '--partition', 'asset_id', '--out', at('locked', 'new')],
  ],
  [
    'export to an empty folder',
    (at) => ['export', 'demo/wits', '--partition', 'asset_id', '--out', at('locked', 'empty')],
  ],
  ['mirror to a new folder', (at) => ['mirror', 'demo/wits', '--out', at('locked', 'new')]],
  ['mirror to an empty folder', (at) => ['mirror', 'demo/wits', '--out', at('locked', 'empty')]],
  [
    'upload with rejects',
    (at) => ['upload', 'demo/uploads.time', at('rows.csv'), '--rejects', at('locked', 'bad.csv')],
  ],
  [
    'upload --dry-run with rejects',
    (at) => [
      'upload',
      'demo/uploads.time',
      at('rows.csv'),
      '--dry-run',
      '--rejects',
      at('locked', 'bad.csv'),
    ],
  ],
  ['sql', (at) => ['sql', 'SELECT 1 AS one', '--out', at('locked', 'out.csv')]],
  ['sql as Parquet', (at) => ['sql', 'SELECT 1 AS one', '--out', at('locked', 'out.parquet')]],
  ['sql over a file', (at) => ['sql', 'SELECT 1 AS one', '--out', at('locked', 'older.parquet'), '--force']],
];

// Root writes to any folder that isn't mounted read-only, and Windows has no permissions of this kind.
describe.skipIf(!canMakeReadOnly)('a folder that can’t be written', () => {
  it.each(commands)('is reported before anything is sent, and stays as it is: %s', async (_what, args) => {
    const { at, run } = await setUp();
    const before = readdirSync(at(), { recursive: true });
    const ended = await withReadOnly(at('locked'), () => run(args(at), nowhere));
    expect(ended.error()).toMatchObject({ code: 'invalid_input' });
    expect(ended.error()).toHaveProperty('message', expect.stringContaining(`in ${at('locked')}`));
    expect(ended.code).toBe(2);
    expect(ended.stdout).toBe('');
    expect(readdirSync(at(), { recursive: true })).toEqual(before);
  });
});
