import { isAscii, isUtf8 } from 'node:buffer';
import { analyse } from 'chardet';
import iconv from 'iconv-lite';
import { invalidInput, AppError } from '../../../../shared/errors/errors.ts';
import { readFailureReason } from '../../files/file-errors.ts';
import { openRegularSync } from '../../files/regular-file.ts';
import { createHash } from 'node:crypto';
import { closeSync, fstatSync, readSync, type Stats } from '../../../world/files.ts';

/** Reads bytes of the file at a position into the buffer; returns 0 at the end. */
export type ReadAt = (into: Buffer, offset: number, length: number, position: number) => number;

const endMark = 0x1a;

/**
 * The end of text without the end mark of DOS (Ctrl+Z), which old programs write behind the last line and perhaps fill
 * up with NUL.
 * @param unitAt the bytes or code units of the text
 * @param length number of units that count
 */
export function textEnd(unitAt: (at: number) => number | undefined, length: number): number {
  let end = length;
  for (let at = length; at > 0; at--) {
    const unit = unitAt(at - 1);
    if (unit === endMark) end = at - 1;
    else if (unit !== 0) break;
  }
  return end;
}

/** Problems of whole records. Maps of converted tables have their numbers, from 1: append further ones. */
const recordProblems = ['unclosed_quote', 'bad_quotes', 'bad_bytes', 'nul_bytes', 'bad_json'] as const;
export type RecordProblem = (typeof recordProblems)[number];

export interface Encoding {
  /** Its name in messages and in the plan: `UTF-8`, `UTF-16LE`, `Windows-1252`, … */
  readonly name: string;
  /** Bytes of the byte order mark at the start; 0: none. */
  readonly bom: number;
  /** Other possible encodings if the content is ambiguous, the most likely first. */
  readonly alternatives?: readonly string[];
}

/** The warning about an encoding; null: it isn't a guess. */
export function guessOf({ name, alternatives }: Encoding) {
  if (!alternatives) return null;
  const examples = alternatives.length > 0 ? `, such as ${alternatives.join(' or ')},` : '';
  const message = `The file is not UTF-8. It is read as ${name}, which may be wrong. Check accented letters and symbols, and select another encoding${examples} if they are wrong.`;
  return { code: 'encoding_guessed' as const, message, cell: name, choices: [...alternatives] };
}

/** Bytes per code unit: 2 for UTF-16, else 1 (all other supported encodings keep ASCII as single bytes). */
export const unitWidth = (encoding: Encoding): 1 | 2 => (encoding.name.startsWith('UTF-16') ? 2 : 1);

/** Bytes from an even position as code units. */
export function codeUnits(bytes: Uint8Array, encoding: Encoding): Uint8Array | Uint16Array {
  if (unitWidth(encoding) === 1) return bytes;
  const units = new Uint16Array(bytes.length >> 1);
  const copy = Buffer.from(units.buffer);
  copy.set(bytes.subarray(0, copy.length));
  if (encoding.name === 'UTF-16BE') copy.swap16();
  return units;
}

const marks: readonly { readonly name: string; readonly bytes: readonly number[] }[] = [
  { name: 'UTF-32LE', bytes: [0xff, 0xfe, 0, 0] },
  { name: 'UTF-8', bytes: [0xef, 0xbb, 0xbf] },
  { name: 'UTF-16LE', bytes: [0xff, 0xfe] },
  { name: 'UTF-16BE', bytes: [0xfe, 0xff] },
];

const markOf = (sample: Uint8Array): (typeof marks)[number] | undefined =>
  marks.find(({ bytes }) => bytes.every((byte, index) => sample[index] === byte));

/** UTF-16 without a mark: Latin text has a zero in every other byte, always on the same side. */
function utf16WithoutMark(sample: Uint8Array): 'UTF-16LE' | 'UTF-16BE' | null {
  let even = 0;
  let odd = 0;
  for (let at = 0; at < sample.length; at++) {
    if (sample[at] !== 0) continue;
    if (at % 2 === 0) even++;
    else odd++;
  }
  const half = sample.length / 2;
  if (half < 2) return null;
  if (odd > half * 0.5 && even < half * 0.05) return 'UTF-16LE';
  if (even > half * 0.5 && odd < half * 0.05) return 'UTF-16BE';
  return null;
}

