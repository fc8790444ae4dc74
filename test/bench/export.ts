// Exports, compared with a script of twenty lines that pages by `skip`, writes CSV, and stores nothing else: `node
// test/bench/export.ts [ROWS] [ROUNDS]`, after a build.
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { printCost } from './support/cost.ts';
import { attempt, printFigure, printComparison } from './support/figures.ts';
import {
  countRequests,
  runCommand,
  requireAll,
  startLink,
  startService,
  type Observed,
} from './support/processes.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 3);
/** A typical daily export: a few hours of one well. */
const everyday = 100_000;
const page = 10_000;
const script = join(import.meta.dirname, 'support/page-by-skip.ts');
const runs: Observed[] = [];
const file = join(tmpdir(), `wellbench-bench-${process.pid}.csv`);

await withService(everyday, false, async (port) => {
  for (const [delayMs, goal] of [
    [40, '≥ 1.3 ×'],
    [200, '≥ 2 ×'],
  ] as const)
    await throughLink(port, delayMs, 0, (link) =>
      compare(
        `export of 100,000 records at ${delayMs} ms, against a script that pages by skip`,
        everyday,
        link,
        goal,
      ),
    );
  await attempt('requests of an export for each page', async () => {
    const requests = await countRequests(port, () => exportRows(port, everyday));
    const name = 'requests of an export of 100,000 records, for each of the 11 pages that it reads';
    printFigure({
      name,
      ours: requests / Math.ceil((everyday + 1) / page),
      floor: null,
      unit: 'requests',
      goal: '≤ 1.3',
    });
  });
});
await withService(everyday, true, (port) =>
  compare('export of 100,000 records without an index, against a script', everyday, port, '≥ 0.9 ×'),
);
await withService(rows, false, async (port) => {
  const many = rows.toLocaleString('en-US');
  await throughLink(port, 200, 0, (link) =>
    compare(`export of ${many} records at 200 ms, against a script`, rows, link, '≥ 3 ×'),
  );
  await throughLink(port, 40, 100, (link) =>
    compare(`export of ${many} records through 100 Mbit/s and 40 ms, against a script`, rows, link, '≥ 1 ×'),
  );
  await compare(`export of ${many} records without a link, against a script`, rows, port, '≥ 0.75 ×');
  for (const [what, args] of [
    ['as an Excel workbook', ['--out', `${file}.xlsx`]],
    ['as Parquet', ['--out', `${file}.parquet`]],
    ['to a folder of Parquet by well and day', ['--out', `${file}.folder`, '--partition', 'asset_id,day']],
  ] as const)
    await attempt(`export ${what}`, () => tellFormat(port, what, args));
  await printCost('export', runs, () => runCommand(port, ['find', 'bench/time', '--limit', '1']));
});

async function withService(records: number, isUnindexed: boolean, measure: (port: number) => Promise<void>) {
  const service = await startService(records, { isUnindexed });
  try {
    await measure(service.port);
  } finally {
    await service.stop();
  }
}

async function throughLink(
  port: number,
  delayMs: number,
  mbit: number,
  measure: (port: number) => Promise<void>,
): Promise<void> {
  const link = await startLink(port, delayMs, mbit);
  try {
    await measure(link.port);
  } finally {
    await link.stop();
  }
}

function compare(name: string, records: number, port: number, goal: string): Promise<void> {
  const ways = { ours: () => exportRows(port, records), floor: () => pageBySkip(port, records) };
  return printComparison({ name, unit: 'rows/s', goal }, ways, rounds);
}

function perSecond(records: number, ms: number): number {
  return records / (ms / 1000);
}

async function exportRows(port: number, records: number): Promise<number> {
  try {
    const run = await runCommand(port, ['export', 'bench/time', '--out', file, '--json']);
    runs.push(requireAll(run, 'rows', records));
    return perSecond(records, run.ms);
  } finally {
    await Promise.all([file, `${file}.manifest.json`].map((path) => rm(path, { force: true })));
  }
}

/** Rate and memory of an export in a format; a workbook may use 250 MB. */
async function tellFormat(port: number, what: string, args: readonly string[]): Promise<void> {
  const out = args[1] ?? '';
  try {
    const run = requireAll(await runCommand(port, ['export', 'bench/time', ...args, '--json']), 'rows', rows);
    const name = `export of ${rows.toLocaleString('en-US')} records ${what}`;
    printFigure({ name, ours: perSecond(rows, run.ms), floor: null, unit: 'rows/s', goal: '≥ 10000' });
    printFigure({
      name: `memory of an ${name}`,
      ours: run.residentBytes / 1e6,
      floor: null,
      unit: 'MB',
      goal: '≤ 300',
    });
  } finally {
    await Promise.all(
      [out, `${out}.manifest.json`].map((path) => rm(path, { recursive: true, force: true })),
    );
  }
}

/** The script in its own process, as a user starts it. */
async function pageBySkip(port: number, records: number): Promise<number> {
  const before = performance.now();
  const { stdout } = await promisify(execFile)(process.execPath, [script, String(port), String(page), file]);
  const ms = performance.now() - before;
  await rm(file, { force: true });
  if (Number(stdout) !== records) throw new Error(`the script read ${stdout} of ${records} records`);
  return perSecond(records, ms);
}
