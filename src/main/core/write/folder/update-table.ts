import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';
import { isAppError } from '../../../../shared/errors/errors.ts';
import type { ColumnNames } from '../../../../shared/export/export.ts';
import { type TableEngine, patternOf } from '../../duckdb/duckdb.ts';
import { withWriteErrors } from '../../files/file-errors.ts';
import { checkNoLinks } from '../../files/links.ts';
import { moveFile, type FileDigest } from '../../files/move-file.ts';
import type { About } from '../../records/about.ts';
import { folderTypes, valuesInWords, type ColumnType } from '../../records/column-types.ts';
import { valueGroups, type ValueGroup } from '../../records/columns.ts';
import { partitionMatcher, partitionAt, partitionNames } from '../census/partition.ts';
import { noStats, statsSum, type PartStats } from '../census/tally.ts';
import { fileStats } from '../delta/file-stats.ts';
import { withType, type DeltaColumn } from '../delta/schema.ts';
import { logName } from '../delta/snapshot.ts';
import { newFilePath } from '../delta/vacuum.ts';
import {
  freshRows,
  openFresh,
  openRows,
  type FolderRows,
  type NewRows,
  readStats,
} from '../parquet/folder-rows.ts';
import type { FinishedFile } from '../spec.ts';
import { flushFolders, removePart } from './commit.ts';
import {
  type FolderTarget,
  type FolderFile,
  changeTable,
  metaDataOf,
  partitionColumns,
  partOf,
  sizeOfParts,
  type TableState,
} from './table-state.ts';
import { engineType, storedMs } from '../parquet/table-sql.ts';
import {
  roundedWarnings,
  tablesName,
  warningOf,
  type WrittenColumn,
  writeRows,
} from '../parquet/write-table.ts';
import { growColumns } from './table-columns.ts';
import { mkdir, rm } from '../../../world/files.ts';
import { literal, quoted } from '../../../../shared/sql/names.ts';

/** The rows of a table's files that an update keeps. @param columns all of the table; a file can lack those that are newer */
function keptRows({ partition, maxTimeMs }: FolderTarget, columns: readonly WrittenColumn[]) {
  const empty = columns.map(({ name, type }) => `CAST(NULL AS ${engineType[type]}) AS ${quoted(name)}`);
  const names = columns.map(({ name }) => quoted(name));
  const of = (path: string | null): readonly WrittenColumn[] =>
    columns.filter((column) => column.path === path);
  const first = (values: readonly string[], none: string): string =>
    values.length === 0 ? none : `COALESCE(${values.join(', ')})`;
  const ms = first(
    of(partition.timePath).map((column) => storedMs(quoted(column.name), column, maxTimeMs)),
    'CAST(NULL AS DOUBLE)',
  );
  const id = first(
    of('_id').map(({ name }) => `CAST(${quoted(name)} AS VARCHAR)`),
    'CAST(NULL AS VARCHAR)',
  );
  const from = (path: string, beforeMs: number | null): string =>
    `(SELECT ${empty.join(', ')} WHERE false UNION ALL BY NAME SELECT * FROM read_parquet(${literal(patternOf(path))}, hive_partitioning = false))${beforeMs === null ? '' : ` WHERE (${ms}) IS NULL OR (${ms}) < ${beforeMs}`}`;
  return {
    /** The statement for the rows of a file before a time, and those without one; null: all. */
    rows: (path: string, beforeMs: number | null): string =>
      `SELECT ${names.join(', ')} FROM ${from(path, beforeMs)}`,

    /** What these rows are. @throws AppError `file_unreadable`, `sql_unavailable`, `cancelled` */
    async stats(
      engine: TableEngine,
      path: string,
      { beforeMs, belowMs }: { readonly beforeMs: number | null; readonly belowMs: number | null },
    ): Promise<PartStats | null> {
      const rows = `(SELECT ${literal('')} AS folder, ${ms} AS ms, ${id} AS id, CAST(NULL AS UBIGINT) AS digest FROM ${from(path, beforeMs)})`;
      return (await readStats(engine, rows, belowMs)).get('') ?? null;
    },
  };
}

/** Rows that become the files of a folder. */
interface WrittenFolder {
  readonly rows: FolderRows;
  readonly target: FolderTarget;
  readonly fields: readonly string[];
  readonly names: ColumnNames;
  readonly about: About;
  /** The average length of a row as text, in bytes. */
  readonly rowBytes: number;
}

/**
 * Writes a file of a folder. Its name is on disk only after its folder was flushed.
 * @param selects statements whose rows it has, one after another
 * @param part the columns whose statistics are wanted, the number of its rows, and its path
 * @returns its size, and its statistics for the log of a table
 * @throws AppError `disk_full`, `file_unwritable`, `file_unreadable`, `sql_unavailable`, `cancelled`
 */
