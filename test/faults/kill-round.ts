import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { connectionEnv, runInProcess, type CliRun } from '../support/cli.ts';
import { seededRandom } from '../support/clock.ts';
import { csvForm, well, type RoundForm } from './round-forms.ts';
import { PowerWorld, randomOutcome, usualPowerLossRate } from './power/world.ts';
import { runAndKill } from './run-and-kill.ts';

/** The outcomes of the rows of all rounds. */
export interface UploadTotals {
  /** Processes killed while they worked. */
  kills: number;
  /** Those after which unflushed data was lost. */
  powerLosses: number;
  rounds: number;
  rows: number;
  accepted: number;
  rejected: number;
  unknown: number;
  /** Those of them that are stored: a read could have verified them. */
  unknownButStored: number;
  /** The maximum number of unknown rows in one round. */
  mostUnknown: number;
  /** Rows that are neither stored nor rejected nor unknown. */
  lost: number;
  /** Records without a row. */
  twice: number;
}
export const emptyUploadTotals = (): UploadTotals => ({
  kills: 0,
  powerLosses: 0,
  rounds: 0,
  rows: 0,
  accepted: 0,
  rejected: 0,
  unknown: 0,
  unknownButStored: 0,
  mostUnknown: 0,
  lost: 0,
  twice: 0,
});

const shapes = ['string', 'indexed', 'nested', 'none'] as const;
const maxKills = 3;
/** The time from the start of a job to its kill, in milliseconds. */
const killWithin = 800;

const summaryShape = z.object({
  job: z.string(),
  rows: z.int(),
  accepted: z.int(),
  rejected: z.int(),
  unknown: z.int(),
  pending: z.int(),
});
type Summary = z.infer<typeof summaryShape>;

async function request(demo: Demo, path: string, body: unknown): Promise<unknown> {
  const response = await fetch(`${demo.dataUrl}/api/v1/data/demo/${path}`, {
    method: 'POST',
    headers: { authorization: `API ${demo.apiKeys.write}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return response.json();
}

async function storedIn(demo: Demo, { dataset, sort, textOf }: RoundForm): Promise<string[]> {
  const page = z.array(z.looseObject({}));
  const all: string[] = [];
  for (;;) {
    const query = { query: { asset_id: well }, sort, limit: 10_000, skip: all.length };
    const records = page.parse(await request(demo, `${dataset}/list/`, query));
    if (records.length === 0) return all;
    all.push(...records.map(textOf));
  }
}

const tally = (texts: readonly string[]): Map<string, number> => {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
};

async function rejectedIn(path: string, { rejectedText }: RoundForm): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '');
  const lines = text.trimEnd().split('\n').slice(1);
  return lines.flatMap((line) => rejectedText(line.split(',')) ?? []);
}

const summaryOf = (run: CliRun): Summary | null => {
  const last = run.lines.at(-1);
  return last === undefined ? null : (summaryShape.safeParse(JSON.parse(last)).data ?? null);
};

/** Resumes the job until it is done. */
async function finish(run: (what: 'resume' | 'show') => Promise<CliRun>): Promise<Summary> {
  let output = '';
  for (let tries = 0; tries < 60; tries++) {
    const resumed = await run('resume');
    const isDone = resumed.code === 0 || resumed.code === 3 || resumed.stderr.includes('"job_state"');
    const summary = summaryOf(isDone ? await run('show') : resumed);
    if (isDone && summary?.pending === 0 && !resumed.stderr.includes('"outcome_unknown"')) return summary;
    output = resumed.stderr;
  }
  throw new Error(`the job does not come to an end: ${output}`);
}

/**
 * Uploads a file through the command line with 10% lost responses, 10% 5xx, and 5% partial failures, kills the
 * process at random moments, at some of them with a power loss, resumes, and adds the outcomes of the rows to the totals.
 * @param powerLossRate the part of the kills that are power losses
 */
export async function killRound(
  seed: number,
  totals: UploadTotals,
  form: RoundForm = csvForm,
  powerLossRate = usualPowerLossRate,
): Promise<void> {
  const random = seededRandom(seed);
  const demo = await startDemo({ records: 1, wells: 3, seed });
  const place = await mkdtemp(join(tmpdir(), 'wellbench-kill-'));
  const world = new PowerWorld(join(place, 'world'), join(place, 'records'));
  const folder = world.root;
  try {
    const rows = form.makeRows(random);
    const before = rows.filter(() => random() < 0.02).concat(form.makeRows(random).slice(0, 50));
    await request(demo, `${form.dataset}/`, before.map(form.recordOf));
    const [file, rejects, data] = [join(folder, form.name), join(folder, 'r.csv'), join(folder, 'data')];
    await writeFile(file, form.write(rows));
    const mapping = join(folder, 'mapping.json');
    await writeFile(mapping, JSON.stringify(form.mapping));
    Object.assign(demo.faults, {
      reset_after_write: 0.1,
      rate_5xx: 0.1,
      partial_failure: 0.05,
      message_shape: shapes[seed % shapes.length],
      fault_on: 'writes',
      latency_ms: 20,
      jitter_ms: 60,
    });
    const common = ['--json', '--data-dir', data];
    const options = ['--mapping', mapping, '--settle', '0.1', '--rejects', rejects, ...common];
    const start = ['upload', `demo/${form.dataset}`, file, ...options];
    world.settle();
    let args = start;
    let job = '';
    for (let kills = 0; kills < maxKills; kills++) {
      const { killed, output } = await runAndKill(args, demo, {
        startPattern: /Job \S+ inserts/,
        afterMs: random() * killWithin,
        world,
      });
      job = /Job (\S+) inserts/.exec(output)?.[1] ?? job;
      if (!killed || job === '') break;
      totals.kills++;
      if (random() < powerLossRate) {
        totals.powerLosses++;
        world.losePower(randomOutcome(random));
      }
      args = ['jobs', 'resume', job, ...common];
    }
    const summary = await finish((what) => runInProcess(['jobs', what, job, ...common], connectionEnv(demo)));
    Object.assign(demo.faults, { latency_ms: 0, jitter_ms: 0 });
    addRound(totals, summary, rows, before, await storedIn(demo, form), await rejectedIn(rejects, form));
  } finally {
    await demo.close();
    await rm(place, { recursive: true, force: true });
  }
}

function addRound(
  totals: UploadTotals,
  { accepted, rejected, unknown }: Summary,
  rows: readonly string[],
  before: readonly string[],
  stored: readonly string[],
  refused: readonly string[],
): void {
  const [inFile, there, now, no] = [rows, before, stored, refused].map(tally);
  let missing = 0;
  for (const text of new Set([...rows, ...before, ...stored])) {
    const wanted = Math.max(inFile?.get(text) ?? 0, there?.get(text) ?? 0) - (no?.get(text) ?? 0);
    const found = now?.get(text) ?? 0;
    missing += Math.max(0, wanted - found);
    totals.twice += Math.max(0, found - wanted);
  }
  totals.rounds++;
  totals.rows += rows.length;
  totals.accepted += accepted;
  totals.rejected += rejected;
  totals.unknown += unknown;
  totals.unknownButStored += Math.max(0, unknown - missing);
  totals.mostUnknown = Math.max(totals.mostUnknown, unknown);
  totals.lost += Math.max(0, missing - unknown) + (rows.length - accepted - rejected - unknown);
}
