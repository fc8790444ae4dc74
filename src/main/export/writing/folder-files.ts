import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GrowingFile, realDisk } from '../../files/growing-file.ts';
import { writeError } from '../../files/file-errors.ts';
import { type Column, Columns, valueKinds } from '../records/columns.ts';
import { createPathTree, type PathTree } from '../records/path-tree.ts';
import { RecordScanner, type ScannedPage } from '../records/scan.ts';
import { type TypedColumn, TypedRows, typeOf, type TypesOptions } from '../records/typed-columns.ts';
import { columnNames } from '../records/column-names.ts';
import { groupRows, ParquetTable, type ParquetOptions } from './parquet-table.ts';
import type { FinishedTable, FinishProgress } from './sink.ts';
import type { SpooledFiles } from './spooled-sink.ts';
import { changesName, stagingName, type FolderChanges } from '../folder/commit.ts';
import { type FolderManifest, manifestName, type Part } from '../folder/manifest.ts';
import { partRecords } from './part-records.ts';
import type { FolderTarget } from '../folder/folder-target.ts';
import { createPlacer, type PartitionPlan } from '../folder/partition.ts';
import { SplitRecords } from './split-records.ts';

interface FolderOptions extends ParquetOptions {
  readonly fields: readonly string[];
  /** Folder for temporary files. */
  readonly folder: string;
  /** Name for errors. */
  readonly name: string;
  readonly target: FolderTarget;
}

const partName = 'part-0.parquet';

/**
 * Writes spooled records as a folder of Parquet files, one for each partition, which all have the same columns. Files
 * that differ from those of the folder are written to its staging folder, with the manifest.
 * @throws AppError `disk_full`, `file_unwritable`, `file_unreadable` for an earlier file
 */
export async function* writeFolder(
  { file, spool }: SpooledFiles,
  options: FolderOptions,
): AsyncGenerator<FinishProgress, FinishedTable> {
  const { fields, folder, name, target } = options;
  const { base, cutMs, partition } = target;
  const staging = join(target.path, stagingName);
  prepareStaging(staging, name);
  const tree = createPathTree();
  const columns = new Columns(tree, fields, { isTyped: true, existing: base?.columns ?? [] });
  const place = createPlacer(partition, tree);
  const split = new SplitRecords(join(folder, 'partitions'), name);
  for (const page of spool.pages(tree)) {
    for (let record = 0; record < page.count; record += 1) {
      const { folder: at, ms } = place(page, record);
      // Bounds of text can match a little more than the instants that they mean.
      if (cutMs !== null && (ms === null || ms < cutMs)) continue;
      columns.addRecord(page, record);
      split.add(at, page, record, ms);
    }
    yield { rows: 0 };
  }
  split.flush();
  const rows = new TypedRows(columns, groupRows, typesOf(partition));
  const earlier = base ? new EarlierParts(base, options, rows.columns) : null;
  const parts: Part[] = [];
  const made: FolderChanges = { moved: [], removed: [] };
  const earlierParts = new Map(base?.parts.map((part) => [dirname(part.path), part]));
  let writtenRows = 0;
  for (const at of [...new Set([...earlierParts.keys(), ...split.partitions])].toSorted()) {
    const before = earlierParts.get(at);
    const isNew = split.partitions.includes(at);
    const isTouched = isNew || cutMs === null || (before?.last ?? Number.NEGATIVE_INFINITY) >= cutMs;
    if (before && !isTouched && earlier?.hasSameColumns) {
      parts.push(before);
      continue;
    }
    const path = at === '' ? partName : `${at}/${partName}`;
    const keptPages =
      before && earlier && (cutMs !== null || !isTouched) ? earlier.pages(before, tree) : noPages();
    const isKept = (ms: number | null): boolean => !isTouched || cutMs === null || ms === null || ms < cutMs;
    const table = { path, rows, place, isKept, keptPages, newPages: split.pages(at, tree) };
    const part = await writePart(table, split.lastOf(at), options);
    writtenRows += part.rows;
    yield { rows: writtenRows };
    const isSame = before?.sha256 === part.sha256;
    if (isSame || part.rows === 0) rmSync(join(staging, path), { force: true });
    else made.moved.push(path);
    if (part.rows > 0) parts.push(part);
    else if (before) made.removed.push(path);
  }
  split.remove();
  const text = manifestText(columns, parts, options);
  file.cutTo(0);
  file.append(text);
  try {
    writeFileSync(join(staging, manifestName), text, { flush: true });
    writeFileSync(join(staging, changesName), JSON.stringify(made), { flush: true });
  } catch (error) {
    throw writeError(error, name, 0);
  }
  return { columns: rows.columns.map(({ path }) => path) };
}

