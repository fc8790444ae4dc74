import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { AppError, unsuitable } from '../../../../shared/errors/errors.ts';
import type { Compression } from '../../../../shared/upload/formats.ts';
import type { Source } from '../reading/source.ts';

interface ZipEntry {
  readonly name: string;
  /** 0: stored; 8: deflated. */
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly packedBytes: number;
  /** Unpacked size according to the archive; not to be trusted. */
  readonly bytes: number;
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
function readBytes(source: Source, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  if (from < 0 || source.read(bytes, 0, length, from) < length)
    throw unsuitable(source.fileName, 'it is a zip archive that is damaged or cut short');
  return bytes;
}

/**
 * The files of a zip archive, by the directory at its end; without folders.
 * @throws AppError file_unsuitable if it is truncated or damaged
 */
export function zipEntries(source: Source): ZipEntry[] {
  const { fileName: file } = source;
  const tailAt = Math.max(0, source.bytes - endBytes - maxComment - locatorBytes);
  const tail = readBytes(source, tailAt, source.bytes - tailAt);
  let end = tail.length - endBytes;
  while (end >= 0 && tail.readUInt32LE(end) !== signatures.end) end--;
  if (end < 0) throw unsuitable(file, 'it is a zip archive without its end, perhaps cut short');
  let length = tail.readUInt32LE(end + 12);
  let from = tail.readUInt32LE(end + 16);
  const locator = end - locatorBytes;
  if (locator >= 0 && tail.readUInt32LE(locator) === signatures.end64Locator) {
    const large = readBytes(source, Number(tail.readBigUInt64LE(locator + 8)), end64Bytes);
    if (large.readUInt32LE(0) === signatures.end64) {
      length = Number(large.readBigUInt64LE(40));
      from = Number(large.readBigUInt64LE(48));
    }
  }
  if (length > maxDirectoryBytes || from + length > source.bytes)
    throw unsuitable(file, 'it is a zip archive whose directory is damaged');
  return entriesOf(readBytes(source, from, length));
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
function dataStartOf(source: Source, { at }: ZipEntry): number {
  const local = readBytes(source, at, localBytes);
  if (local.readUInt32LE(0) !== signatures.local)
    throw unsuitable(source.fileName, 'it is a zip archive that is damaged');
  return at + localBytes + local.readUInt16LE(26) + local.readUInt16LE(28);
}

const isSystemFile = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/i.test(name);

/**
 * The only table in a zip archive.
 * @throws AppError file_unsuitable if it has none or several, or in an unreadable form
 */
function onlyEntry(entries: readonly ZipEntry[], file: string): ZipEntry {
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
const unpackers = { gzip: createGunzip, deflate: createInflateRaw } as const;

interface Packed {
  readonly start: number;
  readonly packedBytes: number;
  readonly how: keyof typeof unpackers | 'stored';
}

/** Unpacks a part of a file in the thread pool of Node, on demand; a consumer that stops early ends it. */
async function* unpackedBytes(source: Source, { start, packedBytes, how }: Packed): AsyncGenerator<Buffer> {
  function* chunks(): Generator<Buffer> {
    for (let at = 0; at < packedBytes;) {
      const chunk = Buffer.alloc(Math.min(chunkBytes, packedBytes - at));
      if (source.read(chunk, 0, chunk.length, start + at) < chunk.length)
        throw unsuitable(source.fileName, 'its compressed data is damaged or cut short');
      at += chunk.length;
      yield chunk;
    }
  }
  if (how === 'stored') return yield* chunks();
  const packed = Readable.from(chunks());
  const unpacker = unpackers[how]({ chunkSize: chunkBytes });
  // Errors reach the consumer through the iterator; those after an early end are ignored.
  unpacker.on('error', () => undefined);
  packed.on('error', (error) => unpacker.destroy(error));
  try {
    for await (const chunk of packed.pipe(unpacker)) if (Buffer.isBuffer(chunk)) yield chunk;
  } finally {
    packed.destroy();
    unpacker.destroy();
  }
}

/** As {@link unpackedBytes}, of an entry. @throws Error if its checksum is another one */
async function* unpackedEntry(source: Source, entry: ZipEntry): AsyncGenerator<Buffer> {
  const start = dataStartOf(source, entry);
  const how = entry.method === 0 ? 'stored' : 'deflate';
  let crc = 0;
  for await (const chunk of unpackedBytes(source, { ...entry, start, how })) {
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (crc !== entry.crc) throw new Error('the checksum is another one');
}

/** @throws AppError file_unsuitable for an archive without a file, or with several */
export function packedFile(source: Source, compression: Compression) {
  const { fileName: file } = source;
  const entry = compression === 'zip' ? onlyEntry(zipEntries(source), file) : null;
  if (entry?.packedBytes === 0) throw unsuitable(file, 'it is empty');
  const gzip: Packed = { start: 0, packedBytes: source.bytes, how: 'gzip' };
  return {
    name: entry ? basename(entry.name) : file.replace(/\.gz$/i, ''),
    packedBytes: (entry ?? gzip).packedBytes,
    /** Its content. @throws AppError file_unsuitable if it is damaged or cut short */
    async *read(): AsyncGenerator<Buffer> {
      try {
        yield* entry ? unpackedEntry(source, entry) : unpackedBytes(source, gzip);
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        const isCut = cause instanceof Error && 'code' in cause && cause.code === 'Z_BUF_ERROR';
        const reason = `its compressed data is ${isCut ? 'cut short' : 'damaged'}`;
        throw new AppError('file_unsuitable', { file, reason }, { cause });
      }
    },
  };
}

/** Workbooks compress to a tenth or twentieth; zip bombs to a thousandth. */
const maxRatio = 200;
/** The ratio is ignored below this size. */
const minBombBytes = 64 << 20;

/** A zip archive, read by its directory, one entry at a time. */
export type ZipArchive = ReturnType<typeof openZip>;

/** Opens a zip archive. @throws AppError file_unreadable; file_unsuitable if it isn't an archive or is damaged */
export function openZip(source: Source) {
  const { fileName } = source;
  const entries = zipEntries(source);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  const byLowerCase = new Map(entries.map((entry) => [entry.name.toLowerCase(), entry]));
  return {
    fileName,
    /** The entry of a name, in any case: some programs refer to `sharedStrings.xml`, and store `SharedStrings.xml`. */
    entry: (name: string): ZipEntry | undefined => byName.get(name) ?? byLowerCase.get(name.toLowerCase()),
    /**
     * The bytes of an entry, unpacked on demand.
     * @throws AppError file_unsuitable if it is damaged, encrypted, compressed in an unsupported way, or a zip bomb
     */
    async *read(entry: ZipEntry): AsyncGenerator<Buffer> {
      if (entry.isEncrypted) throw unsuitable(fileName, 'it is encrypted. Save it without a password');
      if (entry.method !== 0 && entry.method !== 8)
        throw unsuitable(fileName, `its part ${entry.name} is packed in a way that can't be unpacked`);
      let bytes = 0;
      const packedBytes = Math.min(entry.packedBytes, source.bytes);
      try {
        for await (const chunk of unpackedEntry(source, entry)) {
          bytes += chunk.length;
          if (bytes > minBombBytes && bytes > packedBytes * maxRatio)
            throw unsuitable(
              fileName,
              `its part ${entry.name} unpacks to more than ${maxRatio} times its size, as in a file made to fill memory`,
            );
          yield chunk;
        }
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        const reason = 'the file is damaged or not complete';
        throw new AppError('file_unsuitable', { file: fileName, reason }, { cause });
      }
    },
  };
}
