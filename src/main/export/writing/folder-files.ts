import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GrowingFile, realDisk } from '../../files/growing-file.ts';
import { writeError } from '../../files/file-errors.ts';
import { changesName, stagedName, stagingName, type FolderChanges } from '../folder/commit.ts';
import type { FolderTarget } from '../folder/folder-target.ts';
import {
  type FolderManifest,
  manifestName,
  manifestText,
  manifestVersion,
  type Part,
  partOf,
  statsOfPart,
} from '../folder/manifest.ts';
import { createPlacer } from '../census/partition.ts';
import type { Piece, Slice } from '../folder/slice.ts';
import { partitionMatcher } from '../census/differences.ts';
import { type PartStats, StatsCollector, statsSum } from '../census/tally.ts';
import { Columns } from '../records/columns.ts';
import { createPathTree } from '../records/path-tree.ts';
import type { ScannedPage } from '../records/scan.ts';
import { TypedRows } from '../records/typed-columns.ts';
import { ParquetTable, type ParquetOptions } from './parquet-table.ts';
import { Pieces } from './pieces.ts';
import type { FinishedTable, FinishProgress } from './sink.ts';
import { idText, SplitRecords } from './split-records.ts';
import type { SpooledFiles } from './spooled-sink.ts';
import { typesOf, WrittenFiles } from './written-files.ts';

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
 */
export class FolderWriter {
  readonly #files: SpooledFiles;
  readonly #options: FolderOptions;
  readonly #pieces: Pieces;

