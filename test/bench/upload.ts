// Uploads of many rows, compared with floors: `node test/bench/upload.ts [ROWS] [ROUNDS]`, after a build.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import Papa from 'papaparse';
import { Agent, request } from 'undici';
import { printCost } from './support/cost.ts';
import { printComparison } from './support/figures.ts';
import { runCommand, requireAll, startLink, startService, type Observed } from './support/processes.ts';
import { csvTexts, rowAsRecord } from './support/records.ts';

const rows = Number(process.argv[2] ?? 1_000_000);
const rounds = Number(process.argv[3] ?? 3);
const batch = 1000;
const concurrency = 4;
const runs: Observed[] = [];
const folder = await mkdtemp(join(tmpdir(), 'wellbench-bench-'));
const file = join(folder, 'rows.csv');
await pipeline(Readable.from(csvTexts(rows)), createWriteStream(file));

const service = await startService(0);
const link = await startLink(service.port, 40, 100);
const slow = await startLink(service.port, 40, 0);
try {
  await against('upload through 100 Mbit/s and 40 ms', link.port, bareLoop, '≥ 0.95 ×');
  await against('upload without a link', service.port, bareLoop, '≥ 0.6 ×');
  await against('upload through 40 ms, against a plain script', slow.port, script, '≥ 4 ×');
  await printCost('upload', runs, () => runCommand(service.port, ['datasets']));
} finally {
  await Promise.all([link, slow].map(({ stop }) => stop()));
  await service.stop();
  await rm(folder, { recursive: true, force: true });
}

function perSecond(ms: number): number {
  return rows / (ms / 1000);
}

async function uploadRows(port: number): Promise<number> {
  const run = await runCommand(port, ['upload', 'bench/time', file, '--json']);
  runs.push(requireAll(run, 'accepted', rows));
  return perSecond(run.ms);
}

function against(
  name: string,
  port: number,
  other: (port: number) => Promise<number>,
  goal: string,
): Promise<void> {
  const ways = { ours: () => uploadRows(port), floor: () => other(port) };
  return printComparison({ name, unit: 'rows/s', goal }, ways, rounds);
}

async function post(port: number, body: string | Buffer, dispatcher: Agent): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const url = `http://127.0.0.1:${port}/api/v1/data/bench/time/`;
  const answer = await request(url, { method: 'POST', headers, body, dispatcher });
  const result = (await answer.body.json()) as { inserted_ids?: unknown[] };
  if (result.inserted_ids?.length === undefined) throw new Error('the service did not take a batch');
}

/** The floor: prepared bodies, with as many concurrent requests. */
async function bareLoop(port: number): Promise<number> {
  const bodies: Buffer[] = [];
  for (let from = 0; from < rows; from += batch) {
    const records = Array.from({ length: Math.min(batch, rows - from) }, (_, n) => rowAsRecord(from + n));
    bodies.push(Buffer.from(`[${records.join(',')}]`));
  }
  const dispatcher = new Agent({ connections: concurrency });
  const before = performance.now();
  async function lane(): Promise<void> {
    for (let body = bodies.pop(); body; body = bodies.pop()) await post(port, body, dispatcher);
  }
  await Promise.all(Array.from({ length: concurrency }, lane));
  const ms = performance.now() - before;
  await dispatcher.close();
  return perSecond(ms);
}

/** A script written in an hour: a CSV library, and one batch after the other. */
async function script(port: number): Promise<number> {
  const dispatcher = new Agent({ connections: 1 });
  const before = performance.now();
  const parser = createReadStream(file).pipe(Papa.parse(Papa.NODE_STREAM_INPUT, { header: true }));
  let records: object[] = [];
  const send = async (): Promise<void> => {
    if (records.length > 0) await post(port, JSON.stringify(records), dispatcher);
    records = [];
  };
  for await (const row of parser as AsyncIterable<Record<string, string>>) {
    const { timestamp, asset_id, ...channels } = row;
    const data = Object.fromEntries(Object.entries(channels).map(([name, value]) => [name, Number(value)]));
    records.push({ version: 1, timestamp: Number(timestamp), asset_id: Number(asset_id), data });
    if (records.length === batch) await send();
  }
  await send();
  const ms = performance.now() - before;
  await dispatcher.close();
  return perSecond(ms);
}
