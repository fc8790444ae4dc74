// Files of every format → tables → rows. Other modules import this file alone.
//
// `TableReader` makes a file readable: it detects it, and converts it once if its format isn't read directly. Its `scanned`
// reads the table whole, too, for the layout and the facts of its columns; `inspectFile` says what was found. Later passes
// read its rows with that layout (`openTableFile`).

import { resolve, join } from 'node:path';
import { invalidInput, AppError, unsuitable } from '../../../shared/errors/errors.ts';
import { type ThreadCalls, openThread, type Thread } from '../../../shared/threads.ts';
import { isDirectFormat, type FileFacts, type FileFormat } from '../../../shared/upload/formats.ts';
import type { FileWarning, ReadingOptions } from '../../../shared/upload/upload.ts';
import type { SourcePlace } from '../files/files.ts';
import {
  directFacts,
  tableNamed,
  convertedTable,
  conversionFiles,
  converterVersion,
  type ConvertedTable,
  engineMb,
  maxProcessMb,
} from './conversion/converted-table.ts';
import { detectFile, type DetectedFile } from './conversion/detect.ts';
import type { Layout } from './reading/layout.ts';
import { previewFile, scan, type Scan, type ScanRequest } from './reading/scan.ts';
import { hashFile, statFile, type NamedFile } from './reading/source.ts';
import { createHash } from 'node:crypto';
import { abortable, onAbort } from '../../../shared/abort.ts';
import { mkdir, readdir, rm, stat, utimes } from '../../world/files.ts';
import { type StartProcess, startProcess, systemVariables, threadPort } from '../../world/threads.ts';
import { clearTimeout, setTimeout, wallMs } from '../../world/time.ts';
import { renameFile, writeWhole, flushFile } from '../files/disk.ts';
import { appErrorFrom, readFailureReason, writeError } from '../files/file-errors.ts';
import { readOwnText } from '../files/regular-file.ts';
import { isRunning } from '../processes/is-running.ts';
import { enough, type ReserveMemory } from '../processes/memory-budget.ts';
import type { ConversionChoice, ConversionCalls } from './conversion/convert-file.ts';

export { entriesInLine } from './layout/head.ts';
export { asPoints, asTexts, columnType, type ColumnFacts, type JudgedType } from './reading/columns.ts';
export { storedLayout, type Layout } from './reading/layout.ts';
export { openTableFile, type FileRow, type OpenTableFile } from './reading/rows.ts';
export type { Scan } from './reading/scan.ts';
export { encodeText, type NamedFile } from './reading/source.ts';
export { inspectFile, nullNumbersOf, scanWarnings } from './reading/warnings.ts';

/** What a thread does with files that are named in each call. Its calls block. */
export const fileCalls = {
  detect: detectFile,
  scan,
  preview: previewFile,
  stat: statFile,
  hash: hashFile,
};

interface FileThread {
  readonly calls: Pick<ThreadCalls<typeof fileCalls>, 'detect' | 'scan'>;
}

/** A file for the text reader: itself, or its converted table. */
interface ReadableFile extends NamedFile {
  readonly original: SourcePlace;
  /** Null: the file is read directly. */
  readonly conversion: Conversion | null;
  readonly layout: Layout | null;
  readonly reading: ReadingOptions;
  readonly facts: FileFacts;
  readonly warnings: readonly FileWarning[];
}

/** Makes files readable, and reads their tables. */
export class TableReader {
  readonly #conversions: ReturnType<typeof createConversions>;

  /** @param options where files that aren't read directly are converted, and how */
  constructor(options: Parameters<typeof createConversions>[0]) {
    this.#conversions = createConversions(options);
  }

