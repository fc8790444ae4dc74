import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo } from '../../src/demo/index.ts';
import { cliEnd, connectionEnv, startCli } from '../support/cli.ts';

/** A resume prints nothing when it begins; this is about how long its start takes, in milliseconds. */
const starting = 500;

/**
 * Runs a command and kills it at a moment of its own; its words when it came to an end before.
 * @param begun what it says when the job begins
 * @param afterMs how long it may work from then on
 */
export async function runAndKill(
  args: string[],
  demo: Demo,
  { begun, afterMs }: { readonly begun: RegExp; readonly afterMs: number },
): Promise<{ killed: boolean; said: string }> {
  const child = startCli(args, connectionEnv(demo));
  const end = cliEnd(child);
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const atWork = new Promise<void>((resolve) =>
    child.stderr?.on('data', () => begun.test(words) && resolve()),
  );
  await Promise.race([atWork, end, ...(args[0] === 'jobs' ? [sleep(starting)] : [])]);
  await Promise.race([sleep(afterMs), end]);
  const killed = child.exitCode === null && child.kill('SIGKILL');
  await end;
  return { killed: killed && child.signalCode === 'SIGKILL', said: words };
}
