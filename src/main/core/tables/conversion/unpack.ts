import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { crc32, createGunzip, createInflateRaw } from 'node:zlib';
import { AppError } from '../../../../shared/errors/errors.ts';
import type { Compression } from '../../../../shared/upload/formats.ts';
import { writeError } from '../../files/file-errors.ts';
import { openRegular } from '../../files/regular-file.ts';
import { openSource, type NamedFile } from '../reading/source.ts';
import { unsuitable } from '../model/unsuitable.ts';
import { checkGrowth } from './limits.ts';
import { dataStartOf, zipEntries, onlyEntry } from '../sources/zip/zip-entries.ts';
import { createWriteStream } from '../../../world/files.ts';

interface Packed {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
  readonly how: 'gzip' | 'deflate' | 'stored';
  /** Checksum of the unpacked content; null: the format checks it itself. */
  readonly crc: number | null;
}

function packedPart({ path, fileName }: NamedFile, compression: Compression): Packed {
  const source = openSource(path, fileName);
  try {
    if (compression === 'gzip') return { start: 0, end: source.bytes, how: 'gzip', crc: null };
    const entry = onlyEntry(zipEntries(source, fileName), fileName);
    // A stream can't read a range of no bytes.
    if (entry.packedBytes === 0) throw unsuitable(fileName, 'it is empty');
    const start = dataStartOf(source, fileName, entry);
    const how = entry.method === 0 ? 'stored' : 'deflate';
    return { start, end: start + entry.packedBytes, how, crc: entry.crc };
  } finally {
    source.close();
  }
}

const unpackers = { gzip: createGunzip, deflate: createInflateRaw } as const;

/**
 * Unpacks the table of a compressed file.
 * @param onRead called for each piece of the content
 * @returns its size in bytes
 * @throws AppError file_unsuitable if it is damaged, truncated, or far larger than the file; disk_full; file_unwritable
 */
export async function unpack(
  file: NamedFile,
  compression: Compression,
  to: string,
  onRead: () => void,
): Promise<number> {
  const { fileName } = file;
  const packed = packedPart(file, compression);
  let bytes = 0;
  let crc = 0;
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      bytes += chunk.length;
      if (packed.crc !== null) crc = crc32(chunk, crc);
      onRead();
      try {
        checkGrowth(fileName, 'unpacked', bytes, packed.end - packed.start);
        done(null, chunk);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
  });
  const source = (await openRegular(file.path, fileName)).createReadStream({
    start: packed.start,
    end: packed.end - 1,
  });
  const target = createWriteStream(to, { flags: 'wx', mode: 0o600 });
  try {
    if (packed.how === 'stored') await pipeline(source, counted, target);
    else await pipeline(source, unpackers[packed.how](), counted, target);
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    if (cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_'))
      throw damaged(fileName, cause.code === 'Z_BUF_ERROR', cause);
    throw writeError(cause, fileName, bytes);
  }
  if (packed.crc !== null && crc !== packed.crc) throw damaged(fileName, false);
  return bytes;
}

const damaged = (file: string, isCut: boolean, cause?: unknown): AppError =>
  new AppError(
    'file_unsuitable',
    { file, reason: isCut ? 'its compressed data is cut short' : 'its compressed data is damaged' },
    { cause },
  );
