import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { exportFormats, type ExportFormat } from '../../src/shared/export/export.ts';
import { partBytes } from '../main/features/export/support/folders.ts';
import { cliEnd, connectionEnv, runInProcess, startCli, type CliRun } from '../support/cli.ts';
import { recordsPart } from '../support/export-content.ts';
import { sampleOf } from '../support/sample.ts';
import { PowerWorld, worstOutcome } from './power/world.ts';

// The worst case at chosen flushes, of what the simulator doesn't have: files of DuckDB, and the flushes of the system. It loses
// power in mirrors, checks, and finished exports; `npm run soak -- exports uploads mirrors` loses power at random moments.

let demo: Demo;
let place: string;
let world: PowerWorld;

beforeAll(async () => {
  demo = await startDemo({ records: 60_000, wells: 6, seed: 7 });
});
afterAll(() => demo.close());
beforeEach(async () => {
  place = await mkdtemp(join(tmpdir(), 'wellbench-power-'));
  world = new PowerWorld(join(place, 'world'), join(place, 'records'));
});
afterEach(() => rm(place, { recursive: true, force: true }));

const inWorld = (name: string): string => join(world.root, name);
const common = (): string[] => ['--json', '--data-dir', inWorld('data')];
/** Runs a command that nothing disturbs. */
const run = (args: readonly string[]): Promise<CliRun> =>
  runInProcess([...args, ...common()], connectionEnv(demo));

/** Runs a command that ends before a flush, and undoes everything that was not flushed, except the journal. */
async function runUntilPowerLoss(args: readonly string[], endBefore: number): Promise<string> {
  world.settle();
  const child = startCli([...args, ...common()], { ...connectionEnv(demo), ...world.env(endBefore) });
  const { stderr } = await cliEnd(child);
  expect(child.signalCode, stderr).toBe('SIGKILL');
  // Its entries stay: they must not say more than what is on disk.
  world.losePower(worstOutcome('zeros', (path) => path.endsWith('journal.ndjson')));
  return stderr;
}

/** Runs a command to its end, and undoes everything that was not flushed. */
async function runThenLosePower(args: readonly string[]): Promise<CliRun> {
  world.settle();
  const ended = await cliEnd(startCli([...args, ...common()], { ...connectionEnv(demo), ...world.env() }));
  expect(ended.code, ended.stderr).toBe(0);
  world.losePower(worstOutcome('zeros', () => false));
  return ended;
}

const jobSummary = z.object({ job: z.string() });

/** Pages arrive slowly enough that some are flushed, and some are not. */
async function withSlowService<T>(work: () => Promise<T>): Promise<T> {
  Object.assign(demo.faults, { latency_ms: 300 });
  return work().finally(() => Object.assign(demo.faults, { latency_ms: 0 }));
}

/** While the job is created, and before, within, and after a group of flushes of pages. */
const ends = [5, 15, 19, 21, 22, 25];

const requestOf = (format: ExportFormat): string[] =>
  format === 'las'
    ? ['demo/drilling.wits.depth', '--query', '{asset_id: 5002}', '--sort', '{measured_depth: 1}'].concat(
        '--depth-unit',
        'ft',
      )
    : ['demo/wits', '--query', '{asset_id: {$in: [5001, 5002, 5003]}}', '--sort', '{timestamp: 1}'];

describe.skipIf(process.platform !== 'linux')('after a power loss', () => {
  const formats = exportFormats.map((format, at) => [format, ends[at % ends.length] ?? 0] as const);
  it.each(sampleOf(formats, 1))(
    'an export has the content of an undisturbed one: %s',
    async (format, endBefore) => {
      const exportTo = (name: string): string[] => [
        'export',
        ...requestOf(format),
        '--format',
        format,
        '--out',
        inWorld(name),
      ];
      const contentOf = async (name: string): Promise<Buffer> =>
        recordsPart(format, await readFile(inWorld(name)));
      expect((await run(exportTo(`whole.${format}`))).code).toBe(0);
      const name = `f.${format}`;
      const output = await withSlowService(() => runUntilPowerLoss(exportTo(name), endBefore));
      const job = /Job (\S+) writes/.exec(output)?.[1];
      const { code, stderr } = await run(job === undefined ? exportTo(name) : ['jobs', 'resume', job]);
      expect(code, stderr).toBe(0);
      expect((await contentOf(name)).equals(await contentOf(`whole.${format}`))).toBe(true);
    },
  );

  it.each(sampleOf([6, 10, 12, 14], 1))(
    'an upload stores each row once, before flush %i',
    async (endBefore) => {
      const rows = Array.from({ length: 40 }, (_, n) => 1_600_000_000_000 + endBefore * 1_000_000 + n * 1000);
      const query = `{asset_id: 5004, timestamp: {$gte: ${rows[0]}, $lte: ${rows.at(-1)}}}`;
      await writeFile(
        inWorld('f.csv'),
        `version,asset_id,timestamp,data.n\n${rows.map((time) => `1,5004,${time},7\n`).join('')}`,
      );
      await writeFile(inWorld('mapping.json'), '{"rest":"data"}');
      const upload = ['upload', 'demo/uploads.time', inWorld('f.csv'), '--mapping', inWorld('mapping.json')];
      const settle = ['--settle', '0.1'];
      const stored = async (): Promise<number> =>
        z
          .object({ count: z.int() })
          .parse((await run(['count', 'demo/uploads.time', '--query', query])).summary()).count;
      const output = await runUntilPowerLoss([...upload, ...settle], endBefore);
      const job = /Job (\S+) inserts/.exec(output)?.[1];
      if (job === undefined) expect(await stored()).toBe(0);
      const { code, stderr } = await run(
        job === undefined ? [...upload, ...settle] : ['jobs', 'resume', job],
      );
      expect(code === 0 || stderr.includes('job_state'), stderr).toBe(true);
      expect(await stored()).toBe(rows.length);
    },
  );

  it('a folder that is done has its files', async () => {
    const exportTo = (name: string): string[] => [
      'export',
      'demo/wits',
      '--query',
      '{asset_id: 5001}',
      '--format',
      'parquet',
      '--partition',
      'asset_id,day',
      '--out',
      inWorld(name),
    ];
    expect((await run(exportTo('whole'))).code).toBe(0);
    const { job } = jobSummary.parse((await runThenLosePower(exportTo('f'))).summary());
    expect(await partBytes(inWorld('f'))).toEqual(await partBytes(inWorld('whole')));
    expect((await run(['jobs', 'show', job])).summary()).toMatchObject({ state: 'done' });
  });

  it('settings have their earlier content or the new one', async () => {
    const file = pathToFileURL(join(import.meta.dirname, '../../src/main/core/files/shared-file.ts')).href;
    const path = inWorld('settings.json');
    const script = `const { writeVersioned } = await import('${file}');
      for (let n = 1; n < 9; n += 1) { await writeVersioned('${path}', 1, { n, text: 'x'.repeat(5000) }); console.log(n); }`;
    for (let endBefore = 1; endBefore < 10; endBefore += 1) {
      await writeFile(path, JSON.stringify({ format: 1, n: 0 }));
      world.settle();
      const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
        env: { ...process.env, ...world.env(endBefore) },
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let written = 0;
      child.stdout.on('data', (text: Buffer) => (written = Number(String(text).trim().split('\n').at(-1))));
      await once(child, 'close');
      world.losePower(worstOutcome(endBefore % 2 === 0 ? 'zeros' : 'cut', () => false));
      const { n } = z.object({ n: z.int() }).parse(JSON.parse(await readFile(path, 'utf8')));
      expect(n).toBe(written);
    }
  });
});
