import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join, relative } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../../../src/demo/index.ts';
import * as z from 'zod';
import { connectionEnv, runInProcess, type CliRun } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { canMount, withSmallDisk } from '../../../support/small-disk.ts';

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo({ records: 200, wells: 2 });
});
afterAll(() => demo.close());
const folders = useFolders();

/** Nothing listens there: a request fails with another error than the one that the tests expect. */
const nowhere = { WELLBENCH_DATA_URL: 'http://127.0.0.1:9', WELLBENCH_PLATFORM_URL: 'http://127.0.0.1:9' };

async function setUp() {
  const [data, work] = [await folders(), await folders()];
  const at = (...names: string[]) => join(work, ...names);
  writeFileSync(at('rows.csv'), 'version,asset_id,timestamp,rop\n1,5001,1577836800000,1\n1,5001,never,2\n');
  writeFileSync(at('mapping.json'), '{"columns":{},"rest":"data"}');
  mkdirSync(at('full'));
  writeFileSync(at('full', 'notes.txt'), 'mine');
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runInProcess([...args, '--data-dir', data, '--json'], { ...connectionEnv(demo), ...env });
  return { at, run, runOffline: (args: readonly string[]) => run(args, nowhere) };
}

type At = (...names: string[]) => string;
const commands: readonly (readonly [string, string, (at: At) => string[]])[] = [
  ['export', 'out.csv', (at) => ['export', 'demo/wits', '--out', at('out.csv')]],
  ['export as a workbook', 'out.xlsx', (at) => ['export', 'demo/wits', '--out', at('out.xlsx')]],
  [
    'the manifest of an export',
    'out.csv.manifest.json',
    (at) => ['export', 'demo/wits', '--out', at('out.csv')],
  ],
  ['upload', 'bad.csv', (at) => ['upload', 'demo/uploads.time', at('rows.csv'), '--rejects', at('bad.csv')]],
  [
    'upload --dry-run',
    'bad.csv',
    (at) => ['upload', 'demo/uploads.time', at('rows.csv'), '--dry-run', '--rejects', at('bad.csv')],
  ],
  [
    'upload --well, which reads the file first',
    'bad.csv',
    (at) => ['upload', 'demo/uploads.time', at('rows.csv'), '--well', '5001', '--rejects', at('bad.csv')],
  ],
  ['sql', 'out.csv', (at) => ['sql', 'SELECT 1 AS one', '--out', at('out.csv')]],
  ['sql as Parquet', 'out.parquet', (at) => ['sql', 'SELECT 1 AS one', '--out', at('out.parquet')]],
  [
    'export to a folder',
    join('full', 'notes.txt'),
    (at) => ['export', 'demo/wits', '--partition', 'asset_id', '--out', at('full')],
  ],
  ['mirror', join('full', 'notes.txt'), (at) => ['mirror', 'demo/wits', '--out', at('full')]],
];

describe('a name of a file to write', () => {
  const nameOf = (bytes: number, ending: string) => 'n'.repeat(bytes - ending.length) + ending;
  it.each([
    [
      'export',
      233,
      '.csv',
      (out: string) => ['export', 'demo/wits', '--query', '{ asset_id: 5001 }', '--out', out],
    ],
    ['sql', 247, '.csv', (out: string) => ['sql', 'SELECT 1 AS one', '--out', out]],
    [
      'a folder',
      247,
      '',
      (out: string) => [
        'export',
        'demo/wits',
        '--query',
        '{ asset_id: 5001 }',
        '--partition',
        'asset_id',
        '--out',
        out,
      ],
    ],
  ] as const)(
    'has a limit, which is said before anything is read: %s',
    async (_what, limit, ending, args) => {
      const { at, run, runOffline } = await setUp();
      expect((await run(args(at(nameOf(limit, ending))))).code).toBe(0);
      const before = readdirSync(at());
      const longer = nameOf(limit + 1, ending);
      const refused = await runOffline(args(at(longer)));
      expect(refused.code).toBe(2);
      expect(refused.error()).toMatchObject({ code: 'invalid_input' });
      for (const part of [longer, `${limit + 1} bytes`, ` ${limit} `]) expect(refused.stderr).toContain(part);
      expect(readdirSync(at())).toEqual(before);
    },
  );

  it('of rejected rows has a limit', async () => {
    const { at, run } = await setUp();
    const upload = (bytes: number) =>
      run(['upload', 'demo/uploads.time', at('rows.csv'), '--rejects', at(nameOf(bytes, '.csv'))]);
    expect((await upload(247)).code).toBe(3);
    expect(await upload(248)).toMatchObject({ code: 2, stderr: expect.stringContaining(' 247 ') });
  });
});

