// How speed grows with size, at 10⁴ to 10⁷ rows on a local connection: exports and uploads in rows/s, the grid by the
// time from a jump until its rows are loaded. `node test/bench/growth.ts [LARGEST]`, after a build. The service keeps
// all records in memory: about 5 GB for 10⁷.
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { openAnswerWindow } from './support/answer-window.ts';
import { openBrowser } from './support/browser.ts';
import { attempt, median } from './support/figures.ts';
import { withFolder } from './support/folder.ts';
import {
  runCommand,
  requireAll,
  startService,
  type Observed,
  type ServiceProcess,
} from './support/processes.ts';
import { csvTexts } from './support/records.ts';
import { scrollerOf, showAll } from './support/scrolling.ts';

const largest = Number(process.argv[2] ?? 10_000_000);
const sizes = [10_000, 100_000, 1_000_000, 10_000_000].filter((size) => size <= largest);

for (const size of sizes)
  await withFolder(async (folder) => {
    await attempt(`growth at ${size} records`, () => withRecords(size, folder));
    await attempt(`growth of upload at ${size} rows`, async () => {
      const file = join(folder, 'rows.csv');
      await pipeline(Readable.from(csvTexts(size)), createWriteStream(file));
      tellRun('upload', size, await uploaded(size, file));
    });
  });

/** The records that an export and the grid read. */
async function withRecords(size: number, folder: string): Promise<void> {
  const full = await startService(size);
  try {
    await attempt(`growth of export at ${size} records`, async () =>
      tellRun('export', size, await exported(full, size, join(folder, 'out.csv'))),
    );
    await attempt(`growth of the grid at ${size} records`, async () =>
      console.log(JSON.stringify({ name: 'grid', size, ours: await jumped(full, size), unit: 'ms' })),
    );
  } finally {
    await full.stop();
  }
}

/** One point of a curve, with the command's maximum memory and the longest stall of its main thread. */
function tellRun(name: string, size: number, { ms, residentBytes, stallMs }: Observed): void {
  const ours = Math.round(size / (ms / 1000));
  const beside = { residentMb: Math.round(residentBytes / 1e6), stallMs: Math.round(stallMs) };
  console.log(JSON.stringify({ name, size, ours, unit: 'rows/s', ...beside }));
}

async function exported({ port }: ServiceProcess, rows: number, out: string): Promise<Observed> {
  const run = await runCommand(port, [
    'export',
    'bench/time',
    '--sort',
    '{timestamp:1}',
    '--out',
    out,
    '--json',
  ]);
  await rm(out);
  return requireAll(run, 'rows', rows);
}

async function uploaded(rows: number, file: string): Promise<Observed> {
  const empty = await startService(0);
  try {
    const run = await runCommand(empty.port, ['upload', 'bench/time', file, '--json']);
    return requireAll(run, 'accepted', rows);
  } finally {
    await empty.stop();
  }
}

/**
 * The median of several jumps through all rows, in milliseconds.
 * @throws when the rows of a position never arrived
 */
async function jumped(service: ServiceProcess, rows: number): Promise<number> {
  const browser = await openBrowser();
  try {
    const { app, close } = await openAnswerWindow(browser, service, 1000);
    await showAll(app, rows);
    const { jumpTo } = scrollerOf(app);
    const taken: number[] = [];
    for (const share of [0.5, 1, 0.25, 0.75, 0, 0.6, 0.9, 0.3, 0.1]) taken.push(await jumpTo(share));
    if (taken.some((ms) => ms < 0)) throw new Error(`rows of ${rows} stayed empty`);
    await close();
    return Math.round(median(taken));
  } finally {
    await browser.close();
  }
}
