import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { snappyUncompress } from 'hyparquet';
import type { Compressors, ParquetParsers } from 'hyparquet';

/** Maximum size of a page: a larger one is made to fill memory. */
const maxPageBytes = 256 << 20;

function checked(bytes: number): number {
  if (bytes > maxPageBytes) throw new Error(`a page unpacks to more than ${maxPageBytes >> 20} MB`);
  return bytes;
}

const limit = (bytes: number): { maxOutputLength: number } => ({
  maxOutputLength: Math.max(1, checked(bytes)),
});

/** How pages are unpacked, with a limit of 256 MB each. */
export const compressors: Compressors = {
  SNAPPY(input, bytes) {
    const output = new Uint8Array(checked(bytes));
    snappyUncompress(input, output);
    return output;
  },
  GZIP: (input, bytes) => gunzipSync(input, limit(bytes)),
  BROTLI: (input, bytes) => brotliDecompressSync(input, limit(bytes)),
  ZSTD: (input, bytes) => zstdDecompressSync(input, limit(bytes)),
};

/** A time as ISO 8601 with the digits of its unit below milliseconds, if they aren't 0. */
function isoTime(value: bigint, perMs: bigint, extraDigits: number): string {
  const rest = ((value % perMs) + perMs) % perMs;
  const text = new Date(Number((value - rest) / perMs)).toISOString();
  const extra = rest.toString().padStart(extraDigits, '0').replace(/0+$/, '');
  return extra === '' ? text : `${text.slice(0, -1)}${extra}Z`;
}

/** Times as text, so that no digit is lost. */
export const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value) => isoTime(value, 1n, 0),
  timestampFromMicroseconds: (value) => isoTime(value, 1000n, 3),
  timestampFromNanoseconds: (value) => isoTime(value, 1_000_000n, 6),
  dateFromDays: (days) => new Date(days * 86_400_000).toISOString().slice(0, 10),
};
