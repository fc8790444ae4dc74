// Exports against a script of twenty lines that pages by `skip`, writes what it gets as CSV, and keeps nothing:
// `node test/bench/export.ts [ROWS] [ROUNDS]`, after a build.
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { Agent, request } from 'undici';
import { tellBurden } from './support/burden.ts';
import { attempt, tell, tellAgainst } from './support/figures.ts';
import {
  countRequests,
  runCommand,
  settled,
  startLink,
  startService,
  type Observed,
} from './support/processes.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 3);
/** What people export every day: a few hours of one well. */
const everyday = 100_000;
const page = 10_000;
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
    const name = 'requests of an export for each page of 10,000 records, 100,000 records';
    tell({ name, ours: requests / Math.ceil(everyday / page), floor: null, unit: 'requests', goal: '≤ 1.5' });
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
  await tellBurden('export', runs, () => runCommand(port, ['find', 'bench/time', '--limit', '1']));
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
  return tellAgainst({ name, unit: 'rows/s', goal }, ways, rounds);
}

function perSecond(records: number, ms: number): number {
  return records / (ms / 1000);
}

async function exportRows(port: number, records: number): Promise<number> {
  try {
    const run = await runCommand(port, ['export', 'bench/time', '--out', file, '--json']);
    runs.push(settled(run, 'rows', records));
    return perSecond(records, run.ms);
  } finally {
    await Promise.all([file, `${file}.manifest.json`].map((path) => rm(path, { force: true })));
  }
}

/** The script: page after page by `skip`, each parsed and written as lines of CSV. */
async function pageBySkip(port: number, records: number): Promise<number> {
  const dispatcher = new Agent({ connections: 1 });
  const before = performance.now();
  const out = createWriteStream(file);
  let count = 0;
  for (let skip = 0; ; skip += page) {
    const query = { query: '{}', sort: '{"timestamp":1}', limit: String(page), skip: String(skip) };
    const address = `http://127.0.0.1:${port}/api/v1/data/bench/time/?${new URLSearchParams(query).toString()}`;
    const { body } = await request(address, { dispatcher });
    const got = (await body.json()) as { data: object }[];
    count += got.length;
    for (const { data, ...envelope } of got)
      out.write(`${Object.values(envelope).join(',')},${Object.values(data).join(',')}\n`);
    if (got.length < page) break;
  }
  await finished(out.end());
  const ms = performance.now() - before;
  await Promise.all([dispatcher.close(), rm(file, { force: true })]);
  if (count !== records) throw new Error(`the script read ${count} of ${records} records`);
  return perSecond(records, ms);
}
