import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { statsSum } from '../../src/main/core/write/census/tally.ts';
import { statsOfPart } from '../../src/main/core/write/folder/table-state.ts';
import { readTable, type TableState } from '../../src/main/core/write/folder/table-state.ts';
import type { JsonObject } from '../../src/shared/json.ts';
import { partBytes, readCheckpoint, recordsById } from '../main/features/export/support/folders.ts';
import { connectionEnv, runInProcess } from '../support/cli.ts';
import { seededRandom } from '../support/clock.ts';
import { PowerWorld, randomOutcome, usualPowerLossRate } from './power/world.ts';
import { runAndKill } from './run-and-kill.ts';

/** The maximum time from the start of a job to its kill, in milliseconds. */
const killWithin = 1200;
const wells = [5001, 5002, 5003];
/** Wells without records at the start. */
const lateWells = [5004, 5005, 5006];
const dataset = 'demo/wits';
const hour = 3_600_000;
const day = 24 * hour;
/** The number of killed updates between two completed ones. */
const completeEvery = 4;

/** The outcome of the kills of a mirror. */
export interface MirrorTotals {
  readonly kills: number;
  /** Those after which unflushed data was lost. */
  readonly powerLosses: number;
  /** How often the dataset changed, by the kind of change. */
  readonly changes: Readonly<Record<string, number>>;
  /** Kills after which a file differed from the log. */
  readonly tornCount: number;
  /** How often another program read the mirror, and how often it found other records than the log has. */
  readonly reads: number;
  readonly misreadCount: number;
  /** Whether the mirror ended with the records of a fresh export, and without changes with its bytes. */
  readonly isEqual: boolean;
}

interface Change {
  readonly random: () => number;
  /** The time of the last record, in milliseconds. */
  readonly last: number;
  /** The number of the change. */
  readonly n: number;
}

const record = (asset_id: number, rest: JsonObject, { random }: Change): JsonObject => ({
  company_id: 1,
  asset_id,
  version: 1,
  ...rest,
  data: { rop: Math.round(random() * 1000) / 10 + 0.05 },
});
const pick = (random: () => number): number => wells[Math.floor(random() * wells.length)] ?? 5001;
const timesFrom = (start: number, count: number): number[] =>
  Array.from({ length: count }, (_, n) => start + n * 60_000);

/** What happens to a dataset between two updates. */
const changes: Readonly<Record<string, (demo: Demo, change: Change) => void>> = {
  'late records': (demo, change) => {
    const insert = wells.map((well) =>
      record(well, { timestamp: change.last - Math.floor(change.random() * 6 * hour) }, change),
    );
    demo.change(dataset, { insert });
  },
  'future records': (demo, change) => {
    const times = [Date.UTC(2099, 0, 1) + change.n, change.last * 1000];
    demo.change(dataset, {
      insert: times.map((timestamp) => record(pick(change.random), { timestamp }, change)),
    });
  },
  'late wells': (demo, change) => {
    const well = lateWells[change.n % lateWells.length] ?? 5004;
    const start = change.last - Math.floor((2 + change.random() * 20) * day);
    const insert = timesFrom(start, 300).map((timestamp) => record(well, { timestamp }, change));
    demo.change(dataset, { insert });
  },
  'catch-up wells': (demo, change) => {
    const well = pick(change.random);
    const start = change.last - Math.floor((1 + change.random() * 5) * day);
    const insert = timesFrom(start + 500, 300).map((timestamp) => record(well, { timestamp }, change));
    demo.change(dataset, { insert });
  },
  deletions: (demo, change) => {
    const from = change.last - Math.floor(change.random() * 10 * day);
    const timestamp = { $gte: from, $lt: from + Math.floor(change.random() * 3 * hour) };
    demo.change(dataset, { remove: { asset_id: pick(change.random), timestamp } });
  },
  'records without time': (demo, change) => {
    const insert = [{}, { timestamp: null }].map((rest) => record(pick(change.random), rest, change));
    demo.change(dataset, { insert });
  },
};

/** The table that a mirror is; null: there is none yet. */
const tableOf = (mirror: string): Promise<TableState | null> => readTable(mirror, readCheckpoint);

/** Whether a file of the table's last version, or of the one before, differs from what its log says. */
async function isTorn(mirror: string): Promise<boolean> {
  for (const { path, sha256 } of (await tableOf(mirror))?.parts ?? []) {
    const bytes = await readFile(join(mirror, path));
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) return true;
  }
  return false;
}

