import type { Source } from '../../reading/source.ts';
import { unsuitable } from '../../model/unsuitable.ts';

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
export function readBytes(source: Source, file: string, from: number, length: number): Buffer {
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
