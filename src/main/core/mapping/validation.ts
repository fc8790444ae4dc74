import { stat } from 'node:fs/promises';
import type { calls } from '../../../shared/contract/contract.ts';
import type { FilePreview, RawLine } from '../../../shared/upload/preview.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import { foldColumn, type Fold, type ReadingOptions } from '../../../shared/upload/upload.ts';
import type { Files, SourcePlace } from '../files/files.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { JobStore } from '../jobs/store.ts';
import type { Services } from '../wire/services/services.ts';
import type { Conversions } from '../tables/conversion/conversions.ts';
import { readableFile, scannedFile, wellLines } from './readable-file.ts';
import type { ReadableFile } from './readable-file.ts';
import { assetColumns } from './assets.ts';
import { wellsOfFile } from './file-wells.ts';
import { groupColumn } from './fold.ts';
import { localTimes, type LocalTimes } from './local-times.ts';
import { noMapping } from './match.ts';
import { outlook } from './outlook.ts';
import { wellsInName } from './name-wells.ts';
import type { RepeatedTimes } from './repeated-times.ts';
import { originOf } from './parent.ts';
import type { GroupScan } from '../tables/reading/group-scan.ts';
import { inspectionOfFile } from '../tables/reading/inspection.ts';
import type { Preview, PreviewRow } from '../tables/reading/preview.ts';
import type { Scan, ScanRequest } from '../tables/reading/scan.ts';
import type { NamedFile } from '../tables/reading/source.ts';
import { openCsvThread } from './thread/csv-thread.ts';
import type { CsvThread, OpenCsvThread } from './thread/csv-thread.ts';

interface ValidationDependencies {
  readonly connections: { services(connectionId: string): Services };
  readonly files: Pick<Files, 'source'>;
  readonly store: Pick<JobStore, 'list' | 'plan'>;
  readonly conversions: Conversions;
  readonly openThread?: OpenCsvThread;
}

/** A file that was read whole, with all facts that don't depend on a mapping. */
interface ValidatedFile {
  readonly key: string;
  readonly file: ReadableFile;
  /** Its modification time and size when it was read. */
  readonly version: string;
  readonly scan: Scan;
  readonly sample: readonly PreviewRow[];
  readonly lines: Preview['lines'];
  /** Its groups of rows, by the column that makes them; null: all rows are one group. */
  readonly groups: Map<string | null, GroupScan | null>;
  /** Its local times that occur twice, by the columns and time zones for which they were determined. */
  readonly repeatedTimes: Map<string, readonly RepeatedTimes[]>;
}

const rowsShown = 50;
/** The last passes are cached, because the user changes options and a large file takes long to read. */
const filesKept = 4;

const previewOf = ({ facts, conversion }: ReadableFile, { layout, rows, lines }: Preview): FilePreview => ({
  ...facts,
  encoding: layout.encoding.name,
  delimiter: conversion?.places ? '' : layout.delimiter,
  headerRow: layout.headerLine,
  unitRow: layout.unitLine,
  columns: layout.columns.map(({ key, unit }) => ({ key, unit })),
  rows: rows.map(({ line, cells, problem }) => ({ line, cells: [...cells], problem })),
  lines: [...(conversion?.places ? conversion.converted.lines : lines)],
});

/** Size and modification time of a file; null: it doesn't exist. */
async function versionOf(path: string): Promise<string | null> {
  const now = await stat(path).catch(() => null);
  return now && `${now.size} ${now.mtimeMs}`;
}

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

/** The groups of rows that become records; null: the file has no such column. */
export async function groupsOf(
  thread: CsvThread,
  { path, fileName, places }: NamedFile,
  { layout, rows }: Pick<Scan, 'layout' | 'rows'>,
  fold: Fold,
): Promise<GroupScan | null> {
  const by = groupColumn(fold, layout);
  return by === -1 ? null : thread.calls.scanGroups({ path, fileName, places, layout, rows, by });
}

/** The local times of a file that occur twice, after the order of its rows. Most files have none, and need no thread. */
export async function repeatedTimesOf(
  openThread: OpenCsvThread,
  { path, fileName, places }: NamedFile,
  { layout, rows }: Pick<Scan, 'layout' | 'rows'>,
  times: LocalTimes,
  nulls: readonly string[],
  signal: AbortSignal | undefined,
): Promise<RepeatedTimes[]> {
  if (times.columns.length === 0) return [];
  return withThread(openThread, signal, async ({ calls }) =>
    calls.scanRepeatedTimes({ path, fileName, places, layout, rows, nulls, ...times }),
  );
}

/** What to read of a file, beside its format. */
type ScanWishes = Pick<ScanRequest, 'nulls' | 'distinct'>;

/**
 * Reads a whole file, and returns its first lines too, including those before its header.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input, cancelled
 */
export async function scanWithLines(
  thread: CsvThread,
  source: SourcePlace,
  chosen: ReadingOptions,
  conversions: Conversions,
  signal: AbortSignal | undefined,
  choices: ScanWishes,
): Promise<{ readonly file: ReadableFile; readonly scan: Scan; readonly lines: readonly RawLine[] }> {
  const { file, scan } = await scannedFile(source, chosen, conversions, thread, signal, choices);
  const { path, fileName, places, reading, conversion } = file;
  if (conversion?.places) return { file, scan, lines: wellLines(file.facts.header) };
  const { lines } = await thread.calls.preview({
    path,
    fileName,
    places,
    reading,
    layout: scan.layout,
    rows: 1,
  });
  return { file, scan, lines };
}