  /**
   * Makes a file readable: CSV and NDJSON are read directly, other formats are converted once.
   * @param thread reads the content
   * @param hasTables whether a CSV file has several tables or repeated headers; by default, whether the user selects a table
   * @throws AppError file_unreadable, file_unsuitable, invalid_input, disk_full, file_unwritable, cancelled
   */
  async readable(
    source: SourcePlace,
    reading: ReadingOptions,
    thread: FileThread,
    signal: AbortSignal | undefined,
    hasTables = reading.table !== undefined && reading.headerRow === undefined,
  ): Promise<ReadableFile> {
    const file = { path: resolve(source.path), fileName: source.name };
    const original = { ...source, path: file.path };
    const detected = asText(await thread.calls.detect(file), reading);
    const { format, compression } = detected;
    const isDirect = isDirectFormat(format) && !(format === 'csv' && hasTables);
    const facts = isDirect ? directFacts(format, detected.name) : null;
    // The header of a table below another one, which can have a number, is set in the whole file.
    const named = reading.table?.replace(/, line \d+$/, '');
    if (facts && named !== undefined && !(format === 'csv' && /^\d+$/.test(named)))
      tableNamed(facts.tables, named);
    if (facts && compression === null)
      return {
        ...file,
        places: null,
        original,
        conversion: null,
        layout: null,
        reading,
        facts,
        warnings: [],
      };
    const { footerRows: _, shortRows, delimiter, hashLines, apostrophes, ...choices } = reading;
    const fills = shortRows === 'fill' ? { shortRows } : {};
    const ofText = format === 'csv' ? { delimiter, hashLines, apostrophes, ...fills } : {};
    const choice = isDirect ? {} : { ...choices, ...ofText };
    const wanted = isDirect || format !== 'csv' ? detected : { ...detected, hasTables: true };
    const conversion = await this.#conversions.get({ ...file, detected: wanted, choice }, signal);
    const { converted, places, table: path } = conversion;
    return {
      path,
      fileName: source.name,
      places,
      original,
      conversion,
      layout: converted.layout,
      reading: isDirect ? reading : readingOf(reading, converted.layout),
      facts: converted.facts,
      warnings: converted.warnings,
    };
  }

  /**
   * A file and the result of reading it whole. A CSV file in which this finds further tables or repeated headers is
   * converted, and its selected table is read.
   * @throws AppError file_unreadable, file_unsuitable, invalid_input, disk_full, file_unwritable, cancelled
   */
  async scanned(
    source: SourcePlace,
    reading: ReadingOptions,
    thread: FileThread,
    signal: AbortSignal | undefined,
    choices: Pick<ScanRequest, 'nulls' | 'distinct'>,
  ): Promise<{ readonly file: ReadableFile; readonly scan: Scan }> {
    const read = async (hasTables?: true) => {
      const file = await this.readable(source, reading, thread, signal, hasTables);
      const { path, fileName, places, layout } = file;
      const request = { path, fileName, places, layout, reading: file.reading, ...choices };
      return { file, scan: await thread.calls.scan(request) };
    };
    const direct = await read();
    return direct.scan.hasTables ? read(true) : direct;
  }
}

/** A file with column edges is text in columns. @throws AppError invalid_input for other formats */
function asText(detected: DetectedFile, { columnEdges }: ReadingOptions): DetectedFile {
  if (columnEdges === undefined) return detected;
  if (detected.format === 'csv' || detected.format === 'text') return { ...detected, format: 'text' };
  throw invalidInput('Column edges are for text in columns, which this file isn’t. Omit the column edges.', {
    field: 'columnEdges',
  });
}

/** The options that apply to a converted table: the others were used by the conversion. */
const readingOf = ({ footerRows, shortRows }: ReadingOptions, layout: Layout | null): ReadingOptions => ({
  ...(footerRows === undefined && layout?.isExact !== true ? {} : { footerRows: footerRows ?? 0 }),
  ...(shortRows === undefined ? {} : { shortRows }),
});

/**
 * Runs work once for concurrent callers. It is aborted when all of them have stopped waiting.
 * @returns a function that starts work under a name, or joins the running work of that name
 */
function shareRuns<T>() {
  const runs = new Map<string, { controller: AbortController; result: Promise<T>; waiting: number }>();
  return async function share(
    name: string,
    start: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    if (signal?.aborted) throw new AppError('cancelled', {});
    let run = runs.get(name);
    if (!run) {
      const controller = new AbortController();
      run = { controller, result: start(controller.signal), waiting: 0 };
      // Callers that stopped waiting must not cause an unhandled rejection.
      run.result.catch(() => undefined);
      runs.set(name, run);
    }
    run.waiting += 1;
    try {
      return await abortable(run.result, signal);
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0) {
        if (runs.get(name) === run) runs.delete(name);
        run.controller.abort();
      }
    }
  };
}

type OpenConversionThread = (format: FileFormat) => Pick<Thread<ConversionCalls>, 'calls' | 'close'>;

const youngMegabytes = 32;
/** Maximum heap of a thread, in megabytes. Old workbooks are read whole; all other formats stream. */
const maxMegabytes = (format: FileFormat): number => (format === 'xls' ? 1024 : 218);

/**
 * Opens the worker thread, or for Parquet, which native code reads, a process. Their memory is limited, so that a hostile
 * file ends them and not the application.
 */