async function writePart(
  engine: TableEngine,
  selects: readonly string[],
  { columns, described, rows, to, options }: WrittenPart,
): Promise<FileDigest & { readonly stats: string }> {
  const { folder, name } = options.rows;
  const path = join(folder, tablesName, 'part.parquet');
  const { about, rowBytes } = options;
  await writeRows(engine, selects.join(' UNION ALL '), { path, columns, rows, rowBytes, about });
  await withWriteErrors(name, async () => mkdir(dirname(to), { recursive: true }));
  const stats = await fileStats(engine, path, described);
  return { ...(await moveFile(path, to, name, { flushesNames: false })), stats };
}

interface WrittenPart {
  readonly columns: readonly WrittenColumn[];
  readonly described: readonly DeltaColumn[];
  readonly rows: number;
  readonly to: string;
  readonly options: WrittenFolder;
}

/** The table of a folder after a run, and what became of the run's values. */
export interface UpdatedTable extends FinishedFile {
  readonly table: TableState;
  readonly typedTexts: TypedTexts;
}

/**
 * Writes the rows of a run as new files of a table of Delta, one for each partition that changes, and commits them. Until
 * then, readers find none of them.
 * @throws AppError `invalid_input` if another run changed the table meanwhile; `disk_full`, `file_unwritable`,
 *   `file_unreadable` for an earlier file, `sql_unavailable`, `cancelled`
 */
export async function updateTable(engine: TableEngine, options: WrittenFolder): Promise<UpdatedTable> {
  const { rows, target, fields, names, about } = options;
  const { path: folder, partition, belowMs, replaces, request, job } = target;
  const before = target.table;
  const kept = replaces ? null : before;
  const keys = partitionNames(partition);
  const metaData = before?.snapshot.metaData ?? null;
  const grown = growColumns(kept, {
    spooled: rows.table.columns,
    fields,
    names,
    types: folderTypes(partition),
    about,
    partition: partitionColumns(keys, []),
  });
  const { written: columns, described } = grown;
  const typedTexts = typedTextsOf(rows.table.columns, columns);
  const earlier = kept && keptRows(target, columns);
  // Partitions that are replaced need no rows of their files, which can be missing.
  const sources = target.replaced ? [] : (kept?.parts ?? []);
  const reads = sources.map(({ path }) => ({ path: join(folder, path), name: path }));
  await openRows(engine, rows, reads);
  const fresh = await openFresh(engine, rows, columns, belowMs);
  const places = [logName, ...(before?.parts ?? []).map(({ path }) => path), ...fresh.keys()];
  await checkNoLinks(folder, places);
  const parts: FolderFile[] = [];
  const stats = new Map<string, string>();
  let isCommitting = false;
  try {
    for (const step of partSteps(before?.parts ?? [], fresh, target)) {
      if (step.stays) {
        parts.push(step.stays);
        continue;
      }
      const source = step.keeps && step.before ? join(folder, step.before.path) : null;
      const keptStats =
        source === null ? null : await earlier?.stats(engine, source, { beforeMs: target.cutMs, belowMs });
      const selects = [
        ...(earlier && source ? [earlier.rows(source, target.cutMs)] : []),
        ...(fresh.has(step.at) ? [freshRows(step.at, columns)] : []),
      ];
      const sum = statsSum([keptStats ?? noStats, fresh.get(step.at) ?? noStats]);
      if (sum.rows === 0) continue;
      const path = newFilePath(step.at);
      const to = join(folder, path);
      // A folder can have become a link while others were written.
      await checkNoLinks(folder, [path]);
      // It is removed if the run fails.
      stats.set(path, '');
      const file = await writePart(engine, selects, { columns, described, rows: sum.rows, to, options });
      const same = step.before?.sha256 === file.sha256 ? step.before : null;
      if (same) {
        await rm(to, { force: true });
        stats.delete(path);
      } else stats.set(path, file.stats);
      parts.push({ ...partOf(same ?? { path, ...file }, sum), ...(step.tail && { tail: step.tail }) });
    }
    await flushFolders(folder, [...stats.keys()]);
    const paths = parts.map(({ path }) => path);
    const schema = partitionColumns(keys, paths).reduce(
      (text, { type }, at) =>
        type === 'string' ? withType(text, grown.partitionNames[at] ?? '', type) : text,
      grown.schema,
    );
    isCommitting = true;
    const table = await changeTable(
      before,
      {
        path: folder,
        job,
        version: about.version,
        metaData: metaDataOf(
          metaData,
          {
            service: about.dataUrl,
            dataset: about.dataset,
            request,
            partition,
            columnNames: names,
            columns: [...grown.columns],
          },
          { ...grown, schema },
        ),
        parts,
        stats,
        verified: false,
        warnings: [],
      },
      false,
    );
    return {
      ...contentOf(table),
      columns: columns.map(({ path }) => path),
      warnings: [
        ...warningOf(
          'Values of another type are in separate columns',
          splitValues(rows.table.columns, columns, typedTexts),
        ),
        ...roundedWarnings(rows.table.columns, columns),
      ],
      table,
      typedTexts,
    };
  } catch (error) {
    // A commit that may have been made has its files.
    if (!isCommitting || isAppError(error, 'invalid_input'))
      for (const path of stats.keys()) await removePart(folder, path);
    throw error;
  }
}

