import type { Writable } from 'node:stream';
import { AppError, visibleText, visibleLine } from '../../../shared/errors/errors.ts';
import { isDiskFull } from '../../core/files/file-errors.ts';

/** Thrown when the reader of stdout has closed it, as `head` does: the command ends without an error. */
export class ReaderGone extends Error {
  override readonly name = 'ReaderGone';
}

/** A stream that can be a terminal. */
export interface TextStream extends Writable {
  readonly isTTY?: boolean;
}

/** Results on stdout: unchanged, but with control characters visible in a terminal. */
export type Output = ReturnType<typeof createOutput>;

const chunkLength = 64 * 1024;

const hasCode = (error: Error, code: string): boolean => 'code' in error && error.code === code;

/** Writes results to stdout, and waits for a slow reader. */
export function createOutput(stream: TextStream) {
  let writtenBytes = 0;
  // Each write reports its own failure; without a listener the stream's event would end the process.
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
  async function writeLines(lines: Iterable<string>): Promise<void> {
    let chunk = '';
    for (const line of lines) {
      chunk += `${line}\n`;
      if (chunk.length < chunkLength) continue;
      await write(chunk);
      chunk = '';
    }
    if (chunk !== '') await write(chunk);
  }
  return {
    /** Writes, and waits while the reader is slower. @throws ReaderGone, AppError disk_full */
    write,
    /** Writes lines in chunks of a size suited to pipes. @throws ReaderGone, AppError disk_full */
    lines: writeLines,
    /**
     * Writes lines about work whose outcome is the exit code: that stays when the reader has gone.
     * @throws AppError disk_full
     */
    report: (lines: Iterable<string>): Promise<void> =>
      writeLines(lines).catch((error: unknown) => {
        if (!(error instanceof ReaderGone)) throw error;
      }),
  };
}

/** Messages and progress on stderr. */
export type Messages = ReturnType<typeof createMessages>;

export interface MessageStream extends TextStream {
  readonly columns?: number;
}

/** Interval of progress lines where they can't be replaced. */
const progressIntervalMs = 10_000;

/** Assumed width of a terminal that doesn't report its own. */
const unknownWidth = 80;

/** Moves to the start of the line and clears it. */
const clearLine = '\r\u001b[2K';

/** Writes messages to stderr, and progress on one line of a terminal. */
export function createMessages(stream: MessageStream) {
  const { isTTY } = stream;
  let shown = false;
  let lastProgressAt = performance.now();
  // There is no other way to report a closed stderr.
  stream.on('error', () => undefined);
  const clear = (): void => {
    if (shown) stream.write(clearLine);
    shown = false;
  };
  return {
    say(sentence: string): void {
      clear();
      stream.write(`${visibleLine(sentence)}\n`);
    },
    /** Progress: one line that is replaced in a terminal, else a line at intervals. */
    progress(text: string): void {
      if (isTTY) {
        stream.write(`${clearLine}${visibleLine(text).slice(0, (stream.columns || unknownWidth) - 1)}`);
        shown = true;
      } else if (performance.now() - lastProgressAt >= progressIntervalMs) {
        stream.write(`${visibleLine(text)}\n`);
        lastProgressAt = performance.now();
      }
    },
    clear,
  };
}

export const recordFormats = ['ndjson', 'csv', 'json'] as const;
export type RecordFormat = (typeof recordFormats)[number];

/**
 * @param page JSON of an array of objects, as text or in UTF-8
 * @param fields for CSV: the columns, if specified
 * @throws AppError bad_answer if it isn't such an array
 */
export async function writeRecords(
  out: Output,
  page: string | Uint8Array,
  format: RecordFormat,
  fields: readonly string[] = [],
): Promise<void> {
  const records = typeof page === 'string' ? page : new TextDecoder().decode(page);
  // Loaded on use: few commands write records.
  const { onOneLine, recordLines } = await import('../../core/records/scan.ts');
  switch (format) {
    case 'ndjson':
      return out.lines(recordLines(records));
    case 'json':
      return out.lines([onOneLine(records)]);
    case 'csv': {
      const { recordsAsCsv } = await import('../../core/records/as-csv.ts');
      return out.write(recordsAsCsv(records, { fields }));
    }
  }
}
