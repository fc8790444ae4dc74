import type { Writable } from 'node:stream';
import { AppError } from '../../shared/errors/errors.ts';
import { visibleText } from '../../shared/errors/visible-text.ts';
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
export interface Output {
  /** Writes, and waits while the reader is slower than we are. @throws ReaderGone, AppError disk_full */
  write(text: string): Promise<void>;
  /** Writes lines, gathered into pieces of a size that pipes like. */
  lines(lines: Iterable<string>): Promise<void>;
}

/** Characters that are gathered before they are written. */
const piece = 64 * 1024;

const hasCode = (error: Error, code: string): boolean => 'code' in error && error.code === code;

export function createOutput(stream: TextStream): Output {
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
    write,
    async lines(lines) {
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