describe('a name of a table or a dataset', () => {
  const nameOf = (length: number) => 'n'.repeat(length);
  it.each([
    [
      'a table',
      63,
      (name: string, at: At) => ['sql', 'SELECT 1 AS one', '--table', `${name}=${at('rows.csv')}`],
      0,
    ],
    ['a dataset', 200, (name: string) => ['count', `demo/${name}`, '--query', '{}'], 1],
    ['a provider', 200, (name: string) => ['count', `${name}/wits`, '--query', '{}'], 1],
  ] as const)('has a limit, which is said: %s', async (_what, limit, args, code) => {
    const { at, run } = await setUp();
    expect((await run(args(nameOf(limit), at))).code).toBe(code);
    const refused = await run(args(nameOf(limit + 1), at));
    expect(refused.code).toBe(2);
    for (const part of [nameOf(limit + 1), `${limit + 1} characters`, String(limit)])
      expect(refused.stderr).toContain(part);
  });
});

describe('an existing file', () => {
  it.each(commands)('stays as it is without --force, and nothing is sent: %s', async (_what, name, args) => {
    const { at, runOffline } = await setUp();
    writeFileSync(at(name), 'mine');
    const before = readdirSync(at(), { recursive: true });
    const ended = await runOffline(args(at));
    expect(ended.error()).toMatchObject({ code: 'file_exists' });
    expect(ended.code).toBe(2);
    expect(readFileSync(at(name), 'utf8')).toBe('mine');
    expect(readdirSync(at(), { recursive: true })).toEqual(before);
  });

  it.each(commands.filter(([, name]) => !name.includes('full') && !name.includes('manifest')))(
    'is replaced with --force: %s',
    async (_what, name, args) => {
      const { at, run } = await setUp();
      writeFileSync(at(name), 'older');
      const ended = await run([...args(at), '--force']);
      expect([0, 3]).toContain(ended.code);
      expect(readFileSync(at(name), 'latin1')).not.toBe('older');
      expect(readdirSync(at()).filter((each) => each.endsWith('.partial'))).toEqual([]);
    },
  );

  it('in a folder that Wellbench didn’t write stays as it is even with --force', async () => {
    const { at, runOffline } = await setUp();
    const ended = await runOffline([
      'export',
      'demo/wits',
      '--partition',
      'asset_id',
      '--out',
      at('full'),
      '--force',
    ]);
    expect(ended.code).toBe(2);
    expect(ended.error()).toMatchObject({ code: 'file_exists' });
    expect(readFileSync(at('full', 'notes.txt'), 'utf8')).toBe('mine');
  });

  it('can be an earlier export with its manifest', async () => {
    const { at, run } = await setUp();
    const args = ['export', 'demo/wits', '--out', at('out.csv'), '--fields', 'timestamp'];
    expect((await run(args)).code).toBe(0);
    expect((await run(args)).code).toBe(2);
    expect((await run([...args, '--force', '--query', '{ asset_id: 5001 }'])).code).toBe(0);
    expect(readFileSync(`${at('out.csv')}.manifest.json`, 'utf8')).toContain('5001');
    expect(
      readdirSync(at())
        .filter((name) => name.startsWith('out'))
        .toSorted(),
    ).toEqual(['out.csv', 'out.csv.manifest.json']);
  });
});

const spellings: readonly (readonly [string, (at: At, name: string) => string])[] = [
  ['its own name', (at, name) => at(name)],
  ['a relative path', (at, name) => relative(process.cwd(), at(name))],
  ['a path with ..', (at, name) => `${at('full')}/../${name}`],
  [
    'a symbolic link',
    (at, name) => {
      symlinkSync(at(name), at('link'));
      return at('link');
    },
  ],
  [
    'a hard link',
    (at, name) => {
      linkSync(at(name), at('link'));
      return at('link');
    },
  ],
  [
    'a folder that is a link',
    (at, name) => {
      symlinkSync(at(), at('full', 'work'), 'junction');
      return at('full', 'work', name);
    },
  ],
];