/** The sample without a last character that may be incomplete. */
function withoutCutCharacter(sample: Uint8Array): Uint8Array {
  for (let back = 1; back <= Math.min(4, sample.length); back++) {
    const byte = sample[sample.length - back] ?? 0;
    if (byte < 0x80) return sample;
    if (byte >= 0xc0) return sample.subarray(0, sample.length - back);
  }
  return sample;
}

const multibyte: ReadonlySet<string> = new Set(['Big5', 'GB18030', 'Shift_JIS', 'EUC-JP', 'EUC-KR']);
/** The names of encodings that are detected, beside Windows-1252. */
const detectable = new Set([...multibyte, 'windows-1250', 'windows-1251', 'windows-1253', 'KOI8-R']);
/** The detector's names of Windows-1252, and of a part of it. */
const western: ReadonlySet<string> = new Set(['windows-1252', 'ISO-8859-1']);
/** From 0 to 100, measured on tables with a few words of each language: below this the detector guesses. */
const minConfidence = 40;
const minAlternative = 10;
const maxAlternatives = 3;

/** The lines of a sample with non-ASCII bytes: among many numbers the detector would not find the words. */
function linesWithWords(sample: Uint8Array): Uint8Array {
  const lines: Uint8Array[] = [];
  for (let start = 0; start < sample.length;) {
    const lineFeed = sample.indexOf(0x0a, start);
    const end = lineFeed < 0 ? sample.length : lineFeed + 1;
    const line = sample.subarray(start, end);
    if (!isAscii(line)) lines.push(line);
    start = end;
  }
  return Buffer.concat(lines);
}

/** Whether most non-ASCII bytes are next to another one, as in multibyte characters. */
function isWide(bytes: Uint8Array): boolean {
  let high = 0;
  let beside = 0;
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    high++;
    if ((bytes[at - 1] ?? 0) >= 0x80 || (bytes[at + 1] ?? 0) >= 0x80) beside++;
  }
  return high >= 8 && beside * 2 > high;
}

/**
 * Detects the encoding of text that is neither UTF-8 nor UTF-16, with `chardet`. The default is Windows-1252, with
 * alternatives because it can't be proven. `whole`: the sample ends with the file.
 */
function detectByLetters(sample: Uint8Array, whole: boolean): Encoding {
  const lastLine = whole ? sample.length : sample.lastIndexOf(0x0a) + 1;
  const words = linesWithWords(lastLine > 0 ? sample.subarray(0, lastLine) : sample);
  const likely = analyse(words).flatMap(({ name, confidence }) => {
    if (western.has(name)) return [{ name: 'Windows-1252', confidence }];
    const isReadable =
      detectable.has(name) &&
      !(multibyte.has(name) && iconv.decode(Buffer.from(words), name).includes('\uFFFD'));
    return isReadable ? [{ name, confidence }] : [];
  });
  // Rare words give the detector little evidence, but in western languages accented letters are surrounded by ASCII.
  const wide = isWide(words) ? likely.find(({ name }) => multibyte.has(name)) : undefined;
  const best = (likely.find(({ confidence }) => confidence >= minConfidence) ?? wide)?.name ?? 'Windows-1252';
  const likelyNames = likely.flatMap(({ name, confidence }) => (confidence >= minAlternative ? [name] : []));
  const alternatives = [...new Set([...likelyNames, 'Windows-1252'])].filter((name) => name !== best);
  return { name: best, bom: 0, alternatives: alternatives.slice(0, maxAlternatives) };
}

/**
 * Detects the encoding from bytes of a file: by its mark, else UTF-16 by its zeros, UTF-8 if it is valid, else by its
 * letters. `whole`: the sample is the whole file.
 */
export function detectEncoding(sample: Uint8Array, whole: boolean): Encoding {
  const mark = markOf(sample);
  if (mark) return { name: mark.name, bom: mark.bytes.length };
  const wide = utf16WithoutMark(sample);
  if (wide) return { name: wide, bom: 0 };
  if (isUtf8(whole ? sample : withoutCutCharacter(sample))) return { name: 'UTF-8', bom: 0 };
  return detectByLetters(sample, whole);
}

const probe = ' \t\r\n",;|#-.0123456789AZaz';