function prepareStaging(staging: string, name: string): void {
  try {
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { recursive: true });
  } catch (error) {
    throw writeError(error, name, 0);
  }
}

async function writePart(source: PartSource, lastNew: number | null, options: FolderOptions): Promise<Part> {
  const { path, rows, place, isKept, keptPages, newPages } = source;
  const { name, target } = options;
  const full = join(target.path, stagingName, path);
  mkdirSync(dirname(full), { recursive: true });
  const file = new GrowingFile({ disk: realDisk, path: full, name, isHashed: true }, 0);
  try {
    const table = new ParquetTable(file, rows, options);
    let count = 0;
    let last = lastNew;
    for await (const page of keptPages)
      for (let record = 0; record < page.count; record += 1) {
        const { ms } = place(page, record);
        if (!isKept(ms)) continue;
        table.add(page, record);
        count += 1;
        if (ms !== null && (last === null || ms > last)) last = ms;
      }
    for (const page of newPages) {
      for (let record = 0; record < page.count; record += 1) table.add(page, record);
      count += page.count;
    }
    table.finish();
    file.sync();
    return { path, rows: count, bytes: file.length, sha256: file.sha256(), last };
  } finally {
    file.close();
  }
}

function manifestText(
  columns: Columns,
  parts: readonly Part[],
  { about, names, target }: FolderOptions,
): string {
  const sum = (of: 'rows' | 'bytes'): number => parts.reduce((total, part) => total + part[of], 0);
  const last = parts.reduce<number | null>(
    (max, part) => (part.last !== null && (max === null || part.last > max) ? part.last : max),
    null,
  );
  const manifest: FolderManifest = {
    wellbenchFolder: 1,
    generation: (target.base?.generation ?? 0) + 1,
    job: target.job,
    service: about.dataUrl,
    dataset: about.dataset,
    request: target.request,
    partition: target.partition,
    columnNames: names,
    rows: sum('rows'),
    bytes: sum('bytes'),
    watermark: last,
    columns: columns.inOrder().map(({ path, kinds }) => ({ path, kinds })),
    parts: [...parts],
  };
  return `${JSON.stringify(manifest, null, 2)}\n`;
}

interface PartSource {
  readonly path: string;
  readonly rows: TypedRows;
  readonly place: ReturnType<typeof createPlacer>;
  /** Whether a record of the earlier file stays, by its time. */
  readonly isKept: (ms: number | null) => boolean;
  readonly keptPages: AsyncGenerator<ScannedPage>;
  readonly newPages: Generator<ScannedPage>;
}

// eslint-disable-next-line require-yield -- there are none
async function* noPages(): AsyncGenerator<ScannedPage> {
  await Promise.resolve();
}

/** The files that a folder had before. */
class EarlierParts {
  /** Whether they have the columns of this run, so that they can stay as they are. */
  readonly hasSameColumns: boolean;
  readonly #folder: string;
  readonly #pathOf: ReadonlyMap<string, string>;

  constructor(base: FolderManifest, { target, names }: FolderOptions, columns: readonly TypedColumn[]) {
    this.#folder = target.path;
    const earlier = new Columns(createPathTree(), [], { isTyped: true, existing: base.columns });
    const typed = new TypedRows(earlier, () => 1, typesOf(base.partition)).columns;
    const isSame = ({ path, type }: TypedColumn, at: number): boolean =>
      columns[at]?.path === path && columns[at].type === type;
    this.hasSameColumns = typed.length === columns.length && typed.every(isSame);
    const paths = typed.map(({ path }) => path);
    this.#pathOf = new Map(columnNames(paths, names).map((name, at) => [name, paths[at] ?? name]));
  }

  /** The records of a file, in pages that are valid until the next one. */
  async *pages({ path }: Part, tree: PathTree): AsyncGenerator<ScannedPage> {
    const scanner = new RecordScanner({ tree, keyField: null });
    for await (const json of partRecords(join(this.#folder, path), path, this.#pathOf)) {
      const page = scanner.scanArray(json);
      yield page;
      scanner.release(page);
    }
  }
}

/**
 * The types of a folder's columns, without those whose values are in the names of folders. A number of the payload is a
 * `DOUBLE` even if all values so far are whole: the next day can have fractions, and then all files would change.
 * Integers that a double can't hold stay `INT64`.
 */
function typesOf({ assetPath }: PartitionPlan): TypesOptions {
  const { integer, inexact, number } = valueKinds;
  const isWhole = ({ path, kinds }: Column): boolean =>
    path.startsWith('data.') && (kinds & integer) !== 0 && (kinds & inexact) === 0;
  return {
    omittedPaths: new Set(assetPath === 'asset_id' ? [assetPath] : []),
    typeOf: (column) => typeOf(isWhole(column) ? { ...column, kinds: column.kinds | number } : column),
  };
}