type Calls = 'inspect' | 'preview' | 'match' | 'wells' | 'wellsInName' | 'origin';

/**
 * The validation of a file before anything is sent: the whole file, its first rows, the result of a mapping, the wells
 * that it names, and the job whose rejects file it is. A file that was read whole is cached, so that changing the
 * mapping costs nothing.
 */
export function createValidation({
  connections,
  files,
  store,
  conversions,
  openThread = openCsvThread,
}: ValidationDependencies): Pick<ModuleHandlers<(typeof calls)['upload']>, Calls> {
  let kept: ValidatedFile[] = [];

  const using = <T>(
    token: string,
    reading: ReadingOptions,
    signal: AbortSignal | undefined,
    use: (thread: CsvThread, file: ReadableFile) => Promise<T>,
  ): Promise<T> =>
    withThread(openThread, signal, async (thread) =>
      use(thread, await readableFile(files.source(token), reading, conversions, thread, signal)),
    );

  async function validate(
    token: string,
    reading: ReadingOptions,
    nulls: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<ValidatedFile> {
    const { path } = files.source(token);
    const key = JSON.stringify([path, reading, nulls]);
    const known = kept.find((one) => one.key === key);
    const version = await versionOf(path);
    if (known && known.version === version) return known;
    return withThread(openThread, signal, async (thread) => {
      const source = files.source(token);
      const choices = { nulls, distinct: [] };
      const { file, scan } = await scannedFile(source, reading, conversions, thread, signal, choices);
      const { fileName, places, conversion } = file;
      const named = { path: file.path, fileName, places };
      const { rows, lines } = await thread.calls.preview({
        ...named,
        reading: { footerRows: scan.footer?.count ?? 0 },
        layout: scan.layout,
        rows: rowsShown,
      });
      const validated: ValidatedFile = {
        key,
        file,
        version: version ?? '',
        scan,
        sample: rows,
        lines: conversion?.places ? wellLines(file.facts.header) : lines,
        groups: new Map(),
        repeatedTimes: new Map(),
      };
      kept = [validated, ...kept.filter((other) => other.key !== key)].slice(0, filesKept);
      return validated;
    });
  }

  return {
    async inspect({ source, nulls, keepAsText, exceptionShare, ...reading }, { signal }) {
      const { scan, file } = await validate(source, reading, nullsOf({ nulls, keepAsText }), signal);
      return inspectionOfFile(file, scan, exceptionShare);
    },
    preview: ({ source, from, ...reading }, { signal }) =>
      using(source, reading, signal, async (thread, file) => {
        const { path, fileName, places, layout, reading: left } = file;
        const request = { path, fileName, places, reading: left, layout, from, rows: rowsShown };
        return previewOf(file, await thread.calls.preview(request));
      }),
    async match({ source, reading, mapping, type, requiresWell, storedUnits, ...address }, { signal }) {
      const { file, scan, sample, lines, groups, repeatedTimes } = await validate(
        source,
        reading,
        nullsOf(mapping ?? {}),
        signal,
      );
      const fold = mapping?.fold;
      if (fold && !groups.has(foldColumn(fold)))
        await withThread(openThread, signal, async (thread) =>
          groups.set(foldColumn(fold), await groupsOf(thread, file, scan, fold)),
        );
      const folding = fold ? { fold, groups: groups.get(foldColumn(fold)) ?? null } : null;
      const times = localTimes({ scan, mapping: mapping ?? noMapping, type, folding });
      const timesKey = JSON.stringify(times);
      if (!repeatedTimes.has(timesKey))
        repeatedTimes.set(
          timesKey,
          await repeatedTimesOf(openThread, file, scan, times, nullsOf(mapping ?? {}), signal),
        );
      return outlook({
        scan,
        sample,
        lines,
        mapping: mapping ?? noMapping,
        address,
        type,
        folding,
        repeatedTimes: repeatedTimes.get(timesKey),
        requiresWell,
        storedUnits,
      });
    },
    wells({ connection, source, reading, mapping }, { signal }) {
      const { platform } = connections.services(connection);
      const distinct = assetColumns(mapping).map(({ column }) => column);
      return withThread(openThread, signal, async (thread) => {
        const choices = { nulls: nullsOf(mapping), distinct };
        const place = files.source(source);
        const { scan, lines } = await scanWithLines(thread, place, reading, conversions, signal, choices);
        return wellsOfFile(platform, mapping, scan, lines, { signal });
      });
    },
    wellsInName: ({ connection, source }, { signal }) =>
      wellsInName(connections.services(connection).platform, files.source(source).name, { signal }),
    origin: ({ source, reading }, { signal }) =>
      using(
        source,
        reading,
        signal,
        async (thread, { path, fileName, places, layout, original, ...file }) => {
          const request = { path, fileName, places, reading: file.reading, layout, rows: 1 };
          const preview = await thread.calls.preview(request);
          return originOf({ path: original.path, name: fileName }, preview.layout, store);
        },
      ),
  };
}
