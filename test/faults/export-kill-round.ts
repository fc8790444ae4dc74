import { createHash } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { exportFormats, type ExportFormat } from '../../src/shared/export/export.ts';
import { connectionEnv, runCli, type CliRun } from '../support/cli.ts';
import { recordsPart } from '../support/export-content.ts';
import { seededRandom } from '../support/clock.ts';
import { PowerWorld, randomOutcome, usualPowerLossRate } from './power/world.ts';
import { runAndKill } from './run-and-kill.ts';

/** The outcome of killed exports. */
export interface ExportTotals {
  /** Processes killed while they worked. */
  kills: number;
  /** Those after which unflushed data was lost. */
  powerLosses: number;
  rounds: number;
  rows: number;
  /** Files whose bytes differ from those of an undisturbed run. */
  different: number;
  /** Files that had their final name before they were complete. */
  early: number;
  /** The differences of a round, with the folder of its files and its job. */
  kept: string[];
}
export const emptyExportTotals = (): ExportTotals => ({
  kills: 0,
  powerLosses: 0,
  rounds: 0,
  rows: 0,
  different: 0,
  early: 0,
  kept: [],
});

const maxKills = 3;
/** The time from the start of a job to its kill, in milliseconds. */
const killWithin = 900;
/** The same where a power loss follows: checkpoints are durable about once a second. */
const powerLossWithin = 3500;

/** Sorts of a dataset with unique times, one without, one against the index, and one without an index. */
const sorts = ['{timestamp: 1}', '{timestamp: -1}', '{asset_id: 1, timestamp: 1}', '{"data.rop": 1}'];
const severalWells = (seed: number) => ({
  dataset: 'demo/wits',
  query: '{asset_id: {$in: [5001, 5002, 5003]}}',
  sort: sorts[Math.floor(seed / exportFormats.length) % sorts.length] ?? '',
});
/** A LAS file has one log of one well. */
const oneLog = {
  dataset: 'demo/drilling.wits.depth',
  query: '{asset_id: 5002}',
  sort: '{measured_depth: 1}',
};
const summaryShape = z.object({ state: z.string(), rows: z.int() });

const faults = {
  rate_5xx: 0.1,
  rate_429: 0.05,
  reset_before: 0.05,
  truncate: 0.02,
  latency_ms: 60,
  jitter_ms: 120,
  unstable_ties: true,
};
const quiet = { rate_5xx: 0, rate_429: 0, reset_before: 0, truncate: 0, latency_ms: 0, jitter_ms: 0 };

function summaryOf({ lines, stderr }: CliRun) {
  const summary = summaryShape.safeParse(JSON.parse(lines.at(-1) ?? '{}'));
  if (!summary.success) throw new Error(`The export has no summary: ${stderr}`);
  return summary.data;
}

const digestOf = async (folder: string, name: string): Promise<string> =>
  createHash('sha256')
    .update(recordsPart(name.split('.').at(-1) ?? '', await readFile(join(folder, name))))
    .digest('hex');

/**
 * Exports through the command line while the service fails, kills the process at random moments, at some of them with a
 * power loss, resumes, and compares the file with that of an undisturbed run. Keeps the folder of a round with a
 * difference.
 * @param powerLossRate the part of the kills that are power losses
 */
export async function exportKillRound(
  seed: number,
  totals: ExportTotals,
  powerLossRate = usualPowerLossRate,
): Promise<void> {
  const random = seededRandom(seed);
  const format: ExportFormat = exportFormats[seed % exportFormats.length] ?? 'csv';
  const { dataset, query, sort } = format === 'las' ? oneLog : severalWells(seed);
  const demo = await startDemo({ records: 60_000, wells: 6, seed: 7 });
  const place = await mkdtemp(join(tmpdir(), 'wellbench-kill-'));
  const world = new PowerWorld(join(place, 'world'), join(place, 'records'));
  const folder = world.root;
  const name = `f.${format}`;
  const depthUnit = format === 'las' ? ['--depth-unit', 'ft'] : [];
  const common = ['--json', '--data-dir', join(folder, 'data')];
  const exportTo = (out: string): string[] => [
    'export',
    dataset,
    '--query',
    query,
    '--sort',
    sort,
    '--format',
    format,
    '--out',
    out,
    ...depthUnit,
    ...common,
  ];
  const problems: string[] = [];
  const undone: string[][] = [];
  try {
    const whole = await runCli(exportTo(join(folder, `whole.${format}`)), connectionEnv(demo));
    const wanted = summaryOf(whole);
    const wantedDigest = await digestOf(folder, `whole.${format}`);
    Object.assign(demo.faults, faults);
    world.settle();
    let args = exportTo(join(folder, name));
    let job = '';
    for (let kills = 0; kills < maxKills; kills++) {
      const losesPower = random() < powerLossRate;
      const { killed, output } = await runAndKill(args, demo, {
        startPattern: /Job \S+ writes/,
        afterMs: random() * (losesPower ? powerLossWithin : killWithin),
        world,
      });
      job = /Job (\S+) writes/.exec(output)?.[1] ?? job;
      if (!killed || job === '') break;
      totals.kills++;
      if (losesPower) {
        totals.powerLosses++;
        undone.push(world.losePower(randomOutcome(random)));
      }
      const named = (await readdir(folder)).includes(name);
      if (named && (await digestOf(folder, name)) !== wantedDigest) {
        totals.early++;
        problems.push(`${name} was named early by kill ${kills + 1}`);
      }
      args = ['jobs', 'resume', job, ...common];
    }
    Object.assign(demo.faults, quiet);
    const last = job === '' ? await runCli(args, connectionEnv(demo)) : await resume(demo, job, common);
    totals.rounds++;
    const { state, rows } = summaryOf(last);
    totals.rows += rows;
    const digest = await digestOf(folder, name).catch(() => 'none');
    const differences = [
      ...(digest === wantedDigest ? [] : [`the bytes of ${name} differ from those of whole.${format}`]),
      ...(rows === wanted.rows && state === 'done'
        ? []
        : [`it is ${state} with ${rows} rows: ${last.stderr}`]),
    ];
    if (differences.length > 0) totals.different++;
    problems.push(...differences);
  } finally {
    await demo.close();
    if (problems.length === 0) await rm(place, { recursive: true, force: true });
    else
      totals.kept.push(
        `seed ${seed}, ${format} by ${sort}, in ${place}: ${problems.join('; ')}; ${JSON.stringify(undone)}`,
      );
  }
}

/** Resumes the job, or shows it if the last process finished it. */
async function resume(demo: Demo, job: string, common: string[]): Promise<CliRun> {
  const resumed = await runCli(['jobs', 'resume', job, ...common], connectionEnv(demo));
  if (resumed.code === 0) return resumed;
  const shown = await runCli(['jobs', 'show', job, ...common], connectionEnv(demo));
  if (shown.code !== 0) throw new Error(`${resumed.stderr}\n${shown.stderr}`);
  return { ...shown, stderr: resumed.stderr };
}