/**
 * An encoding that the user named, if its line ends, quotes, and delimiters can be found.
 * @throws AppError invalid_input for a name that is unknown or unsupported
 */
export function chosenEncoding(name: string, sample: Uint8Array): Encoding {
  const mark = markOf(sample);
  const plain = name.toLowerCase().replace(/[^a-z0-9]/g, '');
  if (plain === 'utf8') return { name: 'UTF-8', bom: mark?.name === 'UTF-8' ? 3 : 0 };
  if (plain === 'utf16' && mark?.name.startsWith('UTF-16')) return { name: mark.name, bom: 2 };
  if (plain === 'utf16' || plain === 'utf16le')
    return { name: 'UTF-16LE', bom: mark?.name === 'UTF-16LE' ? 2 : 0 };
  if (plain === 'utf16be') return { name: 'UTF-16BE', bom: mark?.name === 'UTF-16BE' ? 2 : 0 };
  if (plain === 'windows1252' || plain === 'cp1252') return { name: 'Windows-1252', bom: 0 };
  const isSupported: boolean = iconv.encodingExists(name);
  if (!isSupported)
    throw invalidInput(`Unknown encoding “${name}”. Use UTF-8, UTF-16LE, or Windows-1252.`, {
      field: 'encoding',
    });
  if (!iconv.encode(probe, name).equals(Buffer.from(probe, 'latin1')))
    throw invalidInput(`Files in “${name}” aren't supported. Save the file as UTF-8 first.`, {
      field: 'encoding',
    });
  return { name, bom: 0 };
}

type Decode = (bytes: Buffer, start: number, end: number) => string;

/** A decoder for bytes of this encoding; UTF-16BE must already have its bytes swapped. */
export function decoderOf(encoding: Encoding): Decode {
  if (unitWidth(encoding) === 2) return (bytes, start, end) => bytes.toString('utf16le', start, end);
  if (encoding.name === 'UTF-8') return (bytes, start, end) => bytes.toString('utf8', start, end);
  const decode =
    encoding.name === 'Windows-1252'
      ? (bytes: Uint8Array) => windows.decode(bytes)
      : (bytes: Uint8Array) => iconv.decode(Buffer.from(bytes), encoding.name);
  return (bytes, start, end) => {
    const part = bytes.subarray(start, end);
    return isAscii(part) ? bytes.toString('latin1', start, end) : decode(part);
  };
}
const windows = new TextDecoder('windows-1252');

/** Bytes from the start of a file that show which kind of text it is. */
const startBytes = 64 << 10;

/** The first 64 kB of a file as text. @param sample the first bytes, or all of them */
export function textStart(sample: Uint8Array, encoding: Encoding): string {
  const start = Buffer.from(sample.subarray(encoding.bom, startBytes + encoding.bom));
  const whole = start.subarray(0, start.length - (start.length % unitWidth(encoding)));
  if (encoding.name === 'UTF-16BE') whole.swap16();
  return decoderOf(encoding)(whole, 0, whole.length);
}

/** As {@link textStart}, in the detected encoding; empty for UTF-32, which no reader reads. */
export function startText(sample: Uint8Array): string {
  const encoding = detectEncoding(sample, false);
  return encoding.name.startsWith('UTF-32') ? '' : textStart(sample, encoding);
}

/** Text encoded in this encoding, without a byte order mark. */
export const encodeText = (text: string, encoding: Encoding): Buffer => iconv.encode(text, encoding.name);

/**
 * Whether bytes whose text has U+FFFD are invalid in the encoding. Multibyte encodings don't contain that character,
 * and single-byte ones have no invalid bytes.
 */
export const isDamaged = (bytes: Uint8Array, encoding: Encoding): boolean =>
  encoding.name === 'UTF-8' ? !isUtf8(bytes) : multibyte.has(encoding.name);

interface OriginalRow {
  readonly place: number;
  /** Why its cells are unreliable; null: they are reliable. */
  readonly problem: RecordProblem | null;
}

/** Maps a line of a converted table to its row in the original. */
type PlaceOf = (line: number) => OriginalRow;

/** The bits above them have the number of the problem; 0: none. */
const placeBits = 28;