describe.skipIf(process.platform === 'win32')('a file that a command reads is never written by it', () => {
  it.each(spellings)('even with --force, by %s', async (_what, spell) => {
    const inputs: readonly (readonly [string, (at: At, out: string) => string[]])[] = [
      ['rows.csv', (at, out) => ['upload', 'demo/uploads.time', at('rows.csv'), '--rejects', out]],
      [
        'mapping.json',
        (at, out) => [
          'upload',
          'demo/uploads.time',
          at('rows.csv'),
          '--mapping',
          at('mapping.json'),
          '--rejects',
          out,
        ],
      ],
      ['rows.csv', (at, out) => ['sql', 'SELECT 1', '--table', `t=${at('rows.csv')}`, '--out', out]],
    ];
    for (const [name, args] of inputs) {
      const { at, runOffline } = await setUp();
      const before = readFileSync(at(name), 'utf8');
      const ended = await runOffline([...args(at, spell(at, name)), '--force']);
      expect(ended.code).toBe(2);
      expect(ended.error()).toMatchObject({ code: 'invalid_input' });
      expect(ended.error()).toHaveProperty('message', expect.stringContaining(`because ${name} is read`));
      expect(readFileSync(at(name), 'utf8')).toBe(before);
    }
  });

  it('nor is a file put into a folder that is read as a table', async () => {
    const { at, run } = await setUp();
    mkdirSync(at('tables'));
    expect((await run(['sql', 'SELECT 1 AS one', '--out', at('tables', 'a.parquet')])).code).toBe(0);
    for (const name of ['a.parquet', 'b.parquet']) {
      const out = at('tables', name);
      const ended = await run([
        'sql',
        'SELECT * FROM t',
        '--table',
        `t=${at('tables')}`,
        '--out',
        out,
        '--force',
      ]);
      expect(ended.code).toBe(2);
      expect(ended.error()).toMatchObject({ code: 'invalid_input' });
    }
    expect(readdirSync(at('tables'))).toEqual(['a.parquet']);
  });
});

describe('the rejects file of a resumed upload', () => {
  it('is written again, but not over corrections', async () => {
    const { at, run } = await setUp();
    // Inserting is forbidden, so that the job stops, and can be resumed.
    const reading = connectionEnv(demo, 'read');
    const stopped = await run(
      ['upload', 'demo/uploads.time', at('rows.csv'), '--rejects', at('bad.csv'), '--existing', 'insert'],
      reading,
    );
    expect(stopped.error()).toMatchObject({ code: 'forbidden' });
    const { job } = z.object({ job: z.string() }).parse(stopped.summary());
    const first = readFileSync(at('bad.csv'), 'utf8');
    expect(first).toContain('never');
    expect((await run(['jobs', 'resume', job], reading)).error()).toMatchObject({ code: 'forbidden' });
    expect(readFileSync(at('bad.csv'), 'utf8')).toBe(first);
    writeFileSync(at('bad.csv'), 'corrected');
    const refused = await run(['jobs', 'resume', job]);
    expect(refused.error()).toMatchObject({ code: 'file_exists', details: { file: 'bad.csv' } });
    expect(readFileSync(at('bad.csv'), 'utf8')).toBe('corrected');
    renameSync(at('bad.csv'), at('corrected.csv'));
    expect((await run(['jobs', 'resume', job])).code).toBe(3);
    expect(readFileSync(at('bad.csv'), 'utf8')).toBe(first);
  });
});

