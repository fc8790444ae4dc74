import { dirname, join } from 'node:path';
import { AppError } from '../../../shared/errors/errors.ts';
import { exists, renameFile, flushFile, flushFolder } from '../files/disk.ts';
import { isDiskFull, isMissing } from '../files/file-errors.ts';
import type { UploadPlan } from './upload-plan.ts';
import { copyFile, link, rm, stat } from '../../world/files.ts';
import type { FileHeaderEntry } from '../../../shared/upload/formats.ts';
import type { RawLine } from '../../../shared/upload/preview.ts';
import type { ReadingOptions, Fold } from '../../../shared/upload/upload.ts';
import type { SourcePlace } from '../files/files.ts';
import { entriesInLine, type NamedFile, type TableReader } from '../tables/tables.ts';
import type { GroupScan } from './preparation.ts';
import type { RowsRequest, LocalTimes, RepeatedTimes } from './times.ts';
import { groupColumn, type Folding } from './decisions.ts';
import type { Thread } from '../../../shared/threads.ts';
import { openAbortableThread } from '../processes/page-thread.ts';
import type { CsvCalls } from './csv-worker.ts';

const spoolName = 'source';
const placesName = 'places';

/** The path of the map from a job's converted table to its original; null: none. */
const placesPath = ({ conversion }: UploadPlan, folder: string): string | null =>
  conversion?.placesFile == null ? null : join(folder, placesName);

/** The file of a job, and the map to its original if it is a converted table. */
type SettledSource = Pick<NamedFile, 'path' | 'places'>;

/**
 * The file of a job. A spooled copy is moved into the job's folder, so that a restart finds it and a discarded
 * job removes it. A dry run leaves it in place for the actual upload. A converted table is always linked there, because
 * conversions are temporary. The file is on disk before the first row is sent: rows without a response are compared with
 * it later.
 * @throws AppError file_unreadable, disk_full
 */
export async function settleSource(plan: UploadPlan, folder: string): Promise<SettledSource> {
  const places = placesPath(plan, folder);
  return { path: await settledPath(plan, folder, places), places };
}

async function settledPath(plan: UploadPlan, folder: string, places: string | null): Promise<string> {
  const { source, fileName, dryRun, conversion } = plan;
  if (source.place === 'converted') {
    if (places !== null && conversion?.placesFile != null)
      await bringInto(conversion.placesFile, places, fileName, linkTo);
    return bringInto(source.path, join(folder, spoolName), fileName, linkTo);
  }
  if (source.place === 'path' || dryRun) return source.path;
  const copy = await bringInto(source.path, join(folder, spoolName), fileName, renameFile);
  await rm(source.path, { force: true });
  return copy;
}

/** Removes what {@link settleSource} put into a job's folder. */
export async function releaseSource(folder: string): Promise<void> {
  for (const name of [spoolName, placesName]) await rm(join(folder, name), { force: true });
}

async function linkTo(from: string, to: string): Promise<void> {
  await link(from, to);
  await flushFolder(dirname(to));
}

/** Links or moves a file, or copies it if the disk can't do that. An existing file is complete. */
async function bringInto(from: string, to: string, file: string, bring: typeof linkTo): Promise<string> {
  if (await exists(to)) return to;
  try {
    await flushFile(from);
    await bring(from, to);
  } catch (cause) {
    const reason = 'its copy is missing; choose the file again';
    if (isMissing(cause)) throw new AppError('file_unreadable', { file, reason }, { cause });
    await copyAcross(from, to, file);
  }
  return to;
}

/** The spool and the jobs can be on different disks. A copy counts only when it is complete. */
async function copyAcross(from: string, to: string, fileName: string): Promise<void> {
  const beside = `${to}.partial`;
  try {
    await copyFile(from, beside);
    await flushFile(beside);
    await renameFile(beside, to);
  } catch (cause) {
    await rm(beside, { force: true });
    if (isDiskFull(cause)) throw new AppError('disk_full', { file: fileName, writtenBytes: 0 }, { cause });
    const reason = 'its copy could not be moved';
    throw new AppError('file_unreadable', { file: fileName, reason }, { cause });
  }
}

