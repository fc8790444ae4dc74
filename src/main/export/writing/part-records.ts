import { closeSync, readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { AppError } from '../../../shared/errors/errors.ts';
import { isMissing } from '../../files/file-errors.ts';
import { openRegularSync } from '../../files/regular-file.ts';

/** Maximum number of rows that are returned at once. */
const batchRows = 10_000;

/**
 * The records of a file that this application wrote, as JSON arrays of objects whose keys are paths. Written again, they
 * have the same values.
 * @param pathOf the path of a column's name
 * @throws AppError `file_unreadable` for a file that is missing or was changed
 */
export async function* partRecords(
  path: string,
  name: string,
  pathOf: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  try {
    const file = readWhole(path, name);
    const metadata = parquetMetadata(file);
    let rowStart = 0;
    // A part of a group takes as long to read as all of it.
    for (const group of metadata.row_groups) {
      const rowEnd = rowStart + Number(group.num_rows);
      const rows = await parquetReadObjects({
        file,
        metadata,
        rowStart,
        rowEnd,
        compressors: { ZSTD: (input) => zstdDecompressSync(input) },
        parsers: { timestampFromMilliseconds: (ms) => new Date(Number(ms)) },
      });
      for (let at = 0; at < rows.length; at += batchRows) {
        const batch = rows.slice(at, at + batchRows).map((row) => recordJson(row, pathOf));
        yield `[${batch.join(',')}]`;
      }
      rowStart = rowEnd;
    }
  } catch (error) {
    const isMissingFile = error instanceof AppError && isMissing(error.cause);
    if (error instanceof AppError && !isMissingFile) throw error;
    const reason = isMissingFile ? 'it is missing' : 'it is damaged';
    throw new AppError('file_unreadable', { file: name, reason }, { cause: error });
  }
}

function recordJson(row: Record<string, unknown>, pathOf: ReadonlyMap<string, string>): string {
  const members = Object.entries(row).flatMap(([name, value]) => {
    const path = pathOf.get(name) ?? name;
    const json = valueJson(path, value);
    return json === null ? [] : [`${JSON.stringify(path)}:${json}`];
  });
  return `{${members.join(',')}}`;
}

function valueJson(path: string, value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Date)
    return path === 'timestamp' ? String(value.getTime()) : JSON.stringify(value.toISOString());
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}

function readWhole(path: string, name: string): ArrayBuffer {
  const fd = openRegularSync(path, name);
  try {
    return Uint8Array.from(readFileSync(fd)).buffer;
  } finally {
    closeSync(fd);
  }
}
