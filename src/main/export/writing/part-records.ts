import { closeSync, readFileSync } from 'node:fs';
import { zstdDecompressSync } from 'node:zlib';
import { parquetMetadata, parquetReadObjects } from 'hyparquet';
import { pathNames } from '../../../shared/column-paths.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { isMissing } from '../../files/file-errors.ts';
import { openRegularSync } from '../../files/regular-file.ts';

interface Path {
  readonly path: string;
  readonly names: readonly string[];
}

/** Maximum number of rows that are returned at once. */
const batchRows = 10_000;

/**
 * The records of a file that this application wrote, as JSON arrays of objects. Written again, they have the same
 * values.
 * @param pathOf the path of a column's name
 * @throws AppError `file_unreadable` for a file that is missing or was changed
 */
export async function* partRecords(
  path: string,
  name: string,
  pathOf: ReadonlyMap<string, string>,
): AsyncGenerator<string> {
  const paths = new Map(Array.from(pathOf, ([column, at]) => [column, { path: at, names: pathNames(at) }]));
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
        const batch = rows.slice(at, at + batchRows).map((row) => recordJson(row, paths));
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

/** A value of a record, and the names that lead to it. */
interface Member {
  readonly names: readonly string[];
  readonly json: string;
}

function recordJson(row: Record<string, unknown>, paths: ReadonlyMap<string, Path>): string {
  const members = Object.entries(row).flatMap(([column, value]): Member[] => {
    const { path, names } = paths.get(column) ?? { path: column, names: [column] };
    const json = valueJson(path, value);
    return json === null ? [] : [{ names, json }];
  });
  return objectJson(members, 0);
}

/** The object of members that have the same names up to a depth. */
function objectJson(members: readonly Member[], depth: number): string {
  const parts: string[] = [];
  const objects = new Map<string, Member[]>();
  for (const member of members) {
    const { names, json } = member;
    const name = names[depth] ?? '';
    const inner = objects.get(name);
    if (names.length <= depth + 1) parts.push(`${JSON.stringify(name)}:${json}`);
    else if (inner) inner.push(member);
    else objects.set(name, [member]);
  }
  for (const [name, inner] of objects) parts.push(`${JSON.stringify(name)}:${objectJson(inner, depth + 1)}`);
  return `{${parts.join(',')}}`;
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
