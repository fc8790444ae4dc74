import { spawn, type ChildProcess } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { Demo } from '../../src/demo/index.ts';
import { runToEnd } from '../../src/main/hosts/cli/main.ts';

// `npm test` sets the built command line: a start from source costs an additional third of a second of CPU time.
export const cliEntry =
  process.env['WELLBENCH_TEST_CLI'] ?? join(import.meta.dirname, '../../src/main/cli.ts');

/** The exit of a command, with all its output. */
export interface CliRun {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** The lines of stdout. */
  readonly lines: string[];
  /** The last line of stdout, which is an object with `--json`. */
  summary(): unknown;
  /** The last line of stderr, which is an object with `--json`. */
  error(): unknown;
}

type Env = Readonly<Record<string, string>>;

/** The environment variables for a demo. */
export function connectionEnv({ dataUrl, platformUrl, apiKeys }: Demo, key: 'write' | 'read' = 'write'): Env {
  return {
    WELLBENCH_DATA_URL: dataUrl,
    WELLBENCH_PLATFORM_URL: platformUrl,
    WELLBENCH_API_KEY: apiKeys[key],
  };
}

/**
 * Starts the command line: from source, or as `npm test` built it. The user's own environment variables don't affect
 * it.
 * @param stdout a file descriptor in place of a pipe
 */
export function startCli(
  args: readonly string[],
  env: Env = {},
  stdout: number | 'pipe' = 'pipe',
): ChildProcess {
  const own = Object.entries(process.env).filter(([name]) => !/^WELLBENCH_|_PROXY$/i.test(name));
  // Compiled once for all tests: most of a start is compiling.
  const cache = join(tmpdir(), 'wellbench-test-code');
  // A start makes garbage too: see `vitest.config.ts`. A test that sets options of Node sets its memory.
  const memory = env['NODE_OPTIONS'] === undefined ? ['--min-semi-space-size=16'] : [];
  return spawn(process.execPath, [...memory, cliEntry, ...args], {
    // Their keychain is not used either.
    env: { ...Object.fromEntries(own), NODE_COMPILE_CACHE: cache, WELLBENCH_KEYCHAIN: 'off', ...env },
    stdio: ['pipe', stdout, 'pipe'],
  });
}

const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '');
const lastOf = (text: string): unknown => JSON.parse(linesOf(text).at(-1) ?? '');

/** Waits until a command has ended and all its output has arrived. */
export async function cliEnd(child: ChildProcess): Promise<CliRun> {
  const code = new Promise<number | null>((resolve) => child.once('close', resolve));
  const textOf = (stream: ChildProcess['stdout']): Promise<string> =>
    stream ? buffer(stream).then((bytes) => bytes.toString()) : Promise.resolve('');
  const [stdout, stderr] = await Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  return endOf(await code, stdout, stderr);
}

const endOf = (code: number | null, stdout: string, stderr: string): CliRun => ({
  code,
  stdout,
  stderr,
  lines: linesOf(stdout),
  summary: () => lastOf(stdout),
  error: () => lastOf(stderr),
});

/**
 * Runs a command to its end in this process, without the second that starting a process takes. Features of a
 * process (Ctrl-C, a kill, stdin) are tested with {@link startCli}.
 */
export async function runInProcess(
  args: readonly string[],
  env: Env = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<CliRun> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const outputs = Promise.all([stdout, stderr].map(async (stream) => (await buffer(stream)).toString()));
  const { code } = runToEnd(args, { env: { WELLBENCH_KEYCHAIN: 'off', ...env }, stdout, stderr, signal });
  const ended = await code;
  stdout.end();
  stderr.end();
  const [out = '', err = ''] = await outputs;
  return endOf(ended, out, err);
}

/** The first line of a command that continues to run. */
export async function firstLine(child: ChildProcess): Promise<unknown> {
  if (child.stdout) for await (const line of createInterface(child.stdout)) return JSON.parse(line);
  throw new Error('the command ended without a line');
}

/** Runs a command to its end. */
export async function runCli(args: readonly string[], env: Env = {}, input = ''): Promise<CliRun> {
  const child = startCli(args, env);
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  return cliEnd(child);
}
