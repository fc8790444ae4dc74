import type { Writable } from 'node:stream';
import { AppError } from '../../shared/errors/errors.ts';
import { visibleText, visibleLine } from '../../shared/errors/visible-text.ts';
import { isDiskFull } from '../files/file-errors.ts';

/** Thrown when whoever reads stdout has gone, as `head` does: there is nothing left to do and nothing wrong. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/** A stream that may be a terminal. */
export interface TextStream extends Writable {
  readonly isTTY?: boolean;
}

/** Results on their way to stdout: as they are, but visible where a terminal shows them. */
export type Output = ReturnType<typeof createOutput>;

const piece = 64 * 1024;

const hasCode = (error: Error, code: string): boolean => 'code' in error && error.code === code;

export function createOutput(stream: TextStream) {
  let writtenBytes = 0;
  // Each write hears of its own failure; without a listener the stream's event would end the process.
  stream.on('error', () => undefined);
  const failure = (error: Error): Error => {
    if (hasCode(error, 'EPIPE') || hasCode(error, 'ERR_STREAM_DESTROYED')) return new ReaderGone();
    if (isDiskFull(error))
      return new AppError('disk_full', { file: 'stdout', writtenBytes }, { cause: error });
    return new AppError('file_unwritable', { file: 'stdout', reason: error.message }, { cause: error });
  };
  const write = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const shown = stream.isTTY ? visibleText(text) : text;
      stream.write(shown, (error) => {
        if (error) return reject(failure(error));
        writtenBytes += Buffer.byteLength(shown);
        return resolve();
      });
    });
  return {
    /** Writes, and waits while the reader is slower than we are. @throws ReaderGone, AppError disk_full */
    write,
    /** Writes lines, gathered into pieces of a size that pipes like. */
    async lines(lines: Iterable<string>): Promise<void> {
      let waiting = '';
      for (const line of lines) {
        waiting += `${line}\n`;
        if (waiting.length < piece) continue;
        await write(waiting);
        waiting = '';
      }
      if (waiting !== '') await write(waiting);
    },
  };
}

/** What is said on stderr: sentences, and how far a long task is. */
export type Messages = ReturnType<typeof createMessages>;

/** Stderr, which may be a terminal. */
export interface MessageStream extends TextStream {
  readonly columns?: number;
}

/** How often progress is told where it can't be taken back, in milliseconds. */
const seldom = 10_000;

/** Taken for the width of a terminal that does not say its own. */
const unknownWidth = 80;

/** Back to the start of the line, and clear it. */
const wipe = '\r\u001b[2K';

export function createMessages(stream: MessageStream) {
  const { isTTY } = stream;
  let shown = false;
  let toldAt = performance.now();
  // Nobody can be told that stderr is gone.
  stream.on('error', () => undefined);
  const clear = (): void => {
    if (shown) stream.write(wipe);
    shown = false;
  };
  return {
    /** A sentence, on a line of its own. */
    say(sentence: string): void {
      clear();
      stream.write(`${visibleText(sentence)}\n`);
    },
    /** How far it is: one line that changes where stderr is a terminal, else a line now and then. */
    progress(text: string): void {
      if (isTTY) {
        stream.write(`${wipe}${visibleLine(text).slice(0, (stream.columns || unknownWidth) - 1)}`);
        shown = true;
      } else if (performance.now() - toldAt >= seldom) {
        stream.write(`${visibleLine(text)}\n`);
        toldAt = performance.now();
      }
    },
    /** Takes the changing line away. */
    clear,
  };
}
