// Exports of many records against floors: `node test/bench/export.ts [ROWS] [ROUNDS]`, after a build.
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Agent, request } from 'undici';
import { tellBurden } from './support/burden.ts';
import { tellAgainst } from './support/figures.ts';
import { runCommand, settled, startLink, startService, type Observed } from './support/processes.ts';
import { firstTime, stepMs } from './support/records.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 3);
/** What our export asks for at a time when records are of this size, and how many requests it has under way. */
const page = 4000;
const concurrency = 4;
const runs: Observed[] = [];

const service = await startService(rows);
const link = await startLink(service.port, 40, 100);
const far = await startLink(service.port, 200, 0);
try {
  await against(
    'export through 100 Mbit/s and 40 ms',
    link.port,
    (port) => download(port, false),
    '≥ 0.95 ×',
  );
  await against('export without a link', service.port, (port) => download(port, true), '≥ 0.6 ×');
  await against('export through 200 ms, against paging by skip', far.port, pageBySkip, '≥ 2.5 ×');
  await tellBurden('export', runs, () => runCommand(service.port, ['find', 'bench/time', '--limit', '1']));
} finally {
  await Promise.all([link, far].map(({ stop }) => stop()));
  await service.stop();
}

function perSecond(ms: number): number {
  return rows / (ms / 1000);
}

async function exportRows(port: number): Promise<number> {
  const out = join(tmpdir(), `wellbench-bench-${process.pid}-${runs.length}.csv`);
  try {
    const options = ['--sort', '{timestamp:1}', '--concurrency', String(concurrency), '--out', out, '--json'];
    const run = await runCommand(port, ['export', 'bench/time', ...options]);
    runs.push(settled(run, 'rows', rows));
    return perSecond(run.ms);
  } finally {
    await Promise.all([out, `${out}.manifest.json`].map((file) => rm(file, { force: true })));
  }
}

function against(
  name: string,
  port: number,
  other: (port: number) => Promise<number>,
  goal: string,
): Promise<void> {
  const ways = { ours: () => exportRows(port), floor: () => other(port) };
  return tellAgainst({ name, unit: 'rows/s', goal }, ways, rounds);
}

function address(port: number, query: object, skip = 0): string {
  const given = { query, sort: { timestamp: 1 }, limit: page, skip };
  const pairs = Object.entries(given).map(([key, value]) => [key, JSON.stringify(value)]);
  return `http://127.0.0.1:${port}/api/v1/data/bench/time/?${new URLSearchParams(pairs).toString()}`;
}

/** The floor: the same pages by as many requests at a time, thrown away; parsed before, where that is asked for. */
async function download(port: number, parse: boolean): Promise<number> {
  const dispatcher = new Agent({ connections: concurrency });
  const before = performance.now();
  let next = 0;
  async function lane(): Promise<void> {
    for (let at = next; at < rows; at = next) {
      next += page;
      const from = { $gte: firstTime + at * stepMs };
      const { body } = await request(address(port, { timestamp: from }), { dispatcher });
      if (parse) JSON.parse(await body.text());
      else await body.dump({ limit: Number.MAX_SAFE_INTEGER });
    }
  }
  await Promise.all(Array.from({ length: concurrency }, lane));
  const ms = performance.now() - before;
  await dispatcher.close();
  return perSecond(ms);
}

/** Page after page by `skip`, thrown away. */
async function pageBySkip(port: number): Promise<number> {
  const dispatcher = new Agent({ connections: 1 });
  const before = performance.now();
  for (let at = 0; at < rows; at += page) {
    const { body } = await request(address(port, {}, at), { dispatcher });
    await body.dump({ limit: Number.MAX_SAFE_INTEGER });
  }
  const ms = performance.now() - before;
  await dispatcher.close();
  return perSecond(ms);
}
