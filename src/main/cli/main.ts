import { listenForInterrupts } from './interrupts.ts';
import { runToEnd } from './to-end.ts';

const drained = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });

/** Runs the command line to its end, and the process with it. */
export async function main(argv: readonly string[]): Promise<void> {
  const { env, stdout, stderr } = process;
  const interrupts = listenForInterrupts();
  const { code, fail } = runToEnd(argv, { env, stdout, stderr, signal: interrupts.signal });
  process.on('uncaughtException', (error) => process.exit(fail(error)));
  const ended = await code;
  await Promise.all([drained(stdout), drained(stderr)]);
  // A thread that waits for the disk can hold up the end; nothing is left to be stopped in order.
  interrupts.ignore();
  // What is still open, such as a connection kept for reuse, need not be waited for.
  process.exit(ended);
}
