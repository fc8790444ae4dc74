import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { AppError } from '../../../../shared/errors/errors.ts';
import { openSource } from '../../reading/source.ts';
import type { Source } from '../../reading/source.ts';
import { unsuitable } from '../unsuitable.ts';

/** A file in an archive. */
export interface ZipEntry {
  readonly name: string;
  /** As the archive gives it; not to be trusted. */
  readonly bytes: number;
  readonly compressedBytes: number;
  readonly method: number;
  readonly crc: number;
  readonly isEncrypted: boolean;
  /** Where its local header begins. */
  readonly offset: number;
}

const endSignature = 0x06054b50;
const end64Locator = 0x07064b50;
const end64Signature = 0x06064b50;
const entrySignature = 0x02014b50;
const localSignature = 0x04034b50;
const endBytes = 22;
const maxCommentBytes = 0xffff;
const maxEntries = 50_000;
const maxDirectoryBytes = 64 << 20;
const chunkBytes = 64 << 10;
/** Workbooks shrink to a tenth or twentieth; bombs to a thousandth. */
const maxRatio = 200;
/** Below this size the ratio doesn't matter. */
const minBombBytes = 64 << 20;

/** A zip archive, read by its directory, one entry at a time. */
export class ZipArchive {
  readonly #source: Source;
  readonly #fileName: string;
  readonly entries: ReadonlyMap<string, ZipEntry>;

