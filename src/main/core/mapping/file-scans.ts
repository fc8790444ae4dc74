import { foldColumn, type Fold, type ReadingOptions } from '../../../shared/upload/upload.ts';
import type { SourcePlace } from '../files/files.ts';
import type { Conversions, Preview, PreviewRow, Scan, ScanRequest, FileStamp } from '../tables/tables.ts';
import type { GroupScan } from './groups.ts';
import { groupColumn, type Folding } from './fold.ts';
import type { LocalTimes } from './local-times.ts';
import { scannedFile, wellLines, type ReadableFile } from './readable-file.ts';
import type { RepeatedTimes } from './repeated-times.ts';
import { openCsvThread, withThread, type OpenCsvThread } from './thread/csv-thread.ts';
import { stat } from '../../world/files.ts';

type ScanChoices = Pick<ScanRequest, 'nulls' | 'distinct'>;

/** A file that was read whole, with all facts that don't depend on a mapping. */
export interface ScannedFile {
  readonly key: string;
  readonly file: ReadableFile;
  /** Size and modification time of the file, and of its converted table, when it was read. */
  readonly version: string;
  readonly scan: Scan;
  /** Its first rows. */
  readonly sample: readonly PreviewRow[];
  /** Its first lines, including those before its header. */
  readonly lines: Preview['lines'];
  /** Its groups of rows, by the column that makes them; null: all rows are one group. */
  readonly groups: Map<string | null, GroupScan | null>;
  /** Its local times that occur twice, by the columns and time zones for which they were determined. */
  readonly repeatedTimes: Map<string, readonly RepeatedTimes[]>;
}

interface FileScansDependencies {
  readonly conversions: Conversions;
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

const stampOf = ({ bytes, mtimeMs }: Scan): FileStamp => ({ bytes, mtimeMs });

/** The version of the table that a file was converted to; empty: it is read itself. */
const tableVersion = async ({ path, conversion }: ReadableFile): Promise<string | null> =>
  conversion ? versionOf(path) : '';

/**
 * Reads files whole, once for all that inspects, matches, checks, and sends them. A file that changes is read again; the
 * digest that its job compares is that of the pass.
 */
export function createFileScans({ conversions, openThread = openCsvThread }: FileScansDependencies) {
  let kept: readonly ScannedFile[] = [];

  async function scanNow(
    key: string,
    source: SourcePlace,
    reading: ReadingOptions,
    choices: ScanChoices,
    signal: AbortSignal | undefined,
  ): Promise<ScannedFile> {
    return withThread(openThread, signal, async (thread) => {
      const before = await versionOf(source.path);
      const { file, scan } = await scannedFile(source, reading, conversions, thread, signal, choices);
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
        lines: conversion?.places ? wellLines(file.facts.header) : lines,
        groups: new Map(),
        repeatedTimes: new Map(),
      };
    });
  }

  return {
    /** @throws AppError file_unreadable, file_unsuitable, invalid_input, disk_full, file_unwritable, cancelled */
    async read(
      source: SourcePlace,
      reading: ReadingOptions,
      choices: ScanChoices,
      signal: AbortSignal | undefined,
    ): Promise<ScannedFile> {
      const key = JSON.stringify([source, reading, choices.nulls, choices.distinct]);
      const keptScan = kept.find((scan) => scan.key === key);
      if (keptScan) {
        const version = `${await versionOf(source.path)} ${await tableVersion(keptScan.file)}`;
        if (keptScan.version === version) return keptScan;
      }
      const scanned = await scanNow(key, source, reading, choices, signal);
      kept = [scanned, ...kept.filter((other) => other.key !== key)].slice(0, filesKept);
      return scanned;
    },
    /** The groups of rows that become records; null: each row is a record. */
    async groups(
      { file: { path, fileName, places }, scan, groups }: ScannedFile,
      fold: Fold | undefined,
      signal: AbortSignal | undefined,
    ): Promise<Folding | null> {
      if (!fold) return null;
      const column = foldColumn(fold);
      const keptGroups = groups.get(column);
      if (keptGroups !== undefined) return { fold, groups: keptGroups };
      const { layout, rows } = scan;
      const by = groupColumn(fold, layout);
      const scannedGroups =
        by === -1
          ? null
          : await withThread(openThread, signal, async ({ calls }) =>
              calls.scanGroups({ path, fileName, places, expected: stampOf(scan), layout, rows, by }),
            );
      groups.set(column, scannedGroups);
      return { fold, groups: scannedGroups };
    },
    /** The local times of a file that occur twice, after the order of its rows. Most files have none, and need no thread. */
    async repeatedTimes(
      { file: { path, fileName, places }, scan, repeatedTimes }: ScannedFile,
      times: LocalTimes,
      nulls: readonly string[],
      signal: AbortSignal | undefined,
    ): Promise<readonly RepeatedTimes[]> {
      if (times.columns.length === 0) return [];
      const key = JSON.stringify([times, nulls]);
      const keptTimes = repeatedTimes.get(key);
      if (keptTimes) return keptTimes;
      const scannedTimes = await withThread(openThread, signal, async ({ calls }) =>
        calls.scanRepeatedTimes({
          path,
          fileName,
          places,
          expected: stampOf(scan),
          layout: scan.layout,
          rows: scan.rows,
          nulls,
          ...times,
        }),
      );
      repeatedTimes.set(key, scannedTimes);
      return scannedTimes;
    },
  };
}

export type FileScans = ReturnType<typeof createFileScans>;
