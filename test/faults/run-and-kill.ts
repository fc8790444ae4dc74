import { setTimeout as sleep } from 'node:timers/promises';
import type { Demo } from '../../src/demo/index.ts';
import { cliEnd, connectionEnv, startCli } from '../support/cli.ts';
import type { PowerWorld } from './power/world.ts';

/** A resume prints nothing when it starts; this is about its startup time, in milliseconds. */
const starting = 500;

/**
 * Runs a command and kills it at a random moment; returns its output if it ended before.
 * @param begun the output when the job starts
 * @param afterMs how long it may run from then on
 * @param world records what the command flushes
 */
export async function runAndKill(
  args: string[],
  demo: Demo,
  {
    startPattern,
    afterMs,
    world,
  }: { readonly startPattern: RegExp; readonly afterMs: number; readonly world: PowerWorld },
): Promise<{ killed: boolean; output: string }> {
  const child = startCli(args, { ...connectionEnv(demo), ...world.env() });
  const end = cliEnd(child);
  let words = '';
  child.stderr?.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const atWork = new Promise<void>((resolve) =>
    child.stderr?.on('data', () => startPattern.test(words) && resolve()),
  );
  await Promise.race([atWork, end, ...(args[0] === 'jobs' ? [sleep(starting)] : [])]);
  await Promise.race([sleep(afterMs), end]);
  const killed = child.exitCode === null && child.kill('SIGKILL');
  await end;
  return { killed: killed && child.signalCode === 'SIGKILL', output: words };
}
