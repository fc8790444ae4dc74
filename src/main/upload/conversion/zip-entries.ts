import { AppError } from '../../../shared/errors/errors.ts';
import type { Source } from '../reading/source.ts';

/** A file in a zip archive. */
export interface ZipEntry {
  readonly name: string;
  /** 0: stored; 8: deflated. */
  readonly method: number;
  readonly isEncrypted: boolean;
  readonly crc: number;
  readonly packedBytes: number;
  readonly bytes: number;
  /** Where its local header begins. */
  readonly at: number;
}

const signatures = { end: 0x06054b50, central: 0x02014b50, local: 0x04034b50 } as const;
const endBytes = 22;
const centralBytes = 46;
const localBytes = 30;
const maxComment = 0xffff;
const maxDirectoryBytes = 16 << 20;

const damaged = (file: string, reason: string): AppError => new AppError('file_unsuitable', { file, reason });

function readBytes(source: Source, from: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, source.read(bytes, 0, length, from));
}

/**
 * The files of a zip archive, by its directory at the end; folders are left out.
 * @throws AppError file_unsuitable where it is cut short or damaged
 */
export function zipEntries(source: Source, file: string): ZipEntry[] {
  const tailAt = Math.max(0, source.bytes - endBytes - maxComment);
  const tail = readBytes(source, tailAt, source.bytes - tailAt);
  let end = tail.length - endBytes;
  while (end >= 0 && tail.readUInt32LE(end) !== signatures.end) end--;
  if (end < 0) throw damaged(file, 'it is a zip archive without its end, perhaps cut short');
  const length = tail.readUInt32LE(end + 12);
  const from = tail.readUInt32LE(end + 16);
  if (length > maxDirectoryBytes || from + length > source.bytes)
    throw damaged(file, 'it is a zip archive whose directory is damaged');
  return entriesOf(readBytes(source, from, length));
}

function entriesOf(directory: Buffer): ZipEntry[] {
  const entries: ZipEntry[] = [];
  for (let at = 0; at + centralBytes <= directory.length;) {
    if (directory.readUInt32LE(at) !== signatures.central) break;
    const nameBytes = directory.readUInt16LE(at + 28);
    const name = directory.toString('utf8', at + centralBytes, at + centralBytes + nameBytes);
    if (!name.endsWith('/'))
      entries.push({
        name,
        method: directory.readUInt16LE(at + 10),
        isEncrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
        crc: directory.readUInt32LE(at + 16),
        packedBytes: directory.readUInt32LE(at + 20),
        bytes: directory.readUInt32LE(at + 24),
        at: directory.readUInt32LE(at + 42),
      });
    at += centralBytes + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return entries;
}

/**
 * Where the packed bytes of an entry begin.
 * @throws AppError file_unsuitable
 */
export function dataStartOf(source: Source, file: string, { at }: ZipEntry): number {
  const local = readBytes(source, at, localBytes);
  if (local.length < localBytes || local.readUInt32LE(0) !== signatures.local)
    throw damaged(file, 'it is a zip archive that is damaged');
  return at + localBytes + local.readUInt16LE(26) + local.readUInt16LE(28);
}

const isSystemFile = (name: string): boolean => /(?:^|\/)(?:__MACOSX\/|\.DS_Store$|Thumbs\.db$)/i.test(name);

/**
 * The one table that a zip archive holds.
 * @throws AppError file_unsuitable where it holds none or several, or in a form that can't be read
 */
export function onlyEntry(entries: readonly ZipEntry[], file: string): ZipEntry {
  const files = entries.filter(({ name }) => !isSystemFile(name));
  const [entry] = files;
  if (!entry) throw damaged(file, 'it is a zip archive without files');
  if (files.length > 1)
    throw damaged(file, `it is a zip archive with ${files.length} files (unpack it and choose one of them)`);
  if (entry.isEncrypted) throw damaged(file, 'it is a zip archive with a password (unpack it first)');
  if (entry.method !== 0 && entry.method !== 8)
    throw damaged(file, 'it is a zip archive with an unusual compression (unpack it first)');
  return entry;
}
