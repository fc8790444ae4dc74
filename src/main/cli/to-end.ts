import { toAppError } from '../../shared/errors/errors.ts';
import type { AppError } from '../../shared/errors/errors.ts';
import { visibleText } from '../../shared/errors/visible-text.ts';
import { redact, redactValue } from '../http/redact.ts';
import { secretsIn } from '../workspace/secrets.ts';
import { exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { createMessages } from './messages.ts';
import type { MessageStream } from './messages.ts';
import { createOutput, ReaderGone } from './output.ts';
import type { TextStream } from './output.ts';
import { runProgram } from './program.ts';

/** What a command runs with; a process gives its own. */
export interface Surroundings {
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
function report(error: AppError, json: boolean, { env, stderr }: Surroundings): ExitCode {
  const secrets = secretsIn(env);
  const say = (text: string): boolean => stderr.write(`${stderr.isTTY ? visibleText(text) : text}\n`);
  // Only where it is used: an `import` of all of `util` is felt in each start.
  if (env['WELLBENCH_DEBUG']) say(redact(process.getBuiltinModule('node:util').inspect(error), secrets));
  say(json ? JSON.stringify(redactValue(error.toBody(), secrets)) : redact(error.message, secrets));
  return exitCodes[error.code];
}

/** A command that runs: its end, and how to end it by what nobody caught. */
export interface ToEnd {
  readonly code: Promise<ExitCode>;
  /** Says what went wrong. */
  fail(thrown: unknown): ExitCode;
}

/** Runs a command and says how it ended; it never rejects. */
export function runToEnd(argv: readonly string[], surroundings: Surroundings): ToEnd {
  const { env, stdout, stderr, signal } = surroundings;
  const messages = createMessages(stderr);
  const fail = (thrown: unknown): ExitCode => {
    messages.clear();
    return thrown instanceof ReaderGone ? 0 : report(toAppError(thrown), wantsJson(argv), surroundings);
  };
  const host = { env, signal, out: createOutput(stdout), messages };
  return { code: runProgram(argv, host).catch(fail), fail };
}
