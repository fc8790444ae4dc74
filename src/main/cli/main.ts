import { toAppError, type AppError } from '../../shared/errors/errors.ts';
import { visibleText } from '../../shared/errors/visible-text.ts';
import { redact, redactValue } from '../http/redact.ts';
import { environmentSecrets } from '../workspace/logger.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { createMessages, type MessageStream, createOutput, ReaderGone, type TextStream } from './output.ts';
import { runProgram } from './program.ts';

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
  const exitCode = await code;
  await Promise.all([drained(stdout), drained(stderr)]);
  // A thread that waits for the disk can hold up the end; nothing is left to be stopped in order.
  interrupts.ignore();
  // What is still open, such as a connection kept for reuse, need not be waited for.
  process.exit(exitCode);
}

/** What a command runs with; a process gives its own. */
interface ProcessContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: TextStream;
  readonly stderr: MessageStream;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Whether the arguments ask for JSON; known before they are parsed, because parsing may fail. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}

/** Says on stderr what went wrong: a sentence, or with `--json` one object. Gives the exit code. */
function report(error: AppError, json: boolean, { env, stderr }: ProcessContext): ExitCode {
  const secrets = environmentSecrets(env);
  const say = (text: string): boolean => stderr.write(`${stderr.isTTY ? visibleText(text) : text}\n`);
  // Only where it is used: an `import` of all of `util` is felt in each start.
  if (env['WELLBENCH_DEBUG']) say(redact(process.getBuiltinModule('node:util').inspect(error), secrets));
  say(json ? JSON.stringify(redactValue(error.toBody(), secrets)) : redact(error.message, secrets));
  return exitCodes[error.code];
}

/** A command that runs: its end, and how to end it by what nobody caught. */
interface ToEnd {
  readonly code: Promise<ExitCode>;
  /** Says what went wrong. */
  fail(cause: unknown): ExitCode;
}

/** Runs a command and says how it ended; it never rejects. */
export function runToEnd(argv: readonly string[], surroundings: ProcessContext): ToEnd {
  const { env, stdout, stderr, signal } = surroundings;
  const messages = createMessages(stderr);
  const fail = (cause: unknown): ExitCode => {
    messages.clear();
    return cause instanceof ReaderGone ? 0 : report(toAppError(cause), wantsJson(argv), surroundings);
  };
  const host = { env, signal, out: createOutput(stdout), messages };
  return { code: runProgram(argv, host).catch(fail), fail };
}

/** One Ctrl-C can arrive twice, from the terminal and passed on by a parent: closer together, they are one (ms). */
const same = 1000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Interrupts {
  /** Aborted by Ctrl-C, a hang-up and a request to end: what runs stops so that it can be resumed. */
  readonly signal: AbortSignal;
  /** Leaves further ones to the system, which ends the process at once, whatever it is doing. */
  ignore(): void;
}

/** Listens for the first interrupt; a second one, later, is the system's. */
export function listenForInterrupts(): Interrupts {
  const controller = new AbortController();
  const ignore = (): void => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  const interrupt = (): void => {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(ignore, same).unref();
  };
  for (const signal of signals) process.on(signal, interrupt);
  return { signal: controller.signal, ignore };
}