  /** @throws AppError file_unreadable; file_unsuitable when it is no archive or is damaged */
  constructor(path: string, fileName: string) {
    this.#fileName = fileName;
    this.#source = openSource(path, fileName);
    try {
      this.entries = new Map(this.#readDirectory().map((entry) => [entry.name, entry]));
    } catch (error) {
      this.#source.close();
      throw error;
    }
  }

  close(): void {
    this.#source.close();
  }

  #bytes(position: number, length: number): Buffer {
    const into = Buffer.alloc(length);
    if (position < 0 || this.#source.read(into, 0, length, position) < length) throw this.#damaged();
    return into;
  }

  #damaged(cause?: unknown): AppError {
    const reason = 'the file is damaged or not complete';
    return new AppError('file_unsuitable', { file: this.#fileName, reason }, { cause });
  }

  #readDirectory(): ZipEntry[] {
    const { bytes } = this.#source;
    const tailStart = Math.max(0, bytes - endBytes - maxCommentBytes);
    const tail = this.#bytes(tailStart, bytes - tailStart);
    let end = tail.length - endBytes;
    while (end >= 0 && tail.readUInt32LE(end) !== endSignature) end--;
    if (end < 0) throw this.#damaged();
    let count = tail.readUInt16LE(end + 10);
    let size = tail.readUInt32LE(end + 12);
    let offset = tail.readUInt32LE(end + 16);
    if (end >= 20 && tail.readUInt32LE(end - 20) === end64Locator) {
      const record = this.#bytes(Number(tail.readBigUInt64LE(end - 12)), 56);
      if (record.readUInt32LE(0) !== end64Signature) throw this.#damaged();
      count = Number(record.readBigUInt64LE(32));
      size = Number(record.readBigUInt64LE(40));
      offset = Number(record.readBigUInt64LE(48));
    }
    if (count > maxEntries || size > maxDirectoryBytes)
      throw unsuitable(this.#fileName, `it has more than ${maxEntries} parts, so it is no workbook`);
    if (offset + size > bytes) throw this.#damaged();
    return this.#readEntries(this.#bytes(offset, size), count);
  }

  #readEntries(directory: Buffer, count: number): ZipEntry[] {
    const entries: ZipEntry[] = [];
    for (let at = 0, index = 0; index < count; index++) {
      if (at + 46 > directory.length || directory.readUInt32LE(at) !== entrySignature) throw this.#damaged();
      const flags = directory.readUInt16LE(at + 8);
      const nameEnd = at + 46 + directory.readUInt16LE(at + 28);
      const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
      const sizes = sizesOf(directory, at, nameEnd, extraEnd);
      entries.push({
        name: directory.toString(flags & 0x800 ? 'utf8' : 'latin1', at + 46, nameEnd).replaceAll('\\', '/'),
        method: directory.readUInt16LE(at + 10),
        crc: directory.readUInt32LE(at + 16),
        isEncrypted: (flags & 1) !== 0,
        ...sizes,
      });
      at = extraEnd + directory.readUInt16LE(at + 32);
    }
    return entries;
  }

  /**
   * The bytes of an entry, unpacked as they are taken.
   * @throws AppError file_unsuitable when it is damaged, encrypted, packed in an unusual way, or a bomb
   */
  async *read(entry: ZipEntry): AsyncGenerator<Buffer> {
    if (entry.isEncrypted) throw unsuitable(this.#fileName, 'it is encrypted. Save it without a password');
    if (entry.method !== 0 && entry.method !== 8)
      throw unsuitable(this.#fileName, `its part ${entry.name} is packed in a way that can't be unpacked`);
    let bytes = 0;
    let crc = 0;
    const taken = { bytes: 0 };
    const chunks = this.#packed(entry, taken);
    const unpacked: AsyncIterable<unknown> | Iterable<Buffer> = entry.method === 0 ? chunks : inflate(chunks);
    try {
      for await (const chunk of unpacked) {
        if (!Buffer.isBuffer(chunk)) continue;
        bytes += chunk.length;
        crc = crc32(chunk, crc);
        if (bytes > minBombBytes && bytes > taken.bytes * maxRatio)
          throw unsuitable(
            this.#fileName,
            `its part ${entry.name} unpacks to more than ${maxRatio} times its size, as in a file made to fill memory`,
          );
        yield chunk;
      }
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw this.#damaged(error);
    }
    if (crc !== entry.crc) throw this.#damaged();
  }

  *#packed(entry: ZipEntry, taken: { bytes: number }): Generator<Buffer> {
    const header = this.#bytes(entry.offset, 30);
    if (header.readUInt32LE(0) !== localSignature) throw this.#damaged();
    const start = entry.offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
    while (taken.bytes < entry.compressedBytes) {
      const chunk = this.#bytes(
        start + taken.bytes,
        Math.min(chunkBytes, entry.compressedBytes - taken.bytes),
      );
      taken.bytes += chunk.length;
      yield chunk;
    }
  }
}

/** Unpacks chunks in the thread pool of Node, as they are taken; a consumer that stops early ends it. */
async function* inflate(chunks: Generator<Buffer>): AsyncGenerator {
  const source = Readable.from(chunks);
  const unpacked = createInflateRaw({ chunkSize: chunkBytes });
  // Errors reach the consumer through the iterator; those of ending early reach nobody.
  unpacked.on('error', () => undefined);
  source.on('error', (error) => unpacked.destroy(error));
  try {
    yield* source.pipe(unpacked);
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}

/** Sizes and position of an entry; where they don't fit into 32 bits, they stand behind its name. */
function sizesOf(
  directory: Buffer,
  at: number,
  nameEnd: number,
  extraEnd: number,
): Pick<ZipEntry, 'bytes' | 'compressedBytes' | 'offset'> {
  const short = [
    directory.readUInt32LE(at + 24),
    directory.readUInt32LE(at + 20),
    directory.readUInt32LE(at + 42),
  ];
  for (let extra = nameEnd; extra + 4 <= extraEnd;) {
    const length = directory.readUInt16LE(extra + 2);
    let value = extra + 4;
    if (directory.readUInt16LE(extra) === 1)
      for (const [index, size] of short.entries())
        if (size === 0xffffffff && value + 8 <= extra + 4 + length) {
          short[index] = Number(directory.readBigUInt64LE(value));
          value += 8;
        }
    extra += 4 + length;
  }
  const [bytes = 0, compressedBytes = 0, offset = 0] = short;
  return { bytes, compressedBytes, offset };
}
