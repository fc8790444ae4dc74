import { inspect } from 'node:util';
import { toAppError } from '../../shared/errors.ts';
import type { AppError } from '../../shared/errors.ts';
import { redact, redactValue } from '../http/redact.ts';
import { secretsIn } from '../workspace/secrets.ts';
import type { ExitCode } from './exit-codes.ts';
import { exitCodes } from './exit-codes.ts';
import { listenForInterrupts } from './interrupts.ts';
import { createMessages } from './messages.ts';
import { createOutput, plain, ReaderGone } from './output.ts';
import { runProgram } from './program.ts';

/** Whether the arguments ask for JSON; known before they are parsed, because parsing may fail. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  return (end === -1 ? argv : argv.slice(0, end)).includes('--json');
}

/** Says on stderr what went wrong: a sentence, or with `--json` one object. Gives the exit code. */
function report(error: AppError, json: boolean, debug: boolean): ExitCode {
  const secrets = secretsIn(process.env);
  const say = (text: string): boolean => process.stderr.write(`${text}\n`);
  if (debug) say(redact(inspect(error), secrets));
  say(json ? JSON.stringify(redactValue(error.toBody(), secrets)) : redact(plain(error.message), secrets));
  return exitCodes[error.code];
}

const drained = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => {
    if (stream.destroyed) resolve();
    else stream.write('', () => resolve());
  });

/** Runs the command line to its end, and the process with it. */
export async function main(argv: readonly string[]): Promise<void> {
  const json = wantsJson(argv);
  const debug = Boolean(process.env['WELLBENCH_DEBUG']);
  const messages = createMessages(process.stderr);
  const fail = (thrown: unknown): ExitCode => {
    messages.clear();
    return thrown instanceof ReaderGone ? 0 : report(toAppError(thrown), json, debug);
  };
  process.on('uncaughtException', (error) => process.exit(fail(error)));
  const code = await runProgram(argv, {
    env: process.env,
    signal: listenForInterrupts(),
    out: createOutput(process.stdout),
    messages,
  }).catch(fail);
  await Promise.all([drained(process.stdout), drained(process.stderr)]);
  // What is still open, such as a connection kept for reuse, need not be waited for.
  process.exit(code);
}
