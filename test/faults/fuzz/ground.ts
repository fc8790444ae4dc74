import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startDemo } from '../../../src/demo/index.ts';
import { createApp, type App } from '../../../src/main/app.ts';
import { sourceAt } from '../../../src/main/core/files/files.ts';
import { chooseInDataFolder } from '../../../src/main/hosts/no-dialogs.ts';
import { startBrowserHost } from '../../../src/main/hosts/browser/serve.ts';
import { sqlCalls } from '../../../src/main/core/duckdb/engine.ts';
import type { AppError } from '../../../src/shared/errors/errors.ts';
import { serve } from '../../../src/shared/threads.ts';
import { portPair } from '../../support/port-pair.ts';
import { knownValues, learn, type Known } from './known.ts';
import { Wire } from './wire.ts';

const files = {
  'time.csv': 'asset_id,timestamp,rop\n5001,1700000000,12.5\n5001,1700000001,13\n',
  'odd.csv': 'a;b\r\n"1;2\r\n\u0000\ud83d',
  'empty.csv': '',
  'ca.pem': '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n',
};

const keptJobs = 6;

/** The real application behind its browser host on its own folder, with the demo as its service. */
export interface Workspace {
  readonly known: Known;
  readonly faults: readonly AppError[];
  /** A new socket, like that of another window. */
  wire(): Promise<Wire>;
  /** Restores what earlier calls removed, and removes what they accumulated. */
  tidy(): Promise<void>;
  /** Whether the application still responds. */
  answers(): Promise<boolean>;
  close(): Promise<void>;
}

/** A digest of everything below a folder, names and contents. */
export async function digestOf(folder: string): Promise<string> {
  const hash = createHash('sha256');
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name)).sort();
  for (const path of paths) {
    const found = await stat(path);
    hash.update(`${path} ${found.mode} ${found.mtimeMs}\n`);
    if (found.isFile()) hash.update(await readFile(path));
  }
  return hash.digest('hex');
}

async function grant(app: App, folder: string, known: Known): Promise<void> {
  await mkdir(join(folder, 'picked'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, 'picked', name);
    await writeFile(path, text);
    const { token } = await app.files.grantSource(sourceAt(path));
    learn(known, 'token', token);
    // Mostly the readable one.
    const often = name === 'time.csv' ? 4 : 1;
    known['source'] = [token, ...(known['source'] ?? []), ...Array.from({ length: often - 1 }, () => token)];
    if (name === 'ca.pem') learn(known, 'caFile', token);
  }
  learn(known, 'folder', app.files.grantFolder({ path: join(folder, 'picked'), name: 'picked' }).token);
  for (const name of ['a.csv', 'b.parquet', 'c.json']) {
    const { token } = app.files.grantTarget({ place: 'job', name });
    learn(known, 'target', token);
    learn(known, 'token', token);
  }
}

/** @param folder the data folder; nothing may be written elsewhere */
export async function prepareWorkspace(folder: string): Promise<Workspace> {
  const demo = await startDemo({ wells: 4, records: 2000 });
  const faults: AppError[] = [];
  const app = await createApp({
    host: 'browser',
    fileMode: 'stream',
    dataFolder: folder,
    // Requests to other hosts end at a proxy that doesn't exist.
    env: { WELLBENCH_KEYCHAIN: 'off', HTTPS_PROXY: 'http://127.0.0.1:9', NO_PROXY: '' },
    // The SQL engine runs in this process, which may not start others.
    startProcess() {
      const [ours, theirs] = portPair();
      serve(theirs, sqlCalls());
      return { ...ours, setReferenced: () => undefined };
    },
    choose: chooseInDataFolder(folder),
  });
  const renderer = join(folder, 'pages');
  await mkdir(renderer, { recursive: true });
  const onFault = (error: AppError): void => void faults.push(error);
  const { router } = app;
  const host = await startBrowserHost({
    port: 0,
    router,
    files: app.files,
    renderer,
    spool: join(folder, 'spool'),
    onFault,
  });
  const link = host.newLink();
  const { origin } = new URL(link);
  const opened = await fetch(link, { redirect: 'manual' });
  const [cookie = ''] = (opened.headers.get('set-cookie') ?? '').split(';');

  const known = knownValues();
  known['dataUrl'] = [demo.dataUrl, demo.dataUrl, demo.dataUrl, 'https://x.invalid'];
  known['platformUrl'] = [demo.platformUrl, demo.platformUrl, demo.platformUrl, 'http://127.0.0.1:9'];
  learn(known, 'apiKey', demo.apiKeys.write, demo.apiKeys.read);
  await grant(app, folder, known);

  async function ensureConnection(): Promise<void> {
    const there = await app.client.connections.list({});
    for (const { id, dataUrl } of there.slice(0, -4))
      if (dataUrl !== demo.dataUrl)
        await app.client.connections.remove({ connection: id }).catch(() => undefined);
    const ours = there.find(
      ({ dataUrl, platformUrl, secret, readOnly }) =>
        dataUrl === demo.dataUrl && platformUrl === demo.platformUrl && secret === 'session' && !readOnly,
    );
    const { id } =
      ours ??
      (await app.client.connections.add({
        name: 'North Ridge',
        color: 'blue',
        dataUrl: demo.dataUrl,
        platformUrl: demo.platformUrl,
        credential: { method: 'api_key', apiKey: demo.apiKeys.write },
        readOnly: false,
      }));
    known['connection'] = [id];
  }

  async function clearJobs(): Promise<void> {
    const { jobs } = await app.client.jobs.list({});
    for (const [index, { id }] of jobs.entries()) {
      await app.client.jobs.cancel({ job: id }).catch(() => undefined);
      await (await app.runner()).waitUntilStopped(id).catch(() => undefined);
      // A few remain, for calls about jobs.
      if (index < keptJobs) learn(known, 'job', id);
      else await app.client.jobs.discard({ job: id }).catch(() => undefined);
    }
  }

  async function collectIds(): Promise<void> {
    const { runs } = await app.client.history.list({
      connection: String(known['connection']?.[0]),
      limit: 3,
    });
    for (const { id } of runs) learn(known, 'id', id);
  }

  const tidy = async (): Promise<void> => {
    await ensureConnection();
    await clearJobs();
    await collectIds();
  };
  await tidy();
  return {
    known,
    faults,
    wire: () => Wire.open(origin, cookie),
    tidy,
    async answers() {
      const { host: kind } = await app.client.workspace.about({});
      return kind === 'browser' && (await fetch(origin, { headers: { cookie } })).status < 500;
    },
    async close() {
      await host.close();
      await app.close();
      await demo.close();
    },
  };
}