/** Names of a well in the headers of formats, and in lines of text. */
const wellEntries = new Map(
  Object.entries({
    namewell: 'Well',
    'well-id': 'UWI',
    wn: 'Well',
    numapi: 'API',
    // Of LAS files that Wellbench exported.
    asst: 'Asset ID',
  }),
);

/** A name and a value before a table, such as those of its well. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
  readonly line: number;
}

const valuesOfHeader = (header: readonly FileHeaderEntry[]): NamedValue[] =>
  header.map(({ name, value }) => ({ name: wellEntries.get(name.toLowerCase()) ?? name, value, line: 1 }));

const valuesInLines = (lines: readonly RawLine[]): NamedValue[] =>
  lines.flatMap(({ kind, text, line }) =>
    kind === 'left_out' || kind === 'comment'
      ? entriesInLine(text).map(({ name, value }) => ({ name, value, line }))
      : [],
  );

type ScanChoices = Parameters<TableReader['scanned']>[4];

export type Preview = ReturnType<CsvCalls['preview']>;

/** A file that was read whole, with all facts that don't depend on a mapping. */
export interface ScannedFile extends Awaited<ReturnType<TableReader['scanned']>> {
  readonly key: string;
  /** Size and modification time of the file, and of its converted table, when it was read. */
  readonly version: string;
  readonly sample: Preview['rows'];
  /** The names and values of its header, or of its lines before the rows. */
  readonly values: readonly NamedValue[];
  /** Its groups of rows, by the column that makes them; null: all rows are one group. */
  readonly groups: Map<number | null, GroupScan>;
  /** Its local times that occur twice, by the columns and time zones for which they were determined. */
  readonly repeatedTimes: Map<string, readonly RepeatedTimes[]>;
}

interface FileScansDependencies {
  readonly reader: TableReader;
  readonly openThread?: OpenCsvThread;
}

/** The number of first rows that a preview and a match show. */
export const rowsShown = 50;
/** The last passes are cached: the user changes options, checks, and sends, and a large file takes long to read. */
const filesKept = 4;

/** Size and modification time of a file; null: it doesn't exist. */
const versionOf = (path: string): Promise<string | null> =>
  stat(path).then(
    ({ size, mtimeMs }) => `${size} ${mtimeMs}`,
    () => null,
  );

/** The version of the table that a file was converted to; empty: it is read itself. */
const tableVersion = async ({ path, conversion }: ScannedFile['file']): Promise<string | null> =>
  conversion ? versionOf(path) : '';

/**
 * Reads files whole, once for all that inspects, matches, checks, and sends them. A file that changes is read again; the
 * digest that its job compares is that of the pass.
 */
export class FileScans {
  readonly #reader: TableReader;
  readonly #openThread: OpenCsvThread;
  #kept: readonly ScannedFile[] = [];

  constructor({ reader, openThread = openCsvThread }: FileScansDependencies) {
    this.#reader = reader;
    this.#openThread = openThread;
  }