describe('a folder that Wellbench wrote', () => {
  const rowsOf = async (run: (args: readonly string[]) => Promise<CliRun>, path: string) =>
    (
      await run([
        'sql',
        'SELECT count(*) AS n, count(DISTINCT asset_id) AS wells FROM t',
        '--table',
        `t=${path}`,
      ])
    ).lines[0];

  it('is replaced by another export with --force, without files of the earlier one', async () => {
    const { at, run } = await setUp();
    const write = (query: string, ...more: string[]) =>
      run([
        'export',
        'demo/wits',
        '--partition',
        'asset_id,day',
        '--out',
        at('all'),
        '--query',
        query,
        ...more,
      ]);
    expect((await write('{ asset_id: 5001 }')).code).toBe(0);
    const before = readFileSync(at('all', '_delta_log', `${'0'.repeat(20)}.json`), 'utf8');
    expect((await write('{ asset_id: 5002 }')).error()).toMatchObject({ code: 'file_exists' });
    expect(readFileSync(at('all', '_delta_log', `${'0'.repeat(20)}.json`), 'utf8')).toBe(before);
    writeFileSync(at('all', 'notes.txt'), 'mine');
    expect((await write('{ asset_id: 5002 }', '--force', '--fields', 'timestamp,asset_id')).code).toBe(0);
    expect(JSON.parse((await rowsOf(run, at('all'))) ?? '')).toMatchObject({ wells: 1 });
    expect(readdirSync(at('all'), { recursive: true, encoding: 'utf8' })).toContain('notes.txt');
    const ofFirst = readdirSync(at('all', 'asset_id=5001'), { recursive: true, encoding: 'utf8' });
    expect(ofFirst.filter((name) => name.endsWith('.parquet'))).toEqual([]);
    expect(readFileSync(at('all', '_delta_log', `${'1'.padStart(20, '0')}.json`), 'utf8')).not.toContain(
      'data.',
    );
  });

  it('is a table of Delta Lake, which a mirror updates', async () => {
    const { at, run } = await setUp();
    const write = (...more: string[]) =>
      run(['export', 'demo/wits', '--query', '{ asset_id: 5001 }', ...more]);
    expect((await write('--partition', 'asset_id', '--out', at('table'))).code).toBe(0);
    expect(readdirSync(at('table'))).toContain('_delta_log');
    const rows = await rowsOf(run, at('table'));
    expect(JSON.parse(rows ?? '')).toMatchObject({ wells: 1 });
    const mirror = ['mirror', 'demo/wits', '--out', at('table'), '--query'];
    // Its files are of wells and days.
    expect((await run([...mirror, '{ asset_id: 5001 }'])).error()).toMatchObject({ code: 'invalid_input' });
    expect(await rowsOf(run, at('table'))).toBe(rows);
    expect((await run([...mirror, '{ asset_id: 5002 }', '--force'])).code).toBe(0);
    expect(JSON.parse((await rowsOf(run, at('table'))) ?? '')).toMatchObject({ wells: 1 });
  });

  it('is updated by the same mirror, and replaced by another one only with --force', async () => {
    const { at, run } = await setUp();
    const mirror = (...more: string[]) => run(['mirror', 'demo/wits', '--out', at('wits'), ...more]);
    expect((await mirror()).code).toBe(0);
    expect((await mirror()).code).toBe(0);
    expect((await mirror('--query', '{ asset_id: 5001 }')).code).toBe(2);
    expect((await mirror('--query', '{ asset_id: 5001 }', '--force')).code).toBe(0);
    expect(JSON.parse((await rowsOf(run, at('wits'))) ?? '')).toMatchObject({ wells: 1 });
  });

  it('never has a file of its own in place of another one', async () => {
    const { at, run } = await setUp();
    const args = ['export', 'demo/wits', '--partition', 'asset_id,month', '--out', at('wits')];
    expect((await run([...args, '--query', '{ asset_id: 5001 }'])).code).toBe(0);
    const other = ['export', 'demo/wits', '--partition', 'asset_id,month', '--out', at('other')];
    expect((await run([...other, '--query', '{ asset_id: 5002 }'])).code).toBe(0);
    const [month = ''] = readdirSync(at('other', 'asset_id=5002'));
    mkdirSync(at('wits', 'asset_id=5002', month), { recursive: true });
    writeFileSync(at('wits', 'asset_id=5002', month, 'part-0.parquet'), 'mine');
    // A table has other names, and doesn't have that file.
    expect((await run([...args, '--query', '{ asset_id: 5002 }', '--force'])).code).toBe(0);
    expect(JSON.parse((await rowsOf(run, at('wits'))) ?? '')).toMatchObject({ wells: 1 });
    expect(readFileSync(at('wits', 'asset_id=5002', month, 'part-0.parquet'), 'utf8')).toBe('mine');
  });
});

describe.skipIf(!canMount)('a full disk', () => {
  it.each([
    [
      'upload --rejects',
      (out: string, at: At) => ['upload', 'demo/uploads.time', at('rows.csv'), '--rejects', out],
    ],
    ['sql', (out: string) => ['sql', `SELECT range, repeat('x', 90) AS x FROM range(20000)`, '--out', out]],
    [
      'export to a folder',
      (out: string) => ['export', 'demo/wits', '--partition', 'asset_id', '--out', `${out}-folder`],
    ],
  ] as const)('leaves nothing half-written, and the message names the file: %s', async (_what, args) => {
    const { at, run } = await setUp();
    const long = 'x'.repeat(200);
    writeFileSync(
      at('rows.csv'),
      `version,asset_id,timestamp,a\n${`1,5001,1577836800000,${long}\n1,5001,never,${long}\n`.repeat(1000)}`,
    );
    mkdirSync(at('disk'));
    await withSmallDisk(at('disk'), 64, async () => {
      writeFileSync(at('disk', 'filler'), Buffer.alloc(60_000));
      const ended = await run(args(at('disk', 'bad.csv'), at));
      expect(ended.error()).toMatchObject({ code: 'disk_full' });
      expect(ended.stderr).toMatch(/bad\.csv/);
      const left = readdirSync(at('disk'), { recursive: true, encoding: 'utf8' });
      expect(left.filter((name) => !/^filler$|-folder(?:\/(?:_lock|_delta_log))?$/.test(name))).toEqual([]);
    });
  });
});
