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
  const { code, fail } = runToEnd(argv, { env, stdout, stderr, signal: listenForInterrupts() });
  process.on('uncaughtException', (error) => process.exit(fail(error)));
  const ended = await code;
  await Promise.all([drained(stdout), drained(stderr)]);
  // What is still open, such as a connection kept for reuse, need not be waited for.
  process.exit(ended);
}
