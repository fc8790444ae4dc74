import { isUtf8 } from 'node:buffer';
import { invalidInput, unsuitable } from '../../../../shared/errors/errors.ts';
import {
  chosenEncoding,
  decoderOf,
  guessOf,
  isDamaged,
  codeUnits,
  unitWidth,
  type Encoding,
  detectWholeEncoding,
  lineOfFirstLetter,
  openSource,
  type Source,
  textEnd,
} from '../reading/source.ts';
import { maxRecordBytes, quotedCells, UnitWindow } from '../reading/records.ts';
import type { OpenOptions, SourceWarning } from './source.ts';

/** How the values of a data line are separated: `blank`, or the delimiter itself. */
export type Separator = string;

/** Values between blanks; quotes can enclose blanks. */
function splitBlanks(line: string): string[] {
  const text = line.trim();
  if (text === '') return [];
  if (!text.includes('"') && !text.includes("'")) return text.split(/\s+/);
  return (text.match(/"[^"]*"(?!\S)|'[^']*'(?!\S)|\S+/g) ?? []).map((cell) =>
    cell.replace(/^(["'])(.*)\1$/, '$2'),
  );
}

/** Trimmed values between delimiters; quotes can enclose a delimiter. */
const splitDelimited = (line: string, delimiter: string): string[] =>
  (line.includes('"') ? quotedCells(line, delimiter, '"', true).cells : line.split(delimiter)).map((cell) =>
    cell.trim(),
  );

/** The values of a data line. */
export const splitLine = (line: string, separator: Separator): string[] =>
  separator === 'blank' ? splitBlanks(line) : splitDelimited(line, separator);

/** Consecutive lines, without their line ends. */
interface LineBatch {
  /** The number of the first line, from 1. */
  readonly first: number;
  readonly lines: readonly string[];
  /** The numbers of lines with bytes that are invalid in the encoding, for which the text has U+FFFD. */
  readonly damaged: ReadonlySet<number>;
}

/** A text file that is read line by line, from its start as often as needed. */
export interface TextFile {
  readonly fileName: string;
  /** The warnings about its encoding, which may be a guess. */
  readonly warnings: readonly SourceWarning[];
  /** Whether its last line has a line end. */
  readonly endsWithLineEnd: boolean;
  /**
   * All lines in batches, with memory limited to one chunk.
   * @throws AppError file_unreadable, file_unsuitable for a line of over 4 MB, cancelled
   */
  batches(signal: AbortSignal): Generator<LineBatch>;
  close(): void;
}

/** More than an end mark is filled up with. */
const tailBytes = 4096;
const LF = 0x0a;
const CR = 0x0d;

/**
 * Opens a text file and detects its encoding and line ends.
 * @throws AppError file_unreadable, invalid_input for an unknown encoding
 */
export function openText(
  path: string,
  { fileName, encoding: chosen, onRead }: Pick<OpenOptions, 'fileName' | 'encoding' | 'onRead'>,
): TextFile {
  const source = openSource(path, fileName);
  try {
    const sample = source.sample();
    const encoding =
      chosen === undefined ? detectWholeEncoding(source, onRead) : chosenEncoding(chosen, sample);
    if (encoding.name.startsWith('UTF-32'))
      throw invalidInput('Files in UTF-32 aren’t supported. Save the file as UTF-8 first.', {
        field: 'encoding',
      });
    const lineEnd = codeUnits(sample, encoding).includes(LF) ? LF : CR;
    const tail = Buffer.alloc(Math.min(tailBytes, source.bytes - (source.bytes % unitWidth(encoding))));
    source.read(tail, 0, tail.length, source.bytes - tail.length);
    const last = codeUnits(tail, encoding);
    return {
      fileName,
      warnings: encodingWarnings(source, encoding, onRead),
      endsWithLineEnd: last[textEnd((at) => last[at], last.length) - 1] === lineEnd,
      batches: (signal) => readBatches(source, fileName, encoding, lineEnd, signal, onRead),
      close: () => source.close(),
    };
  } catch (error) {
    source.close();
    throw error;
  }
}

/**
 * The warning about an encoding that is a guess, with the first line that depends on it.
 * @param source whose encoding it is
 * @returns none for another encoding
 * @throws AppError file_unreadable
 */
export function encodingWarnings(
  source: Source,
  encoding: Encoding,
  onRead?: () => void,
): readonly SourceWarning[] {
  const guess = guessOf(encoding);
  return guess ? [{ ...guess, place: lineOfFirstLetter(source, onRead), table: null, count: 0 }] : [];
}

/** The warning about a line above the rows with invalid bytes. @param line the first one */
export const damagedHeader = (line: number): SourceWarning => ({
  code: 'bad_bytes',
  message: `Line ${line} above the rows has bytes that are invalid in the encoding. Select another encoding, or repair the file.`,
  place: line,
  table: null,
  count: 1,
});

/** Splits text of complete lines; a lone CR in a file with LF stays in its line. */
function splitLines(text: string, lineEnd: number): string[] {
  if (lineEnd === CR) return text.split('\r');
  return (text.includes('\r') ? text.replaceAll('\r\n', '\n') : text).split('\n');
}

const noLines: ReadonlySet<number> = new Set();

/** The numbers of the lines with bytes that are invalid in the encoding. */
function damagedLines(
  bytes: Buffer,
  lines: readonly string[],
  first: number,
  encoding: Encoding,
  lineEnd: number,
): ReadonlySet<number> {
  // The file itself can contain U+FFFD; only then are the bytes examined.
  if (!lines.some((line) => line.includes('\uFFFD')) || !isDamaged(bytes, encoding)) return noLines;
  const damaged = new Set<number>();
  let start = 0;
  for (const [at, line] of lines.entries()) {
    const next = bytes.indexOf(lineEnd, start);
    const end = next < 0 ? bytes.length : next;
    const isOfFile = encoding.name === 'UTF-8' && isUtf8(bytes.subarray(start, end));
    if (line.includes('\uFFFD') && !isOfFile) damaged.add(first + at);
    start = end + 1;
  }
  return damaged;
}

function* readBatches(
  source: Source,
  fileName: string,
  encoding: Encoding,
  lineEnd: number,
  signal: AbortSignal,
  onRead: (() => void) | undefined,
): Generator<LineBatch> {
  const decode = decoderOf(encoding);
  const width = unitWidth(encoding);
  const window = new UnitWindow(source.read, {
    start: encoding.bom,
    crEnds: lineEnd === CR,
    width,
    swap: encoding.name === 'UTF-16BE',
  });
  for (let first = 1, at = 0; !window.ended;) {
    signal.throwIfAborted();
    onRead?.();
    window.moveTo(at);
    const { buffer, units, length, ended } = window;
    const cut = ended ? length : units.lastIndexOf(lineEnd, length - 1);
    if (length === 0) return;
    at = cut + 1;
    if (cut < 0 && length * width >= maxRecordBytes)
      throw unsuitable(fileName, `a line is longer than ${maxRecordBytes >> 20} MB`, first);
    if (cut < 0) continue;
    const bytes = buffer.subarray(0, cut * width);
    const text = decode(buffer, 0, bytes.length);
    const lines = splitLines(lineEnd === LF && text.endsWith('\r') ? text.slice(0, -1) : text, lineEnd);
    yield { first, lines, damaged: damagedLines(bytes, lines, first, encoding, lineEnd) };
    first += lines.length;
  }
}
