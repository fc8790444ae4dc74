// Uploads and exports through a link, compared with an earlier version that is built in another folder: `node
// test/bench/earlier.ts FOLDER [ROWS] [ROUNDS]`, after a build here.
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { printComparison } from './support/figures.ts';
import { withFolder } from './support/folder.ts';
import { requireAll, runCommand, startLink, startService } from './support/processes.ts';
import { csvTexts } from './support/records.ts';

const earlierCli = join(resolve(process.argv[2] ?? ''), 'out/main/cli.js');
const rows = Number(process.argv[3] ?? 200_000);
const rounds = Number(process.argv[4] ?? 5);

await withFolder(async (folder) => {
  const file = join(folder, 'rows.csv');
  const out = join(folder, 'out.csv');
  await pipeline(Readable.from(csvTexts(rows)), createWriteStream(file));
  for (const [delayMs, mbit] of [
    [40, 100],
    [200, 0],
  ] as const) {
    const link = mbit === 0 ? `${delayMs} ms` : `${mbit} Mbit/s and ${delayMs} ms`;
    await compare(`upload through ${link}, against an earlier version`, 0, [delayMs, mbit], {
      args: ['upload', 'bench/time', file, '--json'],
      counted: 'accepted',
    });
    await compare(`export through ${link}, against an earlier version`, rows, [delayMs, mbit], {
      args: ['export', 'bench/time', '--out', out, '--json'],
      counted: 'rows',
      written: [out, `${out}.manifest.json`],
    });
  }
});

interface ComparedCommand {
  readonly args: readonly string[];
  readonly counted: 'rows' | 'accepted';
  /** Files to remove after each run. */
  readonly written?: readonly string[];
}

async function compare(
  name: string,
  records: number,
  [delayMs, mbit]: readonly [number, number],
  { args, counted, written = [] }: ComparedCommand,
): Promise<void> {
  const service = await startService(records);
  const link = await startLink(service.port, delayMs, mbit);
  const perSecond = async (cli?: string): Promise<number> => {
    const run = requireAll(await runCommand(link.port, args, cli), counted, rows);
    await Promise.all(written.map((path) => rm(path)));
    return rows / (run.ms / 1000);
  };
  try {
    const ways = { ours: () => perSecond(), floor: () => perSecond(earlierCli) };
    await printComparison({ name, unit: 'rows/s', goal: '≥ 0.95 ×' }, ways, rounds);
  } finally {
    await link.stop();
    await service.stop();
  }
}
