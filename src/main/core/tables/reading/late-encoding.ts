import { isAscii, isUtf8 } from 'node:buffer';
import { detectByLetters, detectEncoding, type Encoding } from './encoding.ts';
import { sampleBytes, type Source } from './source.ts';

/** Where the first line begins that isn't ASCII, before a byte; null: there is none. */
function firstOtherLine(source: Source, end: number, onRead: () => void): number | null {
  const chunk = Buffer.alloc(sampleBytes);
  for (let at = 0; at < end;) {
    onRead();
    const readBytes = source.read(chunk, 0, Math.min(chunk.length, end - at), at);
    if (readBytes === 0) return null;
    const bytes = chunk.subarray(0, readBytes);
    if (!isAscii(bytes)) {
      const high = bytes.findIndex((byte) => byte >= 0x80);
      return at + bytes.lastIndexOf(0x0a, high) + 1;
    }
    at += readBytes;
  }
  return null;
}

/**
 * The line, from 1, with the first byte that isn't ASCII.
 * @throws AppError file_unreadable
 */
export function lineOfFirstLetter(source: Source, onRead: () => void = () => undefined): number {
  const lineEnd = source.sample().includes(0x0a) ? 0x0a : 0x0d;
  const chunk = Buffer.alloc(sampleBytes);
  let line = 1;
  for (let at = 0; ;) {
    onRead();
    const readBytes = source.read(chunk, 0, chunk.length, at);
    const bytes = chunk.subarray(0, readBytes);
    const high = isAscii(bytes) ? -1 : bytes.findIndex((byte) => byte >= 0x80);
    const start = high < 0 ? bytes : bytes.subarray(0, high);
    for (let end = start.indexOf(lineEnd); end >= 0; end = start.indexOf(lineEnd, end + 1)) line += 1;
    if (high >= 0 || readBytes === 0) return line;
    at += readBytes;
  }
}

/** Whether the file is ASCII before a byte. @throws AppError file_unreadable */
export const isAsciiUpTo = (source: Source, end: number): boolean =>
  firstOtherLine(source, end, () => undefined) === null;

/** The encoding by the letters from a line on that isn't UTF-8. @throws AppError file_unreadable */
export function encodingFrom(source: Source, byte: number): Encoding {
  const sample = Buffer.alloc(sampleBytes);
  const readBytes = source.read(sample, 0, sample.length, byte);
  return detectByLetters(sample.subarray(0, readBytes), byte + readBytes >= source.bytes);
}

/**
 * Detects the encoding of a whole file. Its start may be ASCII: then the first line that isn't decides, as it does
 * in `scan`.
 * @throws AppError file_unreadable
 */
export function detectWholeEncoding(source: Source, onRead: () => void = () => undefined): Encoding {
  const sample = source.sample();
  const encoding = detectEncoding(sample, sample.length >= source.bytes);
  if (encoding.name !== 'UTF-8' || encoding.bom > 0 || !isAscii(sample)) return encoding;
  const start = firstOtherLine(source, source.bytes, onRead);
  if (start === null) return encoding;
  const bytes = Buffer.alloc(sampleBytes);
  const line = bytes.subarray(0, source.read(bytes, 0, bytes.length, start));
  const end = line.indexOf(0x0a);
  return isUtf8(end < 0 ? line : line.subarray(0, end)) ? encoding : encodingFrom(source, start);
}