  constructor(files: SpooledFiles, options: FolderOptions) {
    const { folder, target, names } = options;
    this.#files = files;
    this.#options = options;
    this.#pieces = new Pieces(
      folder,
      target.slices,
      ({ columns }, at) => new WrittenFiles({ folder: at, partition: target.partition, columns, names }),
    );
  }

  /**
   * Writes the spooled records as pieces, a file for each partition; later records are those of the next slice.
   * @throws AppError `disk_full`, `file_unwritable`
   */
  async *cut(): AsyncGenerator<FinishProgress, Slice> {
    const { target } = this.#options;
    const { columns, split, tree } = yield* this.#divide();
    const rows = new TypedRows(columns, typesOf(target.partition));
    mkdirSync(this.#pieces.folder, { recursive: true, mode: 0o700 });
    const pieces: Piece[] = [];
    for (const partition of split.partitions) {
      const file = `${this.#pieces.count}-${pieces.length}.parquet`;
      const source = {
        full: join(this.#pieces.folder, file),
        rows,
        newPages: [split.pages(partition, tree)],
      };
      const written = await writePart(source, this.#options);
      pieces.push({ partition, file, ...written, ...split.statsOf(partition) });
      yield { rows: 0 };
    }
    split.remove();
    const slice = { pieces, columns: kindsOf(columns) };
    this.#pieces.add(slice);
    return slice;
  }

  /** @throws AppError `disk_full`, `file_unwritable`, `file_unreadable` for an earlier file */
  async *finish(): AsyncGenerator<FinishProgress, FinishedTable> {
    const { target, names, name } = this.#options;
    const { base, cutMs, belowMs, partition } = target;
    const isReplaced = target.replaced && partitionMatcher(target.replaced);
    const pieces = this.#pieces;
    const staging = join(target.path, stagingName);
    prepareStaging(staging, name);
    const { columns, split, tree, placeStored } = yield* this.#divide();
    const rows = new TypedRows(columns, typesOf(partition));
    const earlier =
      base && new WrittenFiles({ folder: target.path, partition, columns: base.columns, names });
    const hasSameColumns = earlier?.hasColumns(rows.columns) === true;
    const parts: Part[] = [];
    const made: FolderChanges = { moved: [], removed: [] };
    const earlierParts = new Map(base?.parts.map((part) => [dirname(part.path), part]));
    const changed = new Set([...pieces.partitions, ...split.partitions]);
    let writtenRows = 0;
    for (const at of [...new Set([...earlierParts.keys(), ...changed])].toSorted()) {
      const before = earlierParts.get(at);
      const isTouched = isReplaced
        ? isReplaced(at)
        : changed.has(at) || cutMs === null || (before?.last ?? Number.NEGATIVE_INFINITY) >= cutMs;
      const untouched = before && !isTouched ? untouchedPart(before, isReplaced !== null) : null;
      if (untouched && hasSameColumns) {
        parts.push(untouched);
        continue;
      }
      const sha256 = isReplaced || cutMs === null || pieces.has(at) ? null : split.digestOf(at);
      const tail = cutMs !== null && sha256 !== null ? { fromMs: cutMs, sha256 } : undefined;
      // An update that reads the same records as the one before leaves the file as it is.
      if (before?.tail && hasSameColumns && isSameTail(before.tail, tail)) {
        parts.push(before);
        continue;
      }
      const path = at === '' ? partName : `${at}/${partName}`;
      const full = join(staging, stagedName(path));
      mkdirSync(dirname(full), { recursive: true });
      const isKept = before && earlier && (!isTouched || (cutMs !== null && !isReplaced));
      const only = isKept || split.has(at) ? null : pieces.only(at, rows.columns);
      let part: Part;
      if (only) {
        pieces.copy(only, full, name);
        part = partOf({ ...only, path }, only);
      } else {
        const kept = isKept
          ? keptRecords(earlier.pages(before.path, tree), placeStored, {
              beforeMs: isTouched ? cutMs : null,
              belowMs,
            })
          : null;
        const source = {
          full,
          rows,
          kept,
          newPages: [pieces.pages(at, tree), split.pages(at, tree)],
        };
        const written = await writePart(source, this.#options);
        // Records whose file is only written again with other columns keep what is known of them.
        const earlierStats = untouched ? statsOfPart(untouched) : kept?.stats;
        const stats = [...(earlierStats ? [earlierStats] : []), pieces.statsOf(at), split.statsOf(at)];
        part = { ...partOf({ path, ...written }, statsSum(stats)), ...(tail && { tail }) };
      }
      writtenRows += part.rows;
      yield { rows: writtenRows };
      const isSame = before?.sha256 === part.sha256;
      if (isSame || part.rows === 0) rmSync(full, { force: true });
      else made.moved.push(path);
      if (part.rows > 0) parts.push(part);
      else if (before) made.removed.push(path);
    }
    split.remove();
    const { file } = this.#files;
    const text = manifestText(manifestFor(columns, parts, this.#options));
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

  /** Divides the spooled records by partition. */
  async *#divide() {
    const { fields, folder, name, target } = this.#options;
    const { base, cutMs, belowMs, maxTimeMs, partition } = target;
    const isReplaced = target.replaced && partitionMatcher(target.replaced);
    const tree = createPathTree();
    const existing = [...(base?.columns ?? []), ...this.#pieces.columns];
    const columns = new Columns(tree, fields, { isTyped: true, existing });
    const place = createPlacer(partition, tree, maxTimeMs);
    const split = new SplitRecords(join(folder, 'partitions'), name, belowMs);
    for (const page of this.#files.spool.pages(tree)) {
      for (let record = 0; record < page.count; record += 1) {
        const { folder: at, ms } = place(page, record);
        // Bounds of text can match a little more than the instants that they mean.
        if (isReplaced ? !isReplaced(at) : cutMs !== null && (ms === null || ms < cutMs)) continue;
        columns.addRecord(page, record);
        split.add(at, page, record, ms);
      }
      yield { rows: 0 };
    }
    split.flush();
    return { tree, columns, placeStored: createPlacer(partition, tree, maxTimeMs, true), split };
  }
}

const kindsOf = (columns: Columns): { path: string; kinds: number }[] =>
  columns.inOrder().map(({ path, kinds }) => ({ path, kinds }));

function prepareStaging(staging: string, name: string): void {
  try {
    rmSync(staging, { recursive: true, force: true });
    mkdirSync(staging, { recursive: true });
  } catch (error) {
    throw writeError(error, name, 0);
  }
}

async function writePart(
  { full, rows, kept = null, newPages }: PartSource,
  options: FolderOptions,
): Promise<Pick<Part, 'bytes' | 'sha256'>> {
  const { name } = options;
  const file = new GrowingFile({ disk: realDisk, path: full, name, isHashed: true }, 0);
  try {
    const table = new ParquetTable(file, rows, options);
    if (kept)
      for await (const page of kept.pages)
        for (let record = 0; record < page.count; record += 1) {
          if (!kept.has(page, record)) continue;
          table.add(page, record);
        }
    for (const pages of newPages)
      for await (const page of pages)
        for (let record = 0; record < page.count; record += 1) table.add(page, record);
    table.finish();
    file.sync();
    return { bytes: file.length, sha256: file.sha256() };
  } finally {
    file.close();
  }
}

const isSameTail = (a: NonNullable<Part['tail']>, b: Part['tail']): boolean =>
  a.fromMs === b?.fromMs && a.sha256 === b.sha256;

/** A file whose records stay as they are. All of them are older than those that an update reads. */
function untouchedPart(before: Part, isReplacing: boolean): Part {
  if (isReplacing) return before;
  const { early: _, ...whole } = before;
  return whole;
}

/** The records of an earlier file that stay: those before a time, and those without one; null: all. */
function keptRecords(
  pages: AsyncGenerator<ScannedPage>,
  place: ReturnType<typeof createPlacer>,
  { beforeMs, belowMs }: { readonly beforeMs: number | null; readonly belowMs: number | null },
) {
  const collector = new StatsCollector(belowMs);
  return {
    get stats(): PartStats {
      return collector.stats;
    },
    pages,
    has(page: ScannedPage, record: number): boolean {
      const { ms } = place(page, record);
      if (beforeMs !== null && ms !== null && ms >= beforeMs) return false;
      collector.add(idText(page, record), ms);
      return true;
    },
  };
}

function manifestFor(
  columns: Columns,
  parts: readonly Part[],
  { about, names, target }: FolderOptions,
): FolderManifest {
  const sum = (of: 'rows' | 'bytes'): number => parts.reduce((total, part) => total + part[of], 0);
  return {
    wellbenchFolder: manifestVersion,
    generation: (target.base?.generation ?? 0) + 1,
    job: target.job,
    service: about.dataUrl,
    dataset: about.dataset,
    request: target.request,
    partition: target.partition,
    columnNames: names,
    rows: sum('rows'),
    bytes: sum('bytes'),
    watermark: statsSum(parts.map(statsOfPart)).last,
    verified: false,
    warnings: [],
    columns: kindsOf(columns),
    parts: [...parts],
  };
}

interface PartSource {
  /** The path of the file to write. */
  readonly full: string;
  readonly rows: TypedRows;
  /** The records of the earlier file that stay. */
  readonly kept?: ReturnType<typeof keptRecords> | null;
  readonly newPages: readonly (AsyncGenerator<ScannedPage> | Generator<ScannedPage>)[];
}
