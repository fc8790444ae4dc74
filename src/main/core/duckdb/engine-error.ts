import { basename, dirname, sep } from 'node:path';
import { AppError, invalidInput } from '../../../shared/errors/errors.ts';
import { allowedPaths } from './sql-text.ts';
import type { EngineTable } from './open-tables.ts';
import { statementError } from './statement.ts';

/** What stands for paths in the engine's messages: the window must not see them. */
export type PathNames = readonly (readonly [path: string, name: string])[];

/** The names of the paths that the engine was given: of a file, its table; of one of many files, with its own name. */
export function pathNames(tables: readonly EngineTable[], spillFolder: string): PathNames {
  const files = tables.flatMap(({ name, files: paths }) =>
    paths.flatMap((path) => {
      const shown = paths.length === 1 ? name : `${name}/${basename(path)}`;
      return allowedPaths([path]).map((allowed): [string, string] => [allowed, shown]);
    }),
  );
  const folders = [...new Set(files.map(([path]) => dirname(path)))];
  const names: [string, string][] = [
    ...files,
    ...folders.map((folder): [string, string] => [folder + sep, '']),
    [spillFolder + sep, ''],
    [spillFolder, 'the folder for temporary files'],
  ];
  // A path may be the start of another.
  return names.sort(([a], [b]) => b.length - a.length);
}

const withoutPaths = (message: string, names: PathNames): string =>
  names.reduce((text, [path, name]) => text.replaceAll(path, name), message);

/** Faults of the engine itself, after which it refuses every statement. */
export const isFatal = (message: string): boolean =>
  /^(?:FATAL|INTERNAL) Error|database has been invalidated/i.test(message);

/** Whether a message of the engine says that the disk is full. */
export const isDiskFull = (message: string): boolean =>
  /No space left on device|not enough space on the disk|max_temp_directory_size/i.test(message);

/** The error of a full disk. @returns null for another message of the engine */
export const diskError = (message: string): AppError | null =>
  isDiskFull(message)
    ? new AppError('disk_full', { file: 'temporary data of the SQL engine', writtenBytes: 0 })
    : null;

/**
 * The error of a statement: what the engine says, without paths.
 * @returns AppError `invalid_input` with line and column; `disk_full`; `sql_unavailable` if the engine itself failed; an
 * AppError as it is
 */
export function engineError(cause: unknown, names: PathNames): AppError {
  if (cause instanceof AppError) return cause;
  const message = cause instanceof Error ? cause.message : String(cause);
  if (isFatal(message)) return new AppError('sql_unavailable', { reason: 'stopped' }, { cause });
  const full = diskError(message);
  if (full) return full;
  if (/^IO Error|^Permission Error|No magic bytes|too small to be a Parquet file/i.test(message)) {
    const table = names.find(([path, name]) => name !== '' && message.includes(path));
    if (table)
      return invalidInput(
        `Table ${table[1]} can’t be read: its file is missing, damaged, or was replaced while the statement ran. Run it again, or add the table again.`,
        { field: 'sql' },
      );
  }
  return statementError(withoutPaths(message, names));
}
