import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import type { ReadStream } from 'node:tty';
import { abortable } from '../../../shared/abort.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import type { Messages } from './output.ts';
import { readPiped } from './text-input.ts';

/** Maximum length of credentials. */
const maxBytes = 16 * 1024;

export interface SecretInput {
  /** The prompt: "API key". */
  readonly what: string;
  readonly messages: Messages;
  readonly signal: AbortSignal;
}

/**
 * Credentials from stdin: everything without the last line end, or a typed line, which isn't shown.
 * @throws AppError `invalid_input` if there are none, `cancelled`
 */
export async function readSecret({ what, messages, signal }: SecretInput): Promise<string> {
  const { stdin } = process;
  const secret = stdin.isTTY ? await typed(stdin, what, messages, signal) : await readPiped(maxBytes);
  if (secret !== '') return secret;
  throw invalidInput(`There is no ${what} on stdin. Pipe it in, or type it and press Enter.`, {
    field: 'stdin',
  });
}

async function typed(
  stdin: ReadStream,
  what: string,
  messages: Messages,
  signal: AbortSignal,
): Promise<string> {
  messages.say(`Type or paste the ${what} and press Enter. It is not shown.`);
  // The line editor echoes to this stream instead of the terminal.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  // In raw mode Ctrl-C is an ordinary key, which only the line editor receives.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  try {
    const line = new Promise<string>((resolve) => {
      lines.once('line', resolve);
      lines.once('close', () => resolve(''));
    });
    return await abortable(line, signal);
  } finally {
    lines.close();
  }
}
