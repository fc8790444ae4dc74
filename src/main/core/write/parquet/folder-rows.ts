import { join } from 'node:path';
import { parquetCopy, type TableEngine } from '../../duckdb/duckdb.ts';
import { minPlausibleMs } from '../../../../shared/instants.ts';
import { literal, quoted } from '../../../../shared/sql/names.ts';
import { createFolder } from '../../files/disk.ts';
import { withWriteErrors } from '../../files/file-errors.ts';
import { moveFile } from '../../files/move-file.ts';
import { dayMs } from '../census/partition.ts';
import type { PartStats } from '../census/tally.ts';
import { rowsName, slicesName, type Slice } from '../spec.ts';
import type { TableMarks } from '../sink.ts';
import { placeValues } from '../table-sink.ts';
import { parquetRows, sharedValue, spooledRows, spooledValue } from './table-sql.ts';
import { memoryMbFor, tablesName, type WrittenColumn } from './write-table.ts';

/** The rows that a run of a folder spooled. */
export interface FolderRows {
  readonly folder: string;
  /** The name of the folder that it writes, for errors. */
  readonly name: string;
  readonly table: TableMarks;
  readonly slices: readonly Slice[];
}

const sliceGroupRows = 20_480;
/** Memory for sorting the rows of a slice, beside that of other statements: 1 GB of them needs nearly all of that. */
const sortMemoryMb = 256;
const sliceNames = (columns: number): string[] => [
  'folder',
  'ms',
  'id',
  ...Array.from({ length: columns }, (_, number) => `c${number}`),
];

const slicePath = ({ folder }: FolderRows, { file }: Slice): string => join(folder, slicesName, file);

/**
 * Opens the engine for the rows of a run.
 * @param reads other files to read
 * @param moreMb memory beside that for lines
 * @throws AppError `disk_full`, `file_unwritable`, `sql_unavailable`, `cancelled`
 */
export async function openRows(
  engine: TableEngine,
  rows: FolderRows,
  reads: readonly { readonly path: string; readonly name: string }[] = [],
  moreMb = 0,
): Promise<void> {
  const { folder, name, table, slices } = rows;
  const recordFiles = [join(folder, rowsName), ...slices.map((slice) => slicePath(rows, slice))];
  await engine.open({
    folder: join(folder, tablesName),
    reads: [...recordFiles.map((path) => ({ path, name })), ...reads],
    name,
    memoryMb: memoryMbFor(table.maxLineBytes) + moreMb,
  });
}

/**
 * Writes the spooled rows as a slice, in the order of partitions, so that each of them is in few row groups.
 * @throws AppError `disk_full`, `file_unwritable`, `sql_unavailable`, `cancelled`
 */
export async function writeSlice(engine: TableEngine, rows: FolderRows): Promise<Slice> {
  const { folder, name, table, slices } = rows;
  await openRows(engine, rows, [], sortMemoryMb);
  const columns = table.columns.length;
  const names = sliceNames(columns);
  const selected = names.map((column, at) => `${spooledValue(at)} AS ${quoted(column)}`);
  const from = `(SELECT r, row_number() OVER () AS n FROM ${spooledRows(join(folder, rowsName), table.maxLineBytes)})`;
  const path = join(folder, tablesName, 'slice.parquet');
  await engine.run(
    parquetCopy(`SELECT ${selected.join(', ')} FROM ${from} ORDER BY r[1], n`, {
      path,
      groupRows: sliceGroupRows,
      metadata: [],
    }),
  );
  const file = `${slices.length}.parquet`;
  const all = join(folder, slicesName);
  await withWriteErrors(name, async () => createFolder(all));
  const { bytes } = await moveFile(path, join(all, file), name);
  // Others may have the memory while the next records are read.
  await engine.rest();
  return { file, bytes, columns };
}

export interface NewRows extends PartStats {
  /** Of its rows, in any order; null: some are in slices. */
  readonly digest: string | null;
}

