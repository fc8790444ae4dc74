import { Readable } from 'node:stream';
import { crc32, createInflateRaw } from 'node:zlib';
import { AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import { type Source, openSource } from '../reading/source.ts';

/** A file in a zip archive. */
export interface ZipEntry {
  readonly name: string;
  /** 0: stored; 8: deflated. */
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly packedBytes: number;
  /** Unpacked size according to the archive; not to be trusted. */
  readonly bytes: number;
  /** Position of its local header. */
  readonly at: number;
}

const signatures = {
  end: 0x06054b50,
  end64Locator: 0x07064b50,
  end64: 0x06064b50,
  central: 0x02014b50,
  local: 0x04034b50,
};
const endBytes = 22;
const locatorBytes = 20;
const end64Bytes = 56;
const centralBytes = 46;
const localBytes = 30;
const maxComment = 0xffff;
const maxDirectoryBytes = 16 << 20;
/** Marks a size that is stored in 64 bits, after the name. */
const size64Marker = 0xffffffff;

/** A range of an archive. @throws AppError file_unsuitable if the archive ends before it */
function readBytes(source: Source, file: string, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (from < 0 || source.read(bytes, 0, length, from) < length)
    throw unsuitable(file, 'it is a zip archive that is damaged or cut short');
  return bytes;
}

/**
 * The files of a zip archive, by the directory at its end; without folders.
 * @throws AppError file_unsuitable if it is truncated or damaged
 */
export function zipEntries(source: Source, file: string): ZipEntry[] {
  const tailAt = Math.max(0, source.bytes - endBytes - maxComment - locatorBytes);
  const tail = readBytes(source, file, tailAt, source.bytes - tailAt);
  let end = tail.length - endBytes;
  while (end >= 0 && tail.readUInt32LE(end) !== signatures.end) end--;
  if (end < 0) throw unsuitable(file, 'it is a zip archive without its end, perhaps cut short');
  let length = tail.readUInt32LE(end + 12);
  let from = tail.readUInt32LE(end + 16);
  const locator = end - locatorBytes;
  if (locator >= 0 && tail.readUInt32LE(locator) === signatures.end64Locator) {
    const large = readBytes(source, file, Number(tail.readBigUInt64LE(locator + 8)), end64Bytes);
    if (large.readUInt32LE(0) === signatures.end64) {
      length = Number(large.readBigUInt64LE(40));
      from = Number(large.readBigUInt64LE(48));
    }
  }
  if (length > maxDirectoryBytes || from + length > source.bytes)
    throw unsuitable(file, 'it is a zip archive whose directory is damaged');
  return entriesOf(readBytes(source, file, from, length));
}

function entriesOf(directory: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; at + centralBytes <= directory.length;) {
    if (directory.readUInt32LE(at) !== signatures.central) break;
    const nameEnd = at + centralBytes + directory.readUInt16LE(at + 28);
    const extraEnd = nameEnd + directory.readUInt16LE(at + 30);
    const name = directory.toString('utf8', at + centralBytes, nameEnd).replaceAll('\\', '/');
    if (!name.endsWith('/'))
      entries.push({
        name,
        method: directory.readUInt16LE(at + 10),
        isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
        crc: directory.readUInt32LE(at + 16),
        ...sizesOf(directory, at, directory.subarray(nameEnd, extraEnd)),
      });
    at = extraEnd + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/** Sizes and position of an entry; those that don't fit into 32 bits are after its name. */
function sizesOf(
  directory: Buffer,
  at: number,
  extra: Buffer,
): Pick<ZipEntry, 'bytes' | 'packedBytes' | 'at'> {
  const sizes = [24, 20, 42].map((offset) => directory.readUInt32LE(at + offset));
  for (let field = 0; field + 4 <= extra.length; field += 4 + extra.readUInt16LE(field + 2)) {
    const end = Math.min(extra.length, field + 4 + extra.readUInt16LE(field + 2));
    let value = field + 4;
    if (extra.readUInt16LE(field) !== 1) continue;
    for (const [index, size] of sizes.entries())
      if (size === size64Marker && value + 8 <= end) {
        sizes[index] = Number(extra.readBigUInt64LE(value));
        value += 8;
      }
  }
  const [bytes = 0, packedBytes = 0, position = 0] = sizes;
  return { bytes, packedBytes, at: position };
}

/** The position of an entry's compressed bytes. @throws AppError file_unsuitable */
export function dataStartOf(source: Source, file: string, { at }: ZipEntry): number {
  const local = readBytes(source, file, at, localBytes);
  if (local.readUInt32LE(0) !== signatures.local)
    throw unsuitable(file, 'it is a zip archive that is damaged');
  return at + localBytes + local.readUInt16LE(26) + local.readUInt16LE(28);
}

const isSystemFile = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/i.test(name);

/**
 * The only table in a zip archive.
 * @throws AppError file_unsuitable if it has none or several, or in an unreadable form
 */
export function onlyEntry(entries: readonly ZipEntry[], file: string): ZipEntry {
  const files = entries.filter(({ name }) => !isSystemFile(name));
  const [entry] = files;
  if (!entry) throw unsuitable(file, 'it is a zip archive without files');
  if (files.length > 1)
    throw unsuitable(
      file,
      `it is a zip archive with ${files.length} files (unpack it and choose one of them)`,
    );
  if (entry.isEncrypted) throw unsuitable(file, 'it is a zip archive with a password (unpack it first)');
  if (entry.method !== 0 && entry.method !== 8)
    throw unsuitable(file, 'it is a zip archive with an unusual compression (unpack it first)');
  return entry;
}

const chunkBytes = 64 << 10;
/** Workbooks compress to a tenth or twentieth; zip bombs to a thousandth. */
const maxRatio = 200;
/** The ratio is ignored below this size. */
const minBombBytes = 64 << 20;

/** A zip archive, read by its directory, one entry at a time. */
export class ZipArchive {
  readonly #source: Source;
  readonly #fileName: string;
  readonly #entries: ReadonlyMap<string, ZipEntry>;
  readonly #byLowerCase: ReadonlyMap<string, ZipEntry>;

  /** @throws AppError file_unreadable; file_unsuitable if it isn't an archive or is damaged */
  constructor(path: string, fileName: string) {
    this.#fileName = fileName;
    this.#source = openSource(path, fileName);
    try {
      const entries = zipEntries(this.#source, fileName);
      this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
      this.#byLowerCase = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
    } catch (error) {
      this.#source.close();
      throw error;
    }
  }

  /** The entry of a name, in any case: some programs refer to `sharedStrings.xml`, and store `SharedStrings.xml`. */
  entry(name: string): ZipEntry | undefined {
    return this.#entries.get(name) ?? this.#byLowerCase.get(name.toLowerCase());
  }

  close(): void {
    this.#source.close();
  }

  #damaged(cause?: unknown): AppError {
    const reason = 'the file is damaged or not complete';
    return new AppError('file_unsuitable', { file: this.#fileName, reason }, { cause });
  }

  /**
   * The bytes of an entry, unpacked on demand.
   * @throws AppError file_unsuitable if it is damaged, encrypted, compressed in an unsupported way, or a zip bomb
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
    const start = dataStartOf(this.#source, this.#fileName, entry);
    while (taken.bytes < entry.packedBytes) {
      const length = Math.min(chunkBytes, entry.packedBytes - taken.bytes);
      const chunk = readBytes(this.#source, this.#fileName, start + taken.bytes, length);
      taken.bytes += chunk.length;
      yield chunk;
    }
  }
}

/** Unpacks chunks in the thread pool of Node, on demand; a consumer that stops early ends it. */
async function* inflate(chunks: Generator<Buffer>): AsyncGenerator {
  const source = Readable.from(chunks);
  const unpacked = createInflateRaw({ chunkSize: chunkBytes });
  // Errors reach the consumer through the iterator; those after an early end are ignored.
  unpacked.on('error', () => undefined);
  source.on('error', (error) => unpacked.destroy(error));
  try {
    yield* source.pipe(unpacked);
  } finally {
    source.destroy();
    unpacked.destroy();
  }
}