  async #scanNow(
    key: string,
    source: SourcePlace,
    reading: ReadingOptions,
    choices: ScanChoices,
    signal: AbortSignal | undefined,
  ): Promise<ScannedFile> {
    return withThread(this.#openThread, signal, async (thread) => {
      const before = await versionOf(source.path);
      const { file, scan } = await this.#reader.scanned(source, reading, thread, signal, choices);
      const { path, fileName, places, conversion } = file;
      const { rows, lines } = await thread.calls.preview({
        path,
        fileName,
        places,
        reading: { footerRows: scan.footer?.count ?? 0 },
        layout: scan.layout,
        rows: rowsShown,
      });
      return {
        key,
        file,
        version: `${before} ${await tableVersion(file)}`,
        scan,
        sample: rows,
        values: conversion?.places ? valuesOfHeader(file.facts.header) : valuesInLines(lines),
        groups: new Map(),
        repeatedTimes: new Map(),
      };
    });
  }

  /** Reads the rows of a scanned file once more, unless the result is there. */
  async #readOnce<Key, T>(
    results: Map<Key, T>,
    key: Key,
    { file: { path, fileName, places }, scan: { layout, rows, bytes, mtimeMs } }: ScannedFile,
    signal: AbortSignal | undefined,
    read: (thread: CsvThread, file: RowsRequest) => Promise<T>,
  ): Promise<T> {
    const earlier = results.get(key);
    if (earlier) return earlier;
    const file = { path, fileName, places, expected: { bytes, mtimeMs }, layout, rows };
    const result = await withThread(this.#openThread, signal, async (thread) => read(thread, file));
    results.set(key, result);
    return result;
  }

  /** @throws AppError file_unreadable, file_unsuitable, invalid_input, disk_full, file_unwritable, cancelled */
  async read(
    source: SourcePlace,
    reading: ReadingOptions,
    choices: ScanChoices,
    signal: AbortSignal | undefined,
  ): Promise<ScannedFile> {
    const key = JSON.stringify([source, reading, choices.nulls]);
    const earlier = this.#kept.find((other) => other.key === key);
    // A pass counts the values of the columns that it was asked for, and of those whose names say that they have wells.
    const isCounted = (column: string): boolean =>
      earlier !== undefined &&
      (Object.hasOwn(earlier.scan.distinct, column) ||
        earlier.scan.layout.columns.every((other) => other.key !== column));
    if (earlier && choices.distinct.every(isCounted)) {
      const version = `${await versionOf(source.path)} ${await tableVersion(earlier.file)}`;
      if (earlier.version === version) return earlier;
    }
    const distinct = [...new Set([...choices.distinct, ...Object.keys(earlier?.scan.distinct ?? {})])];
    const scanned = await this.#scanNow(key, source, reading, { ...choices, distinct }, signal);
    this.#kept = [scanned, ...this.#kept.filter((other) => other.key !== key)].slice(0, filesKept);
    return scanned;
  }

  /** The groups of rows that become records; null: each row is a record. */
  async groups(
    scanned: ScannedFile,
    fold: Fold | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Folding | null> {
    if (!fold) return null;
    const by = groupColumn(fold, scanned.scan.layout);
    if (by === -1) return { fold, groups: null };
    const groups = await this.#readOnce(scanned.groups, by, scanned, signal, async ({ calls }, file) =>
      calls.scanGroups({ ...file, by }),
    );
    return { fold, groups };
  }

  /** The local times of a file that occur twice, after the order of its rows. Most files have none, and need no thread. */
  async repeatedTimes(
    scanned: ScannedFile,
    times: LocalTimes,
    nulls: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<readonly RepeatedTimes[]> {
    if (times.columns.length === 0) return [];
    const key = JSON.stringify([times, nulls]);
    return this.#readOnce(scanned.repeatedTimes, key, scanned, signal, async ({ calls }, file) =>
      calls.scanRepeatedTimes({ ...file, nulls, ...times }),
    );
  }
}

/** A worker thread that reads one file. Calls are processed one after another, in the order in which they were made. */
export type CsvThread = Pick<Thread<CsvCalls>, 'calls' | 'close'>;

/** Opens a thread: {@link openCsvThread}, except in tests that run thousands of jobs. */
export type OpenCsvThread = (signal?: AbortSignal) => CsvThread;

/**
 * Opens the worker thread, which starts with its first call. An aborted signal ends it at once; calls then fail with
 * `cancelled`.
 */
export const openCsvThread: OpenCsvThread = (signal) => openAbortableThread<CsvCalls>('csv', signal);

/** Opens a thread while it is used. */
export async function withThread<T>(
  openThread: OpenCsvThread,
  signal: AbortSignal | undefined,
  use: (thread: CsvThread) => Promise<T>,
): Promise<T> {
  const thread = openThread(signal);
  try {
    return await use(thread);
  } finally {
    thread.close();
  }
}