/** A row of the original as 32 bits. */
export const placeNumber = (place: number, problem: RecordProblem | null): number =>
  ((problem === null ? 0 : recordProblems.indexOf(problem) + 1) * 2 ** placeBits + place) >>> 0;

const rowOf = (bits: number): OriginalRow => ({
  place: bits % 2 ** placeBits,
  problem: recordProblems[Math.floor(bits / 2 ** placeBits) - 1] ?? null,
});

const bytesPerPlace = 4;
const blockPlaces = 16_384;

/**
 * Reads a map of rows: 32 bits for each line of the table, little-endian. One block is cached, because rows are
 * mostly read in order.
 */
function readPlaces(read: ReadAt): PlaceOf {
  const block = Buffer.alloc(blockPlaces * bytesPerPlace);
  let first = -1;
  let bytes = 0;
  return (line) => {
    const at = line - 1;
    const start = at - (at % blockPlaces);
    if (start !== first) {
      bytes = read(block, 0, block.length, start * bytesPerPlace);
      first = start;
    }
    const offset = (at - start) * bytesPerPlace;
    return offset + bytesPerPlace <= bytes
      ? rowOf(block.readUInt32LE(offset))
      : { place: line, problem: null };
  };
}

/** Bytes of a file that are examined to detect its format. */
export const sampleBytes = 1 << 20;

/** An open file, read by position. Blocks: for worker threads. */
export interface Source extends Disposable {
  readonly path: string;
  /** For messages: its path can be that of an unpacked or converted copy. */
  readonly fileName: string;
  readonly bytes: number;
  readonly mtimeMs: number;
  readonly read: ReadAt;
  /** The place in the original of a line of a converted table; null: the lines are those of the file. */
  readonly placeOf: PlaceOf | null;
  /** The first bytes, at most {@link sampleBytes}, without the end mark of DOS. */
  sample(): Buffer;
  /** Whether size or modification time differ from those at opening. */
  touched(): boolean;
  /** Does nothing after the first call. */
  close(): void;
}

const unreadable = (file: string, cause: unknown): AppError =>
  new AppError('file_unreadable', { file, reason: readFailureReason(cause) }, { cause });

const reading =
  (fd: number, fileName: string): ReadAt =>
  (into, offset, length, position) => {
    try {
      return readSync(fd, into, offset, length, position);
    } catch (error) {
      throw unreadable(fileName, error);
    }
  };

/** What an earlier pass over a file saw of it. With a digest, a file with another time is the same if its content is. */
interface FileStamp extends Pick<Source, 'bytes' | 'mtimeMs'> {
  readonly sha256?: string;
}

const isSame = (source: Source, { bytes, mtimeMs, sha256 }: FileStamp): boolean =>
  (source.bytes === bytes && source.mtimeMs === mtimeMs) ||
  (sha256 !== undefined && hashOf(source).sha256 === sha256);

/**
 * Opens a file.
 * @param places the map of a converted table to places of the original
 * @param expected what an earlier pass found there; absent: this is the first
 * @throws AppError file_unreadable; file_changed if it is no longer what an earlier pass read
 */
export function openSource(
  path: string,
  fileName: string,
  places: string | null = null,
  expected?: FileStamp,
): Source {
  const fd = openRegularSync(path, fileName);
  let placesFd: number | null = null;
  let opened: Stats;
  try {
    opened = fstatSync(fd);
    placesFd = places === null ? null : openRegularSync(places, fileName);
  } catch (error) {
    closeSync(fd);
    if (error instanceof AppError) throw error;
    throw unreadable(fileName, error);
  }
  const read = reading(fd, fileName);
  let isOpen = true;
  const source: Source = {
    placeOf: placesFd === null ? null : readPlaces(reading(placesFd, fileName)),
    path,
    fileName,
    bytes: opened.size,
    mtimeMs: opened.mtimeMs,
    read,
    sample() {
      const sample = Buffer.alloc(Math.min(sampleBytes, opened.size));
      const length = read(sample, 0, sample.length, 0);
      return sample.subarray(0, length < opened.size ? length : textEnd((at) => sample[at], length));
    },
    touched() {
      const now = fstatSync(fd);
      return now.size !== opened.size || now.mtimeMs !== opened.mtimeMs;
    },
    close() {
      // The system gives the number of a closed file to the next one that is opened.
      if (isOpen) for (const open of [fd, placesFd]) if (open !== null) closeSync(open);
      isOpen = false;
    },
    [Symbol.dispose]: () => source.close(),
  };
  try {
    if (expected && !isSame(source, expected)) throw new AppError('file_changed', { file: fileName });
    return source;
  } catch (error) {
    source.close();
    throw error;
  }
}

