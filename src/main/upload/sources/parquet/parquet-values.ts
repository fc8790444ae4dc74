import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { snappyUncompress } from 'hyparquet';
import type { Compressors, ParquetParsers, SchemaElement } from 'hyparquet';

/** The compressions that can be unpacked. */
export const readCodecs: ReadonlySet<string> = new Set(['UNCOMPRESSED', 'SNAPPY', 'GZIP', 'BROTLI', 'ZSTD']);

/** How pages are unpacked. Each of them counts against a budget, whatever size the file declares. */
export class PageUnpacker {
  readonly #maxBytes: number;
  #bytes = 0;

  /** @param maxBytes that pages may unpack to between two calls of {@link restart} */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  restart(): void {
    this.#bytes = 0;
  }

  /** @throws AppError file_unsuitable through the reader, when the budget is exceeded */
  readonly compressors: Compressors = {
    SNAPPY: (input, bytes) => {
      const output = new Uint8Array(this.#take(bytes));
      snappyUncompress(input, output);
      return output;
    },
    GZIP: (input, bytes) => gunzipSync(input, this.#limit(bytes)),
    BROTLI: (input, bytes) => brotliDecompressSync(input, this.#limit(bytes)),
    ZSTD: (input, bytes) => zstdDecompressSync(input, this.#limit(bytes)),
  };

  #take(bytes: number): number {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes)
      throw new Error(`its pages unpack to more than ${this.#maxBytes >> 20} MB`);
    return bytes;
  }

  #limit(bytes: number): { maxOutputLength: number } {
    return { maxOutputLength: Math.max(1, this.#take(bytes)) };
  }
}

/** A time as ISO 8601 with the digits of its unit below milliseconds, if they aren't 0. */
function isoTime(value: bigint, perMs: bigint, extraDigits: number): string {
  const rest = ((value % perMs) + perMs) % perMs;
  const text = new Date(Number((value - rest) / perMs)).toISOString();
  const extra = rest.toString().padStart(extraDigits, '0').replace(/0+$/, '');
  return extra === '' ? text : `${text.slice(0, -1)}${extra}Z`;
}

/** Digits after the seconds in a time of day, by its unit. */
const timeDigits = { MILLIS: 3, MICROS: 6, NANOS: 9 } as const;

const twoDigits = (value: bigint): string => String(value).padStart(2, '0');

/** The unit of a type of times of day; null for other types. */
function clockUnit({
  logical_type: logical,
  converted_type: converted,
}: SchemaElement): keyof typeof timeDigits | null {
  if (logical?.type === 'TIME') return logical.unit;
  if (converted === 'TIME_MILLIS') return 'MILLIS';
  return converted === 'TIME_MICROS' ? 'MICROS' : null;
}

/** A time of day as text, such as `12:30:15`, with the digits of its unit if they aren't 0; null for other types. */
export function timeOfDay(stored: bigint | number, element: SchemaElement): string | null {
  const unit = clockUnit(element);
  if (unit === null) return null;
  const value = BigInt(stored);
  const perSecond = 10n ** BigInt(timeDigits[unit]);
  const seconds = value / perSecond;
  const fraction = String(value % perSecond)
    .padStart(timeDigits[unit], '0')
    .replace(/0+$/, '');
  const clock = [seconds / 3600n, (seconds / 60n) % 60n, seconds % 60n].map(twoDigits).join(':');
  return fraction === '' ? clock : `${clock}.${fraction}`;
}

/** Times as text, so that no digit is lost. */
export const parsers: Partial<ParquetParsers> = {
  timestampFromMilliseconds: (value) => isoTime(value, 1n, 0),
  timestampFromMicroseconds: (value) => isoTime(value, 1000n, 3),
  timestampFromNanoseconds: (value) => isoTime(value, 1_000_000n, 6),
  dateFromDays: (days) => new Date(days * 86_400_000).toISOString().slice(0, 10),
};
