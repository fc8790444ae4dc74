import { unsuitable } from '../model/unsuitable.ts';

/** Maximum memory of the process that reads a Parquet file, in megabytes: beside the engine's own, values of 2,048 rows. */
export const maxProcessMb = 1024;

/** Memory of the engine that reads a Parquet file, in megabytes. A row group of any size is read page by page. */
export const engineMb = 512;

const mega = 1 << 20;
const giga = 1 << 30;

/** Maximum number of bytes written for one file, whatever size it declares. */
const maxBytes = 16 * giga;

/** Maximum ratio of content to file size once the content is larger than `freeBytes`. */
const limits = {
  /** Logs and measurements compress to a twentieth; a file of one repeated byte to a thousandth. */
  unpacked: { freeBytes: 64 * mega, ratio: 250 },
  /** A column of one value takes almost no space in a workbook or a Parquet file. */
  converted: { freeBytes: 256 * mega, ratio: 1000 },
} as const;

/**
 * Prevents a small file from filling the disk.
 * @param bytes written so far
 * @param from bytes of the file
 * @throws AppError file_unsuitable
 */
export function checkGrowth(file: string, what: keyof typeof limits, bytes: number, from: number): void {
  const { freeBytes, ratio } = limits[what];
  const isBomb = bytes > freeBytes && bytes > from * ratio;
  if (!isBomb && bytes <= maxBytes) return;
  const reason = isBomb
    ? `its content is more than ${ratio} times larger than the file, like a decompression bomb`
    : 'its content is larger than 16 GB';
  throw unsuitable(file, reason);
}