type Spooled = WrittenFolder['rows']['table']['columns'];
type FieldColumn = Pick<WrittenColumn, 'path' | 'name' | 'type'>;

const isNumeric = ({ path, type }: FieldColumn): boolean =>
  type === 'DOUBLE' || type === 'INT64' || (type === 'TIMESTAMP' && path === 'timestamp');

/** How many texts became values of another type, because they are written like them, by field. */
interface TypedTexts {
  readonly numbers: ReadonlyMap<string, number>;
  readonly booleans: ReadonlyMap<string, number>;
}

function typedTextsOf(spooled: Spooled, written: readonly FieldColumn[]): TypedTexts {
  const countsOf = (isTyped: (column: FieldColumn) => boolean, key: 'numberTexts' | 'booleanTexts') => {
    const typed = new Set(written.filter(isTyped).map(({ path }) => path));
    return new Map(
      spooled.flatMap(({ path, [key]: count = 0 }) => (count > 0 && typed.has(path) ? [[path, count]] : [])),
    );
  };
  return {
    numbers: countsOf(isNumeric, 'numberTexts'),
    booleans: countsOf(({ type }) => type === 'BOOLEAN', 'booleanTexts'),
  };
}

const groupsOf: Readonly<Record<ColumnType, readonly ValueGroup[]>> = {
  TIMESTAMP: ['time'],
  BOOLEAN: ['boolean'],
  DOUBLE: ['number', 'longNumber'],
  INT64: ['number', 'longNumber'],
  STRING: valueGroups,
};

/** What is in further columns of a field, because its first one can't have it, in words. */
function splitValues(
  spooled: Spooled,
  written: readonly FieldColumn[],
  { numbers, booleans }: TypedTexts,
): string[] {
  const columnsOf = Map.groupBy(written, ({ path }) => path);
  return spooled.flatMap(({ path, values = {} }) => {
    const left = new Set(valueGroups);
    return (columnsOf.get(path) ?? []).flatMap(({ name, type }, at) => {
      const groups = groupsOf[type].filter((group) => left.delete(group));
      if (at === 0) return [];
      // Their count is that of all numbers.
      if (type === 'DOUBLE' && groups.length === 0)
        return values.number ? [`numbers with fractions of ${path} in ${name}`] : [];
      return groups.flatMap((group) => {
        const ofGroup = values[group];
        const typed = group === 'text' ? (numbers.get(path) ?? 0) + (booleans.get(path) ?? 0) : 0;
        const count = (ofGroup?.count ?? 0) - typed;
        return ofGroup && count > 0
          ? `${valuesInWords(group, { ...ofGroup, count })} of ${path} in ${name}`
          : [];
      });
    });
  });
}

/** The size of a table's files, and a digest of their content. */
export function contentOf({ parts }: TableState): Pick<FinishedFile, 'bytes' | 'sha256'> {
  const hash = createHash('sha256');
  for (const { path, sha256 } of parts) hash.update(`${dirname(path)} ${sha256}\n`);
  return { bytes: sizeOfParts(parts).bytes, sha256: hash.digest('hex') };
}

/** What happens to the file of a partition. */
interface PartStep {
  /** The folder of the partition. */
  readonly at: string;
  readonly before: FolderFile | undefined;
  /** The file that stays as it is; null: it is written. */
  readonly stays: FolderFile | null;
  /** Whether rows of the earlier file are kept: those before the time from which the run read. */
  readonly keeps: boolean;
  readonly tail: FolderFile['tail'];
}

function partSteps(
  before: readonly FolderFile[],
  fresh: ReadonlyMap<string, NewRows>,
  { cutMs, replaced }: Pick<FolderTarget, 'cutMs' | 'replaced'>,
): PartStep[] {
  const isReplaced = replaced && partitionMatcher(replaced);
  const earlier = new Map(before.map((part) => [partitionAt(part.path), part]));
  return [...new Set([...earlier.keys(), ...fresh.keys()])].toSorted().map((at) => {
    const part = earlier.get(at);
    const isTouched = isReplaced
      ? isReplaced(at)
      : fresh.has(at) || cutMs === null || (part?.last ?? Number.NEGATIVE_INFINITY) >= cutMs;
    const untouched = part && !isTouched ? untouchedPart(part, isReplaced !== null) : null;
    const digest = isReplaced || cutMs === null ? null : (fresh.get(at)?.digest ?? null);
    const tail = cutMs !== null && digest !== null ? { fromMs: cutMs, digest } : undefined;
    // An update that reads the same records as the one before leaves the file as it is.
    const isSame = part?.tail && tail?.fromMs === part.tail.fromMs && tail.digest === part.tail.digest;
    const keeps = cutMs !== null && !isReplaced;
    return { at, before: part, stays: untouched ?? (isSame ? part : null), keeps, tail };
  });
}

/** A file whose records stay as they are. All of them are older than those that an update reads. */
function untouchedPart(before: FolderFile, isReplacing: boolean): FolderFile {
  if (isReplacing) return before;
  const { early: _, ...whole } = before;
  return whole;
}
