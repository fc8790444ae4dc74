import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import { visibleText } from '../../../shared/errors/visible-text.ts';
import { redact, redactValue } from '../../core/wire/http/redact.ts';
import { environmentSecrets } from '../../core/logger.ts';
import { exitCodes, type ExitCode } from './exit-codes.ts';
import { createMessages, type MessageStream, createOutput, ReaderGone, type TextStream } from './output.ts';
import { runProgram } from './program.ts';

const drained = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });

/** Runs the command line, then ends the process. */
export async function main(argv: readonly string[]): Promise<void> {
  const { env, stdout, stderr } = process;
  const interrupts = listenForInterrupts();
  const { code, fail } = runToEnd(argv, { env, stdout, stderr, signal: interrupts.signal });
  process.on('uncaughtException', (error) => process.exit(fail(error)));
  const exitCode = await code;
  await Promise.all([drained(stdout), drained(stderr)]);
  // A thread that waits for the disk can delay the end; nothing needs an orderly stop now.
  interrupts.ignore();
  // Open handles, such as a connection kept for reuse, need not be waited for.
  process.exit(exitCode);
}

/** The environment of a command: that of the process, except in tests. */
interface ProcessContext {
  readonly env: NodeJS.ProcessEnv;
  readonly stdout: TextStream;
  readonly stderr: MessageStream;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** Whether the arguments include `--json`; needed before they are parsed, because parsing can fail. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}

/** Prints an error on stderr: a message, or with `--json` one object. Returns the exit code. */
function report(error: AppError, json: boolean, { env, stderr }: ProcessContext): ExitCode {
  const secrets = environmentSecrets(env);
  const say = (text: string): boolean => stderr.write(`${stderr.isTTY ? visibleText(text) : text}\n`);
  // Loaded on use: importing all of `util` slows each start.
  if (env['WELLBENCH_DEBUG']) say(redact(process.getBuiltinModule('node:util').inspect(error), secrets));
  say(json ? JSON.stringify(redactValue(error.toBody(), secrets)) : redact(error.message, secrets));
  return exitCodes[error.code];
}

/** A running command: its end, and a way to end it on an uncaught error. */
interface ToEnd {
  readonly code: Promise<ExitCode>;
  /** Prints the error. */
  fail(cause: unknown): ExitCode;
}

/** Runs a command and prints its result; never rejects. */
export function runToEnd(argv: readonly string[], context: ProcessContext): ToEnd {
  const { env, stdout, stderr, signal } = context;
  const messages = createMessages(stderr);
  const fail = (cause: unknown): ExitCode => {
    messages.clear();
    return cause instanceof ReaderGone ? 0 : report(toAppError(cause), wantsJson(argv), context);
  };
  const host = { env, signal, out: createOutput(stdout), messages };
  return { code: runProgram(argv, host).catch(fail), fail };
}

/**
 * One Ctrl-C can arrive twice, from the terminal and from a parent process: signals closer together than this count as
 * one.
 */
const repeatedSignalMs = 1000;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

interface Interrupts {
  /** Aborted by Ctrl-C, a hang-up, or a termination request: running work stops so that it can be resumed. */
  readonly signal: AbortSignal;
  /** Leaves further signals to the system, which ends the process at once. */
  ignore(): void;
}

/** Listens for the first interrupt; a second, later one has its default effect. */
export function listenForInterrupts(): Interrupts {
  const controller = new AbortController();
  const ignore = (): void => {
    for (const signal of signals) process.off(signal, interrupt);
  };
  const interrupt = (): void => {
    if (controller.signal.aborted) return;
    controller.abort();
    setTimeout(ignore, repeatedSignalMs).unref();
  };
  for (const signal of signals) process.on(signal, interrupt);
  return { signal: controller.signal, ignore };
}
