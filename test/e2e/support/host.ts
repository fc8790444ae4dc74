import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import * as z from 'zod';

/** The folder of the build under test. */
const build = resolve(process.env['WELLBENCH_BUILD'] ?? 'out');
const firstLine = z.object({ url: z.string() });

/** The browser host, as a user starts it, with its own data folder. */
export interface Host {
  /** Its address with the one-time token. */
  readonly url: string;
  /** Kills it, like a crash. */
  kill(): Promise<void>;
  close(): Promise<void>;
}

/** The sample workspace of tests: small, with the wells that every key can access. */
const smallSample = { WELLBENCH_SAMPLE_RECORDS: '5000', WELLBENCH_SAMPLE_LIVE: 'off' };

// The host ignores connections and proxies of the environment.
function cleanEnvironment(dataFolder: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^WELLBENCH_|_proxy$/i.test(name));
  // The user's keychain isn't used.
  return { ...Object.fromEntries(kept), WELLBENCH_KEYCHAIN: 'off', WELLBENCH_DATA_DIR: dataFolder };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}

export interface HostOptions {
  /** The data folder of an earlier host, with its jobs; absent: a folder of its own, deleted with the host. */
  readonly dataFolder?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether there are no settings, as on a first start; otherwise opened queries don't run by themselves. */
  readonly isNew?: boolean;
}

/** Opened queries don't run by themselves, unless settings exist. */
export async function writeSettings(dataFolder: string): Promise<void> {
  const kept = { format: 1, values: { runOnOpen: false }, shortcuts: {}, remembered: {} };
  const path = join(dataFolder, 'settings.json');
  await mkdir(dataFolder, { recursive: true });
  if (!existsSync(path)) await writeFile(path, JSON.stringify(kept));
}

/** Starts the host on a free port and waits for its address. */
export async function startHost({
  dataFolder: given,
  env = {},
  isNew = false,
}: HostOptions = {}): Promise<Host> {
  const dataFolder = given ?? (await mkdtemp(join(tmpdir(), 'wellbench-e2e-')));
  if (!isNew) await writeSettings(dataFolder);
  const child = spawn(process.execPath, [join(build, 'main', 'serve.js'), '--port', '0'], {
    env: { ...cleanEnvironment(dataFolder), ...smallSample, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await Promise.race([
    once(createInterface(child.stdout), 'line'),
    once(child, 'exit').then(() => Promise.reject(new Error('the host ended before it gave its address'))),
  ]);
  return {
    url: firstLine.parse(JSON.parse(String(line))).url,
    kill: () => end(child, 'SIGKILL'),
    async close() {
      await end(child, 'SIGTERM');
      if (given === undefined) await rm(dataFolder, { recursive: true, force: true, maxRetries: 3 });
    },
  };
}
