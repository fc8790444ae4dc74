// How speed grows with size: exports and uploads of 10⁴ to 10⁷ rows without a link, rows/s. `node test/bench/growth.ts
// [LARGEST]`, after a build. The service holds all records in memory: about 5 GB for 10⁷.
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { withFolder } from './support/folder.ts';
import { runCommand, startService, type Observed } from './support/processes.ts';
import { csvTexts } from './support/records.ts';

const largest = Number(process.argv[2] ?? 10_000_000);
const sizes = [10_000, 100_000, 1_000_000, 10_000_000].filter((size) => size <= largest);

for (const rows of sizes) {
  await withFolder(async (folder) => {
    tell('export', rows, await exported(rows, join(folder, 'out.csv')));
    const file = join(folder, 'rows.csv');
    await pipeline(Readable.from(csvTexts(rows)), createWriteStream(file));
    tell('upload', rows, await uploaded(rows, file));
  });
}

/** One point of the curve, with how much memory the command held at most and how long its main thread stood still. */
function tell(name: string, size: number, { ms, residentBytes, stallMs }: Observed): void {
  const ours = Math.round(size / (ms / 1000));
  const beside = { residentMb: Math.round(residentBytes / 1e6), stallMs: Math.round(stallMs) };
  console.log(JSON.stringify({ name, size, ours, unit: 'rows/s', ...beside }));
}

async function exported(rows: number, out: string): Promise<Observed> {
  const service = await startService(rows);
  try {
    const run = await runCommand(service.port, [
      'export',
      'bench/time',
      '--sort',
      '{timestamp:1}',
      '--out',
      out,
      '--json',
    ]);
    await rm(out);
    return settled(run, 'rows', rows);
  } finally {
    await service.stop();
  }
}

async function uploaded(rows: number, file: string): Promise<Observed> {
  const service = await startService(0);
  try {
    return settled(
      await runCommand(service.port, ['upload', 'bench/time', file, '--json']),
      'accepted',
      rows,
    );
  } finally {
    await service.stop();
  }
}

/** @throws when a command has not done all of it */
function settled(run: Observed, count: 'rows' | 'accepted', rows: number): Observed {
  const said = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as Partial<
    Record<typeof count, number>
  >;
  if (said[count] !== rows) throw new Error(`${said[count]} of ${rows} rows`);
  return run;
}
