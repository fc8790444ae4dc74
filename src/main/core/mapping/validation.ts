import type { calls } from '../../../shared/contract/contract.ts';
import type { FilePreview } from '../../../shared/upload/preview.ts';
import { nullsOf } from '../../../shared/upload/null-tokens.ts';
import type { ReadingOptions } from '../../../shared/upload/upload.ts';
import type { Files } from '../files/files.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { JobStore } from '../jobs/jobs.ts';
import type { Services, CallOptions, PlatformService } from '../wire/services/services.ts';
import type { Conversions } from '../tables/conversion/conversions.ts';
import { readableFile, type ReadableFile } from './readable-file.ts';
import { assetColumns, wellsNamedLike } from './assets.ts';
import { wellsOfFile } from './file-wells.ts';
import { localTimes } from './local-times.ts';
import { noMapping } from './match.ts';
import { outlook } from './outlook.ts';
import { originOf } from './parent.ts';
import { rowsShown, type FileScans } from './file-scans.ts';
import { explanationOfFile, inspectionOfFile } from '../tables/reading/warnings.ts';
import type { Preview } from '../tables/reading/preview.ts';
import { openCsvThread, withThread, type CsvThread, type OpenCsvThread } from './thread/csv-thread.ts';
import { maxOf } from '../../../shared/lists.ts';
import type { WellCandidate } from '../../../shared/upload/wells.ts';

export interface ValidationDependencies {
  readonly connections: { services(connectionId: string): Services };
  readonly files: Pick<Files, 'source'>;
  readonly store: Pick<JobStore, 'related' | 'plan'>;
  readonly conversions: Conversions;
  readonly scans: FileScans;
  readonly openThread?: OpenCsvThread;
}

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

type Calls = 'inspect' | 'preview' | 'match' | 'wells' | 'wellsInName' | 'origin';

/**
 * The validation of a file before anything is sent: the whole file, its first rows, the result of a mapping, the wells
 * that it names, and the job whose rejects file it is.
 */
export function createValidation({
  connections,
  files,
  store,
  conversions,
  scans,
  openThread = openCsvThread,
}: ValidationDependencies): Pick<ModuleHandlers<(typeof calls)['upload']>, Calls> {
  const using = <T>(
    token: string,
    reading: ReadingOptions,
    signal: AbortSignal | undefined,
    use: (thread: CsvThread, file: ReadableFile) => Promise<T>,
  ): Promise<T> =>
    withThread(openThread, signal, async (thread) =>
      use(thread, await readableFile(files.source(token), reading, conversions, thread, signal)),
    );

  return {
    async inspect({ source, nulls, keepAsText, exceptionShare, explain = false, ...reading }, { signal }) {
      const choices = { nulls: nullsOf({ nulls, keepAsText }), distinct: [] };
      const { scan, file } = await scans.read(files.source(source), reading, choices, signal);
      const inspection = inspectionOfFile(file, scan, exceptionShare);
      return explain ? { ...inspection, explain: explanationOfFile(file, scan) } : inspection;
    },
    preview: ({ source, from, ...reading }, { signal }) =>
      using(source, reading, signal, async (thread, file) => {
        const { path, fileName, places, layout, reading: options } = file;
        const request = { path, fileName, places, reading: options, layout, from, rows: rowsShown };
        return previewOf(file, await thread.calls.preview(request));
      }),
    async match({ source, reading, mapping, type, requiresWell, storedUnits, ...address }, { signal }) {
      const nulls = nullsOf(mapping ?? {});
      const scanned = await scans.read(files.source(source), reading, { nulls, distinct: [] }, signal);
      const { scan, sample, lines } = scanned;
      const folding = await scans.groups(scanned, mapping?.fold, signal);
      const times = localTimes({ scan, mapping: mapping ?? noMapping, type, folding });
      const repeatedTimes = await scans.repeatedTimes(scanned, times, nulls, signal);
      return outlook({
        scan,
        sample,
        lines,
        mapping: mapping ?? noMapping,
        address,
        type,
        folding,
        repeatedTimes,
        requiresWell,
        storedUnits,
      });
    },
    async wells({ connection, source, reading, mapping }, { signal }) {
      const { platform } = connections.services(connection);
      const distinct = assetColumns(mapping).map(({ column }) => column);
      const choices = { nulls: nullsOf(mapping), distinct };
      const { scan, lines } = await scans.read(files.source(source), reading, choices, signal);
      return wellsOfFile(platform, mapping, scan, lines, { signal });
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

/** Maximum number of words of a name that are looked up. */
const maxLookups = 3;
/** Words of file names that are seldom part of a well's name. */
const common =
  /^(?:surveys?|wells?|data|export|logs?|las|csv|drilling|depth|time|reports?|stages?|final|raw|daily|day|copy|of|and|the)$/;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** The words to search by: those with letters and digits identify a well best, then long ones. */
function searchWords(words: readonly string[]): string[] {
  const rank = (word: string) => (/\d/.test(word) ? 1 : 0) * 100 + word.length;
  return [...new Set(words)]
    .filter((word) => word.length > 1 && /\p{L}/u.test(word) && !common.test(word))
    .toSorted((a, b) => rank(b) - rank(a))
    .slice(0, maxLookups);
}

/** Whether the words of a well's name follow each other in those of the file's name. */
function isNamed(well: string, words: readonly string[]): boolean {
  const name = wordsOf(well).join('');
  return words.some((_, from) =>
    words.some((__, to) => to >= from && words.slice(from, to + 1).join('') === name),
  );
}

/**
 * The wells whose name is in the name of a file, such as `Ridge_A-101H surveys.csv`; only those with the longest name.
 * @throws errors of the platform service
 */
export async function wellsInName(
  platform: PlatformService,
  fileName: string,
  options: CallOptions,
): Promise<WellCandidate[]> {
  const words = wordsOf(fileName.replace(/(?:\.[A-Za-z]\w{0,6}){1,2}$/, ''));
  const named = new Map<number, WellCandidate>();
  for (const word of searchWords(words)) {
    for (const well of await wellsNamedLike(platform, word, options))
      if (isNamed(well.name, words)) named.set(well.assetId, well);
    if (named.size > 0) break;
  }
  const lengthOf = ({ name }: WellCandidate) => wordsOf(name).join('').length;
  const longest = maxOf([...named.values()].map(lengthOf));
  return [...named.values()].filter((well) => lengthOf(well) === longest);
}
