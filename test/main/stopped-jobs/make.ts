import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { App } from '../../../src/main/app.ts';
import { textInJson, type StoppedFile } from './stopped-files.ts';
import {
  addConnection,
  comparedText,
  filesOf,
  jobStarts,
  laterRecords,
  openApp,
  openWorld,
  readName,
  pageSize,
  uploadAddress,
  uploadRows,
  uploadText,
  wells,
  type InterceptRule,
  type JobName,
} from './world.ts';

// Runs a job of each kind, takes the files as they are in the middle of all of them, as after a kill, and writes them to
// one file: node test/main/stopped-jobs/make.ts FILE. A fixture is made once by a version and stays as it is.

const [output] = process.argv.slice(2);
if (output === undefined || existsSync(output)) throw new Error('name a new file');

/** The job that a request is of; null: of none. */
function jobOf(text: string): JobName | null {
  if (text.includes('$in') && text.includes(`${wells.mirror[0]}`)) return 'mirror';
  if (text.includes(`${wells.check}`)) return 'check';
  if (text.includes(`${wells.comparison}`)) return 'comparison';
  return text.includes(`${wells.export}`) ? 'export' : null;
}

const counts: Partial<Record<string, number>> = {};
const held = new Set<string>();
let holds = false;
/** The third page comes after checkpoints are flushed; later ones, and all inserts but one, get no response. */
const rule: InterceptRule = async ({ method, text }) => {
  if (!holds) return 'pass';
  if (method === 'POST' && text.includes('"data"')) {
    counts['upload'] = (counts['upload'] ?? 0) + 1;
    if (counts['upload'] === 1) return 'pass';
    const isFirst = !held.has('upload');
    held.add('upload');
    return isFirst ? 'lost' : 'hold';
  }
  const job = jobOf(text);
  if (method !== 'GET' || job === null || !text.includes('limit=100')) return 'pass';
  const count = (counts[job] ?? 0) + 1;
  counts[job] = count;
  if (count === 3) await sleep(1500);
  if (count <= 4) return 'pass';
  held.add(job);
  return 'hold';
};

async function waitUntilDone(app: App, id: string): Promise<void> {
  for await (const job of await app.client.events.jobs({})) {
    if (job.id !== id || job.state === 'running') continue;
    if (job.state === 'done') return;
    throw new Error(`${job.state}: ${job.error?.message}`);
  }
}

/** The files below a folder, except locks, whose owner is gone. */
async function filesBelow(root: string, url: string): Promise<StoppedFile[]> {
  const names = await readdir(root, { recursive: true, withFileTypes: true });
  const files: StoppedFile[] = [];
  for (const entry of names.toSorted((a, b) =>
    `${a.parentPath}/${a.name}`.localeCompare(`${b.parentPath}/${b.name}`),
  )) {
    const path = join(entry.parentPath, entry.name);
    if (
      !entry.isFile() ||
      /^_?lock$|\.lock$/.test(entry.name) ||
      path.includes('/logs/') ||
      path.endsWith('.tmp')
    )
      continue;
    const bytes = await readFile(path);
    const name = relative(root, path).replaceAll('\\', '/');
    files.push(
      bytes.includes(0)
        ? { path: name, base64: bytes.toString('base64') }
        : {
            path: name,
            text: bytes.toString().replaceAll(textInJson(root), '{root}').replaceAll(url, '{url}'),
          },
    );
  }
  return files;
}

const root = await mkdtemp(join(tmpdir(), 'wellbench-stopped-'));
const world = await openWorld(rule);
await writeFile(filesOf(root).uploaded, uploadText());
await writeFile(filesOf(root).compared, comparedText());
const app = await openApp(root);
const connection = await addConnection(app, world);
const starts = jobStarts(app, connection, root);
await waitUntilDone(app, await starts.mirror());
world.demo.change(`demo/${readName}`, { insert: laterRecords });
holds = true;
const jobs: Record<string, string> = {};
for (const [name, start] of Object.entries(starts)) jobs[name] = await start();
while (held.size < Object.keys(jobs).length) await sleep(100);
await sleep(2000);
holds = false;
const files = await filesBelow(root, world.url);
const { data } = app.connections.services(connection);
const stored: unknown[] = [];
for (let skip = 0; skip <= uploadRows; skip += pageSize) {
  const find = { query: { asset_id: wells.export }, sort: { timestamp: 1 }, limit: pageSize, skip };
  stored.push(...z.array(z.unknown()).parse(JSON.parse((await data.find(uploadAddress, find)).text)));
}
const lines = [
  { path: 'jobs.json', text: JSON.stringify(jobs) },
  { path: 'stored.json', text: JSON.stringify(stored) },
  ...files,
];
await writeFile(output, lines.map((file) => `${JSON.stringify(file)}\n`).join(''));
await app.close();
await world.close();
await rm(root, { recursive: true, force: true });
