import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import { completeCommit } from '../../src/main/export/folder/commit.ts';
import { readFolderManifest } from '../../src/main/export/folder/manifest.ts';
import { partBytes, recordsIn } from '../main/export/support/folders.ts';
import { connectionEnv, runCli } from '../support/cli.ts';
import { seededRandom } from '../support/clock.ts';
import { PowerWorld, randomOutcome, usualPowerLossRate } from './power/world.ts';
import { runAndKill } from './run-and-kill.ts';

/** The maximum time from the start of a job to its kill, in milliseconds. */
const killWithin = 1200;
const wells = [5001, 5002, 5003];
/** With late records, the number of killed updates between two completed ones. */
const completeEvery = 4;
/** The maximum age of a late record, in milliseconds; the overlap of the updates is longer. */
const maxLateMs = 6 * 3_600_000;

/** The outcome of the kills of a mirror. */
export interface MirrorTotals {
  readonly kills: number;
  /** Those after which unflushed data was lost. */
  readonly powerLosses: number;
  readonly lateRecords: number;
  /** Kills after which a file differed from its manifest. */
  readonly tornCount: number;
  /** Whether the mirror ended with the records of a fresh export, and without late records with its bytes. */
  readonly isEqual: boolean;
}

async function addLate(demo: Demo, last: number, random: () => number): Promise<number> {
  const records = wells.map((asset_id) => ({
    version: 1,
    asset_id,
    timestamp: last - Math.floor(random() * maxLateMs),
    data: { rop: random() * 100 },
  }));
  const { status } = await fetch(`${demo.dataUrl}/api/v1/data/demo/wits/`, {
    method: 'POST',
    headers: { Authorization: `API ${demo.apiKeys.write}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(records),
  });
  if (status !== 200) throw new Error(`late records were refused: ${status}`);
  return records.length;
}

async function isTorn(mirror: string): Promise<boolean> {
  const parts = (await readFolderManifest(mirror))?.parts ?? [];
  for (const { path, sha256 } of parts) {
    const bytes = await readFile(join(mirror, path));
    if (createHash('sha256').update(bytes).digest('hex') !== sha256) return true;
  }
  return Object.keys(partBytes(mirror)).length !== parts.length;
}

/** The records of a folder by partition, in any order. */
const contentOf = async (folder: string): Promise<string> =>
  JSON.stringify(
    Object.entries(await recordsIn(folder)).map(([partition, records]) => [
      partition,
      records.toSorted((a, b) => String(a['_id']).localeCompare(String(b['_id']))),
    ]),
  );

/**
 * Updates a mirror, kills each update at a random moment, and compares it with a fresh export in the end.
 * @param updates the number of updates that are killed
 * @param hasLate whether late records arrive between them
 */
export async function mirrorKillRound(
  seed: number,
  { updates, hasLate }: { readonly updates: number; readonly hasLate: boolean },
): Promise<MirrorTotals> {
  const random = seededRandom(seed);
  const demo = await startDemo({ records: 20_000, wells: 6, seed: 7 });
  const place = await mkdtemp(join(tmpdir(), 'wellbench-kill-'));
  const world = new PowerWorld(join(place, 'world'), join(place, 'records'));
  const folder = world.root;
  const [mirror, fresh] = [join(folder, 'mirror'), join(folder, 'fresh')];
  const own = [
    '--query',
    `{asset_id: {$in: [${wells.join(', ')}]}}`,
    '--json',
    '--data-dir',
    join(folder, 'data'),
  ];
  const update = ['mirror', 'demo/wits', '--out', mirror, '--overlap', '1d', ...own];
  async function complete(): Promise<void> {
    const { code, stderr } = await runCli(update, connectionEnv(demo));
    if (code !== 0) throw new Error(`an update ended with ${code}: ${stderr}`);
  }
  let [kills, powerLosses, lateRecords, tornCount] = [0, 0, 0, 0];
  try {
    for (let n = 0; n < updates; n += 1) {
      // Late records are those older than the last completed update.
      if (hasLate && n % completeEvery === 0) await complete();
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
      await completeCommit(mirror);
      if (await isTorn(mirror)) tornCount += 1;
      const last = (await readFolderManifest(mirror))?.watermark ?? null;
      if (hasLate && last !== null) lateRecords += await addLate(demo, last, random);
    }
    await complete();
    const partition = ['--partition', 'asset_id,day', '--out', fresh];
    await runCli(['export', 'demo/wits', ...partition, ...own], connectionEnv(demo));
    const isEqual = hasLate
      ? (await contentOf(mirror)) === (await contentOf(fresh))
      : JSON.stringify(partBytes(mirror)) === JSON.stringify(partBytes(fresh));
    return { kills, powerLosses, lateRecords, tornCount, isEqual };
  } finally {
    await demo.close();
    await rm(place, { recursive: true, force: true });
  }
}
