// Reading a whole CSV file, compared with its parser alone: `node test/bench/inspect.ts [MB] [ROUNDS]`, after a
// build.
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Papa from 'papaparse';
import { printCost } from './support/cost.ts';
import { attempt, measureInTurns, printFigure } from './support/figures.ts';
import { runCommand, requireAll, type Observed } from './support/processes.ts';
import { csvHeader, csvRow } from './support/records.ts';

const wanted = Number(process.argv[2] ?? 1000) * 1e6;
const rounds = Number(process.argv[3] ?? 3);
const folder = await mkdtemp(join(tmpdir(), 'wellbench-bench-'));
const file = join(folder, 'rows.csv');
const { bytes, rows } = await writeFile();
const runs: Observed[] = [];

try {
  const name = 'inspect, against the parser alone';
  await attempt(name, async () =>
    printFigure({
      name,
      ...(await measureInTurns({ ours: inspect, floor: parse }, rounds)),
      unit: 'MB/s',
      goal: '≥ 0.7 ×',
    }),
  );
  await printCost('inspect', runs);
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function writeFile(): Promise<{ bytes: number; rows: number }> {
  const out = await open(file, 'w');
  let written = (await out.write(csvHeader)).bytesWritten;
  let n = 0;
  while (written < wanted) {
    let text = '';
    for (const end = n + 10_000; n < end; n += 1) text += csvRow(n);
    written += (await out.write(text)).bytesWritten;
  }
  await out.close();
  return { bytes: written, rows: n };
}

function perSecond(ms: number): number {
  return bytes / 1e6 / (ms / 1000);
}

async function inspect(): Promise<number> {
  // No service is used.
  const run = await runCommand(9, ['inspect', file, '--json']);
  runs.push(requireAll(run, 'rows', rows));
  return perSecond(run.ms);
}

function parse(): Promise<number> {
  const before = performance.now();
  let found = 0;
  return new Promise((resolve, reject) => {
    Papa.parse<string[]>(createReadStream(file), {
      chunk: ({ data }) => void (found += data.length),
      complete: () => resolve(perSecond(performance.now() - before)),
      error: reject,
    });
  });
}