const openConversionThread =
  (start: StartProcess = startProcess): OpenConversionThread =>
  (format) =>
    openThread<ConversionCalls>(() =>
      format === 'parquet'
        ? start('parquet', systemVariables(process.env))
        : threadPort('conversion', {
            maxOldGenerationSizeMb: maxMegabytes(format),
            maxYoungGenerationSizeMb: youngMegabytes,
          }),
    );

/** An error of the thread as a message: running out of memory, and a crash, are attributed to the file. */
function conversionError(error: AppError, file: string, format: FileFormat): AppError {
  const reason = error.is('internal') ? failureOf(error.details.problem, format) : null;
  return reason === null ? error : new AppError('file_unsuitable', { file, reason }, { cause: error });
}

function failureOf(problem: string, format: FileFormat): string | null {
  if (/memory limit|out of memory/i.test(problem))
    return `reading it takes more than ${maxMegabytes(format) + youngMegabytes} MB of memory`;
  if (/process ended/.test(problem))
    return `it is damaged, or reading it takes more than ${maxProcessMb} MB of memory`;
  return null;
}

/** A complete conversion of a file. */
export interface Conversion {
  readonly converted: ConvertedTable;
  readonly version: number;
  readonly table: string;
  /** The map to places in the original; null: the lines are those of the file. */
  readonly places: string | null;
}

interface ConversionWanted extends NamedFile {
  readonly detected: DetectedFile;
  readonly choice: ConversionChoice;
}

interface ConversionOptions {
  /** The folder of conversions, which are removed after a time without use. */
  readonly folder: string;
  readonly openThread?: OpenConversionThread;
  readonly start?: StartProcess | undefined;
  /** Takes the memory of the engine that reads Parquet files; absent: there is enough. */
  readonly reserve?: ReserveMemory;
  /** Maximum time that a conversion may make no progress. */
  readonly idleMs?: number;
}

const defaultIdleMs = 60_000;

const conversionIn = (folder: string, converted: ConvertedTable): Conversion => ({
  converted,
  version: converterVersion,
  table: join(folder, conversionFiles.table),
  places: converted.layout === null ? null : join(folder, conversionFiles.places),
});

