import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import * as z from 'zod';

const here = import.meta.dirname;
const builtCli = join(here, '../../../out/main/cli.js');
const started = z.object({ port: z.int() });

export interface ServiceProcess {
  readonly port: number;
  readonly stop: () => Promise<void>;
}

async function startProcess(script: string, args: readonly (string | number)[]): Promise<ServiceProcess> {
  const child = fork(join(here, script), args.map(String), { execArgv: ['--max-old-space-size=8192'] });
  const [message] = (await once(child, 'message')) as unknown[];
  return {
    ...started.parse(message),
    async stop() {
      const exit = once(child, 'exit');
      child.disconnect();
      await exit;
    },
  };
}

interface ServiceShape {
  /** Fields of `data`; default 13. */
  readonly channels?: number;
  /** Whether each find scans and sorts all matching records. */
  readonly isUnindexed?: boolean;
}

/** A data service with this many records in memory. */
export const startService = (
  records: number,
  { channels = 13, isUnindexed = false }: ServiceShape = {},
): Promise<ServiceProcess> =>
  startProcess('service.ts', [records, channels, ...(isUnindexed ? ['unindexed'] : [])]);

const counted = z.object({ requests: z.int() });

/** The number of requests to a service during some work. */
export async function countRequests(port: number, work: () => Promise<unknown>): Promise<number> {
  const count = async (): Promise<number> =>
    counted.parse(await (await fetch(`http://127.0.0.1:${port}/requests`)).json()).requests;
  const before = await count();
  await work();
  return (await count()) - before;
}

/** A link to a port of this machine, with a round trip in milliseconds and a bandwidth in Mbit/s (0: no limit). */
export const startLink = (target: number, delayMs: number, mbit: number): Promise<ServiceProcess> =>
  startProcess('link.ts', [target, delayMs, mbit]);

const seen = z.object({
  residentBytes: z.number(),
  stallMs: z.number(),
  workMs: z.number(),
  processorMs: z.number(),
});

/**
 * The cost of a command: its total time, its maximum memory, and the longest stall and longest task of its main
 * thread; CPU time is of all its threads.
 */
export interface Observed extends z.infer<typeof seen> {
  readonly ms: number;
  /** How long this waiting process stalled meanwhile. */
  readonly idleStallMs: number;
  readonly stdout: string;
}

function connectionTo(port: number): Record<string, string> {
  const url = `http://127.0.0.1:${port}`;
  return { WELLBENCH_DATA_URL: url, WELLBENCH_PLATFORM_URL: url, WELLBENCH_API_KEY: 'bench:key' };
}

/**
 * Runs the built command line with a service.
 * @param service a port of this machine, or environment variables with addresses and a key
 * @param cli that of another version; default: this one
 * @throws when it fails, with its output
 */
export async function runCommand(
  service: number | Readonly<Record<string, string>>,
  args: readonly string[],
  cli: string = builtCli,
): Promise<Observed> {
  const folder = await mkdtemp(join(tmpdir(), 'wellbench-bench-'));
  const own = Object.entries(process.env).filter(([name]) => !/^WELLBENCH_|_PROXY$/i.test(name));
  const env = {
    ...Object.fromEntries(own),
    WELLBENCH_KEYCHAIN: 'off',
    ...(typeof service === 'number' ? connectionTo(service) : service),
    WELLBENCH_DATA_DIR: join(folder, 'data'),
    WELLBENCH_OBSERVED: join(folder, 'observed.json'),
  };
  const resolution = 5;
  const delay = monitorEventLoopDelay({ resolution });
  try {
    const before = performance.now();
    delay.enable();
    const child = spawn(process.execPath, ['--import', join(here, 'observe.mjs'), cli, ...args], { env });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => void (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
    const [code] = (await once(child, 'close')) as [number | null];
    const ms = performance.now() - before;
    const idleStallMs = Math.max(0, delay.max / 1e6 - resolution);
    if (code !== 0) throw new Error(`wellbench ${args.join(' ')} ended with ${code}: ${stderr.slice(-2000)}`);
    return {
      ms,
      stdout,
      idleStallMs,
      ...seen.parse(JSON.parse(await readFile(env.WELLBENCH_OBSERVED, 'utf8'))),
    };
  } finally {
    delay.disable();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * A run of a command whose summary counts this many rows.
 * @throws when it has not processed all of them
 */
export function requireAll(run: Observed, count: 'rows' | 'accepted', rows: number): Observed {
  const summary = JSON.parse(run.stdout.trim().split('\n').at(-1) ?? '') as Partial<
    Record<typeof count, number>
  >;
  if (summary[count] !== rows) throw new Error(`${summary[count]} of ${rows} rows`);
  return run;
}