/**
 * Opens the rows of a run as the table `fresh`, whose columns have the names of those written.
 * @param belowMs earlier rows are compared with the service; null: all
 * @returns what they are, by the folder of their partition
 * @throws AppError `disk_full`, `file_unwritable`, `file_unreadable`, `sql_unavailable`, `cancelled`
 */
export async function openFresh(
  engine: TableEngine,
  rows: FolderRows,
  columns: readonly WrittenColumn[],
  belowMs: number | null,
): Promise<Map<string, NewRows>> {
  const { folder, table, slices } = rows;
  const lead = (of: (position: number) => string, digest: string): string[] => [
    `${of(0)} AS folder`,
    `CAST(${of(1)} AS DOUBLE) AS ms`,
    `${of(2)} AS id`,
    `${digest} AS digest`,
  ];
  const typed = (of: (number: number) => string | null): string[] =>
    columns.map(
      (column, at) => `${sharedValue(of(column.number) ?? 'CAST(NULL AS VARCHAR)', column)} AS v${at}`,
    );
  const spooled = [
    ...lead(spooledValue, 'hash(r)'),
    ...typed((number) => (number < 0 ? null : spooledValue(number + placeValues))),
  ];
  await engine.run(
    `CREATE TEMP TABLE spooled AS SELECT ${spooled.join(', ')} FROM ${spooledRows(join(folder, rowsName), table.maxLineBytes)}`,
  );
  const sliced = slices.map((slice) => {
    const names = sliceNames(slice.columns);
    const selected = [
      ...lead((position) => names[position] ?? '', 'CAST(NULL AS UBIGINT)'),
      ...typed((number) => (number < 0 || number >= slice.columns ? null : `c${number}`)),
    ];
    return `SELECT ${selected.join(', ')} FROM ${parquetRows([slicePath(rows, slice)], names)}`;
  });
  await engine.run(`CREATE TEMP VIEW fresh AS ${[...sliced, 'SELECT * FROM spooled'].join(' UNION ALL ')}`);
  return readStats(engine, 'fresh', belowMs);
}

/**
 * What the rows of a source are, by their folder.
 * @param source has `folder`, `ms`, `id`, and `digest`
 * @throws AppError `file_unreadable`, `disk_full`, `sql_unavailable`, `cancelled`
 */
export async function readStats(
  engine: TableEngine,
  source: string,
  belowMs: number | null,
): Promise<Map<string, NewRows>> {
  const early = belowMs === null ? 'true' : `(ms IS NULL OR ms < ${belowMs})`;
  const times = `sum((CAST(ms AS DOUBLE) - ${minPlausibleMs}) % ${dayMs})`;
  const tallies = await engine.run(
    `SELECT folder, CAST(count(*) AS DOUBLE), max(ms), max(id), ${times},
       CAST(count(*) FILTER (${early}) AS DOUBLE), max(id) FILTER (${early}), ${times} FILTER (${early}),
       CASE WHEN count(digest) = count(*) THEN concat(count(*), '-', sum(digest)) END
     FROM ${source} GROUP BY folder`,
  );
  return new Map(
    tallies.map(([folder, rows, last, id, times, earlyRows, earlyId, earlyTimes, digest]) => [
      String(folder),
      {
        rows: Number(rows),
        last: numberOrNull(last),
        id: textOrNull(id),
        times: numberOrNull(times),
        early: { rows: Number(earlyRows), id: textOrNull(earlyId), times: numberOrNull(earlyTimes) },
        digest: textOrNull(digest),
      },
    ]),
  );
}

type Cell = string | number | null | undefined;
const textOrNull = (value: Cell): string | null =>
  value === null || value === undefined ? null : String(value);
const numberOrNull = (value: Cell): number | null =>
  value === null || value === undefined ? null : Number(value);

/** The new rows of a partition, with the columns of a file. */
export const freshRows = (partition: string, columns: readonly WrittenColumn[]): string =>
  `SELECT ${columns.map(({ name }, at) => `v${at} AS ${quoted(name)}`).join(', ')} FROM fresh WHERE folder = ${literal(partition)}`;