/** What changes with the content of a file, also if another program sets its modification time back. */
async function versionOf({ path, fileName }: NamedFile): Promise<string> {
  try {
    const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
    return `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
  } catch (cause) {
    throw new AppError('file_unreadable', { file: fileName, reason: readFailureReason(cause) }, { cause });
  }
}

/** A conversion of a file that changed meanwhile is repeated as often, before it is refused. */
const maxChanges = 3;

/** An earlier conversion; null: there is none, or it is incomplete. */
async function findConversion(folder: string): Promise<Conversion | null> {
  try {
    const facts = join(folder, conversionFiles.facts);
    const converted = convertedTable.parse(
      JSON.parse((await readOwnText(facts, conversionFiles.facts)) ?? ''),
    );
    const conversion = conversionIn(folder, converted);
    if ((await stat(conversion.table)).size !== converted.tableBytes) return null;
    const now = new Date(wallMs());
    await utimes(facts, now, now);
    return conversion;
  } catch {
    return null;
  }
}

/**
 * Converts each file once: a conversion is stored under the digest of its file, for inspecting, validating, and
 * sending, also in other processes. It is written to a folder that gets its final name when it is complete, so that a
 * conversion that a crash interrupted is never used.
 */
export function createConversions({
  folder,
  start,
  openThread = openConversionThread(start),
  reserve = enough,
  idleMs = defaultIdleMs,
}: ConversionOptions) {
  const share = shareRuns<Conversion>();
  const folderById = new Map<string, string>();
  let partialCount = 0;

  async function convertWith(
    wanted: ConversionWanted,
    signal: AbortSignal,
    attempt = 1,
  ): Promise<Conversion> {
    const { path, fileName, detected, choice } = wanted;
    const freeMemory = detected.format === 'parquet' ? await reserve(engineMb, signal) : null;
    const thread = openThread(detected.format);
    let timer: NodeJS.Timeout | undefined;
    const isAlive = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => thread.close(tooSlow(fileName, idleMs)), idleMs);
    };
    const stop = onAbort(signal, () => thread.close());
    let partial: string | null = null;
    try {
      if (signal.aborted) throw new AppError('cancelled', {});
      const version = await versionOf(wanted);
      const original = await thread.calls.hash({ path, fileName });
      const key = keyOf(original.sha256, detected, choice);
      const target = join(folder, key);
      const before = await findConversion(target);
      if (before) return before;
      await removeOldConversions(folder);
      partial = `${target}.${process.pid}-${(partialCount += 1)}.partial`;
      await mkdir(partial, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
        throw writeError(error, fileName);
      });
      isAlive();
      const request = { path, fileName, detected, choice, folder: partial, original };
      const converted = await thread.calls.convert(request, { onEvent: isAlive });
      // The digest and the table must be those of one content: later uploads of that content find the table by its digest.
      if ((await versionOf(wanted)) === version) return await keep(partial, target, converted);
      if (attempt === maxChanges) throw new AppError('file_changed', { file: fileName });
    } catch (thrown) {
      throw conversionError(appErrorFrom(thrown), fileName, detected.format);
    } finally {
      clearTimeout(timer);
      stop();
      thread.close();
      freeMemory?.();
      if (partial !== null) await rm(partial, { recursive: true, force: true }).catch(() => undefined);
    }
    return convertWith(wanted, signal, attempt + 1);
  }

  return {
    /**
     * The converted table of a file.
     * @throws AppError file_unsuitable, file_unreadable, invalid_input, disk_full, file_unwritable, cancelled
     */
    async get(wanted: ConversionWanted, signal: AbortSignal | undefined): Promise<Conversion> {
      const { path, detected, choice } = wanted;
      const id = JSON.stringify([path, await versionOf(wanted), detected, choice]);
      const before = folderById.get(id);
      const earlier = before === undefined ? null : await findConversion(before);
      if (earlier) return earlier;
      const conversion = await share(id, (all) => convertWith(wanted, all), signal);
      folderById.set(id, join(conversion.table, '..'));
      return conversion;
    },
  };
}

const keyOf = (sha256: string, detected: DetectedFile, choice: ConversionChoice): string =>
  createHash('sha256')
    .update(JSON.stringify([converterVersion, sha256, detected, choice]))
    .digest('hex')
    .slice(0, 40);

const tooSlow = (file: string, idleMs: number): AppError =>
  unsuitable(file, `reading it made no progress for ${idleMs / 1000} seconds`);

/** Gives a complete conversion its final name. If another process did so first, its conversion is used. */
async function keep(partial: string, target: string, converted: ConvertedTable): Promise<Conversion> {
  // The facts vouch for the table, whose size alone is checked when it is found again.
  await flushFile(join(partial, conversionFiles.table));
  if (converted.layout !== null) await flushFile(join(partial, conversionFiles.places));
  await writeWhole(join(partial, conversionFiles.facts), JSON.stringify(converted));
  await renameFile(partial, target).catch(async (error: unknown) => {
    if (await findConversion(target)) return;
    // The conversion at the target is damaged.
    await rm(target, { recursive: true, force: true });
    await renameFile(partial, target).catch(() => {
      throw error;
    });
  });
  return conversionIn(target, converted);
}

const hourMs = 3_600_000;
/** A conversion is removed after this time without use. */
const maxAgeMs = 24 * hourMs;
/** If conversions take more bytes than this, those unused for an hour are removed too, the oldest first. */
const maxBytes = 8 * (1 << 30);

const isPartial = (name: string): boolean => name.endsWith('.partial');

/** The process that writes an incomplete conversion. */
const pidOf = (name: string): number => Number(/\.(\d+)-\d+\.partial$/.exec(name)?.[1]);

/** Removes conversions that are out of use, and incomplete ones that a crash left. Never fails. */
async function removeOldConversions(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const remove = (path: string): Promise<void> =>
    rm(path, { recursive: true, force: true }).catch(() => undefined);
  for (const name of names.filter(isPartial)) if (!isRunning(pidOf(name))) await remove(join(folder, name));
  const complete = names.filter((name) => !isPartial(name));
  const usages = await Promise.all(
    complete.map(async (name) => {
      const path = join(folder, name);
      const facts = await stat(join(path, conversionFiles.facts)).catch(() => null);
      const table = await stat(join(path, conversionFiles.table)).catch(() => null);
      return { path, usedMs: facts?.mtimeMs ?? 0, bytes: table?.size ?? 0 };
    }),
  );
  usages.sort((a, b) => b.usedMs - a.usedMs);
  const now = wallMs();
  let bytes = 0;
  for (const usage of usages) {
    bytes += usage.bytes;
    // The clock may have been ahead when it was used.
    const ageMs = Math.abs(now - usage.usedMs);
    if (ageMs > maxAgeMs || (bytes > maxBytes && ageMs > hourMs)) await remove(usage.path);
  }
}
