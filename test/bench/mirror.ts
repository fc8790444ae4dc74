// How a mirror grows: its first run, and updates with no change, and up to 10⁶ records with 1 % new ones and with a new well, at 10⁵ to 10⁷ records of
// 250 wells. `node test/bench/mirror.ts [SIZE,SIZE…] [FOLDER]`, after a build; with a folder, the mirrors stay in it. Processor time and memory
// are of the command: the service computes its records, which takes longer than mirroring them.
import { subscribe } from 'node:diagnostics_channel';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { startDemo, type Demo } from '../../src/demo/index.ts';
import type { JsonObject } from '../../src/shared/json.ts';
import { connectionEnv } from '../support/cli.ts';
import { attempt } from './support/figures.ts';
import { withFolder } from './support/folder.ts';
import { runCommand } from './support/processes.ts';

const sizes = (process.argv[2] ?? '100000,1000000,10000000').split(',').map(Number);
const kept = process.argv[3];
const dataset = 'demo/wits';
/** The records of a demo of which this dataset has 70 %, for this many in it: others describe the wells. */
const recordsFor = (size: number): number => Math.ceil(size / 0.7) + 6200;
/** A drilled well of a demo of 250, without records until it is the new one. */
const newWell = 5003;
const summarySchema = z.object({
  rows: z.int(),
  bytes: z.int(),
  added: z.int(),
  removed: z.int(),
  rewritten: z.int(),
  verified: z.literal(true),
});

let requests = 0;
subscribe('http.server.request.start', () => (requests += 1));

for (const size of sizes)
  await (kept === undefined ? withFolder((folder) => measure(size, folder)) : measure(size, kept));

async function measure(size: number, folder: string): Promise<void> {
  const demo = await startDemo({ records: recordsFor(size), wells: 250 });
  const mirror = join(folder, `mirror-${size}`);
  const run = (name: string): Promise<void> =>
    attempt(`mirror: ${name}, ${size} records`, () => update(name, demo, mirror));
  demo.change(dataset, { remove: { asset_id: newWell } });
  try {
    await run('first run');
    await run('no change, which reads the overlap for the first time');
    await run('no change');
    if (size > 1_000_000) return;
    const wells = Array.from({ length: 10 }, (_, at) => 5010 + at);
    demo.change(dataset, { insert: wells.flatMap((well) => recordsOf(well, size / 1000)) });
    await run('1 % new records, of 10 wells');
    demo.change(dataset, { insert: recordsOf(newWell, size / 250) });
    await run('a new well');
  } finally {
    await demo.close();
  }
}

/** Records of the hours before the end of the sample. */
function recordsOf(asset_id: number, count: number): JsonObject[] {
  return Array.from({ length: Math.ceil(count) }, (_, at) => ({
    company_id: 1,
    asset_id,
    version: 1,
    timestamp: Date.UTC(2026, 10, 20) - at * 1000,
    data: { hole_depth: 9000 + at / 100, rop: 50 + (at % 100) / 10, gamma_ray: 60 + (at % 40) },
  }));
}

/** Updates the mirror, and prints what it took as a line of JSON. */
async function update(name: string, demo: Demo, mirror: string): Promise<void> {
  const before = requests;
  const args = ['mirror', dataset, '--out', mirror, '--json'];
  const { ms, processorMs, residentBytes, stdout } = await runCommand(connectionEnv(demo), args);
  const summary = summarySchema.parse(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
  const log = (await readdir(join(mirror, '_delta_log'))).filter((file) => /^\d+\.json$/.test(file));
  const parts = (await readdir(mirror, { recursive: true })).filter((file) => file.endsWith('.parquet'));
  const sizesOf = await Promise.all(parts.map(async (file) => (await stat(join(mirror, file))).size));
  console.log(
    JSON.stringify({
      name,
      ...summary,
      seconds: Math.round(ms / 100) / 10,
      processorSeconds: Math.round(processorMs / 100) / 10,
      residentMb: Math.round(residentBytes / 1e6),
      requests: requests - before,
      versions: log.length,
      filesInFolder: parts.length,
      mbInFolder: Math.round(sizesOf.reduce((sum, bytes) => sum + bytes, 0) / 1e5) / 10,
    }),
  );
}