/** A file to read, or its converted table. */
export interface NamedFile {
  readonly path: string;
  readonly fileName: string;
  /** The map of a converted table to places of the original; null or absent: the lines are those of the file. */
  readonly places?: string | null | undefined;
  /** What an earlier pass over it found: nothing else is read. Absent: this is the first pass. */
  readonly expected?: FileStamp | undefined;
}

/** Size and modification time of a file. @throws AppError file_unreadable */
export function statFile({ path, fileName }: NamedFile): Pick<Source, 'bytes' | 'mtimeMs'> {
  using source = openSource(path, fileName);
  return { bytes: source.bytes, mtimeMs: source.mtimeMs };
}

const hashBytes = 4 << 20;

/** The bytes of a file in chunks, each valid until the next. @throws AppError file_unreadable */
function* chunksOf(
  source: Source,
  size = sampleBytes,
): Generator<{ readonly at: number; readonly bytes: Buffer }> {
  const chunk = Buffer.allocUnsafe(Math.min(size, source.bytes + 1));
  for (let at = 0; ;) {
    const bytes = chunk.subarray(0, source.read(chunk, 0, chunk.length, at));
    if (bytes.length === 0) return;
    yield { at, bytes };
    at += bytes.length;
  }
}

/** The SHA-256 of a whole file. Blocks: for worker threads. @throws AppError file_unreadable */
export function hashFile({ path, fileName }: NamedFile): { sha256: string; bytes: number } {
  using source = openSource(path, fileName);
  return hashOf(source);
}

function hashOf(source: Source): { sha256: string; bytes: number } {
  const hash = createHash('sha256');
  let length = 0;
  for (const { bytes } of chunksOf(source, hashBytes)) {
    hash.update(bytes);
    length += bytes.length;
  }
  return { sha256: hash.digest('hex'), bytes: length };
}

/** The index of the first byte that isn't ASCII; -1: there is none. */
const firstHigh = (bytes: Buffer): number => (isAscii(bytes) ? -1 : bytes.findIndex((byte) => byte >= 0x80));

/** Where the first line begins that isn't ASCII; null: there is none. */
function firstOtherLine(source: Source): number | null {
  for (const { at, bytes } of chunksOf(source)) {
    const high = firstHigh(bytes);
    if (high >= 0) return at + bytes.lastIndexOf(0x0a, high) + 1;
  }
  return null;
}

/** The line, from 1, with the first byte that isn't ASCII. @throws AppError file_unreadable */
export function lineOfFirstLetter(source: Source): number {
  const lineEnd = source.sample().includes(0x0a) ? 0x0a : 0x0d;
  let line = 1;
  for (const { bytes } of chunksOf(source)) {
    const high = firstHigh(bytes);
    const start = high < 0 ? bytes : bytes.subarray(0, high);
    for (let end = start.indexOf(lineEnd); end >= 0; end = start.indexOf(lineEnd, end + 1)) line += 1;
    if (high >= 0) break;
  }
  return line;
}

/**
 * Detects the encoding of a whole file. Its start may be ASCII: then the first line that isn't decides.
 * @throws AppError file_unreadable
 */
export function detectWholeEncoding(source: Source): Encoding {
  const sample = source.sample();
  const encoding = detectEncoding(sample, sample.length >= source.bytes);
  if (encoding.name !== 'UTF-8' || encoding.bom > 0 || !isAscii(sample)) return encoding;
  const start = firstOtherLine(source);
  if (start === null) return encoding;
  const bytes = Buffer.alloc(sampleBytes);
  const lines = bytes.subarray(0, source.read(bytes, 0, bytes.length, start));
  const end = lines.indexOf(0x0a);
  const isWhole = start + lines.length >= source.bytes;
  const sure = end >= 0 ? lines.subarray(0, end) : isWhole ? lines : withoutCutCharacter(lines);
  return isUtf8(sure) ? encoding : detectByLetters(lines, isWhole);
}
