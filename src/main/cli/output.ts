import type { Writable } from 'node:stream';
import { AppError } from '../../shared/errors.ts';
import { isDiskFull } from '../files/file-errors.ts';

/** Thrown when whoever reads stdout has gone, as `head` does: there is nothing left to do and nothing wrong. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/** Results on their way to stdout. */
export interface Output {
  /** Writes, and waits while the reader is slower than we are. @throws ReaderGone, AppError disk_full */
  write(text: string): Promise<void>;
  /** Writes lines, gathered into pieces of a size that pipes like. */
  lines(lines: Iterable<string>): Promise<void>;
}

/** Characters that are gathered before they are written. */
const piece = 64 * 1024;

const hasCode = (error: Error, code: string): boolean => 'code' in error && error.code === code;

export function createOutput(stream: Writable): Output {
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
      stream.write(text, (error) => {
        if (error) return reject(failure(error));
        writtenBytes += Buffer.byteLength(text);
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

/** Text of others, made safe for a terminal: no control characters but the end of a line. */
export function plain(text: string): string {
  // oxlint-disable-next-line no-control-regex -- control characters are what is to go
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, ' ');
}
