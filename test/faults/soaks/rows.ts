import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { runCommand, requireAll, startService } from '../../bench/support/processes.ts';
import { csvTexts } from '../../bench/support/records.ts';
import type { SoakEnd, SoakOptions } from './soak.ts';

const defaultRows = 10_000_000;
/** The maximum memory of a command, for any number of rows. */
const maxResidentMb = 600;

/** Exports and uploads this many rows with the built command line: every row arrives, and memory stays flat. */
export async function soakRows({ amount = defaultRows, tell }: SoakOptions): Promise<SoakEnd> {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-rows-'));
  try {
    const numbers = { export: await exportRows(amount, folder), upload: await uploadRows(amount, folder) };
    tell(JSON.stringify(numbers));
    return { sound: Object.values(numbers).every((mb) => mb <= maxResidentMb), numbers };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The maximum memory of the command, in MB. */
async function exportRows(rows: number, folder: string): Promise<number> {
  const service = await startService(rows);
  try {
    const out = join(folder, 'out.csv');
    const run = await runCommand(service.port, ['export', 'bench/time', '--out', out, '--json']);
    await rm(out);
    return Math.round(requireAll(run, 'rows', rows).residentBytes / 1e6);
  } finally {
    await service.stop();
  }
}

/** The maximum memory of the command, in MB. */
async function uploadRows(rows: number, folder: string): Promise<number> {
  const file = join(folder, 'rows.csv');
  await pipeline(Readable.from(csvTexts(rows)), createWriteStream(file));
  const service = await startService(0);
  try {
    const run = await runCommand(service.port, ['upload', 'bench/time', file, '--json']);
    return Math.round(requireAll(run, 'accepted', rows).residentBytes / 1e6);
  } finally {
    await service.stop();
  }
}