/** The version of a table and the number of its records, as its log has them. */
const versionOf = ({ snapshot, parts }: TableState): string =>
  `${snapshot.version} ${parts.reduce((sum, { rows }) => sum + rows, 0)}`;

/** The same, as another program reads them from the files. */
async function readByOther(python: string, mirror: string): Promise<string> {
  // At its usual end, threads of its libraries can abort the process after the answer.
  const script =
    'import os, sys, deltalake; t = deltalake.DeltaTable(sys.argv[1]); print(t.version(), t.to_pyarrow_table().num_rows, flush=True); os._exit(0)';
  const { stdout } = await promisify(execFile)(python, ['-c', script, mirror]);
  return stdout.trim();
}

/** The records of a folder by partition, whatever the order and the types of its columns, which depend on what came first. */
const contentOf = async (folder: string): Promise<string> =>
  JSON.stringify(
    Object.entries(await recordsById(folder)).map(([partition, records]) => [
      partition,
      records.map((each) =>
        Object.entries(each)
          .map(([path, value]) => [path, String(value)] as const)
          .toSorted(([a], [b]) => a.localeCompare(b)),
      ),
    ]),
  );

interface RoundOptions {
  /** The number of updates that are killed. */
  readonly updates: number;
  /** Whether the dataset changes between them. */
  readonly hasChanges: boolean;
  /** A Python with deltalake, which reads the mirror after each kill; absent: it isn't read. */
  readonly reader?: string | null;
}

/** Updates a mirror, kills each update at a random moment, and compares it with a fresh export in the end. */
export async function mirrorKillRound(
  seed: number,
  { updates, hasChanges, reader = null }: RoundOptions,
): Promise<MirrorTotals> {
  const random = seededRandom(seed);
  const demo = await startDemo({ records: 12_000, wells: 6, seed: 7 });
  const place = await mkdtemp(join(tmpdir(), 'wellbench-kill-'));
  const world = new PowerWorld(join(place, 'world'), join(place, 'records'));
  const folder = world.root;
  const [mirror, fresh] = [join(folder, 'mirror'), join(folder, 'fresh')];
  const asset_id = { $in: [...wells, ...lateWells] };
  demo.change(dataset, { remove: { asset_id: { $in: lateWells } } });
  const own = ['--query', JSON.stringify({ asset_id }), '--json', '--data-dir', join(folder, 'data')];
  const environment = connectionEnv(demo);
  const update = ['mirror', dataset, '--out', mirror, '--overlap', '1h', ...own];
  async function complete(): Promise<void> {
    const { code, stderr, stdout } = await runInProcess(update, environment);
    if (code !== 0 || !stdout.includes('"verified":true'))
      throw new Error(`an update ended with ${code}: ${stderr} ${stdout}`);
  }
  const counts: Record<string, number> = {};
  let [kills, powerLosses, tornCount, reads, misreadCount] = [0, 0, 0, 0, 0];
  try {
    for (let n = 0; n < updates; n += 1) {
      if (hasChanges && n % completeEvery === 0) await complete();
      world.settle();
      const { killed } = await runAndKill(update, demo, {
        startPattern: /Job \S+ updates/,
        afterMs: random() * killWithin,
        world,
      });
      if (killed) kills += 1;
      if (killed && random() < usualPowerLossRate) {
        powerLosses += 1;
        world.losePower(randomOutcome(random));
      }
      if (await isTorn(mirror)) tornCount += 1;
      const table = reader === null ? null : await tableOf(mirror);
      if (reader !== null && table) {
        reads += 1;
        if ((await readByOther(reader, mirror)) !== versionOf(table)) misreadCount += 1;
      }
      const { last } = statsSum(((await tableOf(mirror))?.parts ?? []).map(statsOfPart));
      if (!hasChanges || last === null) continue;
      for (const [kind, change] of Object.entries(changes)) {
        if (random() < 0.4) continue;
        change(demo, { random, last, n });
        counts[kind] = (counts[kind] ?? 0) + 1;
      }
    }
    await complete();
    await runInProcess(['mirror', dataset, '--out', fresh, '--overlap', '1h', ...own], environment);
    const isEqual = hasChanges
      ? (await contentOf(mirror)) === (await contentOf(fresh))
      : JSON.stringify(await partBytes(mirror)) === JSON.stringify(await partBytes(fresh));
    return { kills, powerLosses, changes: counts, tornCount, reads, misreadCount, isEqual };
  } finally {
    await demo.close();
    await rm(place, { recursive: true, force: true });
  }
}
