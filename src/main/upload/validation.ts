import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { calls } from '../../shared/contract/contract.ts';
import type { FilePreview, RawLine } from '../../shared/upload/preview.ts';
import { nullsOf } from '../../shared/upload/null-tokens.ts';
import type { ReadingOptions } from '../../shared/upload/upload.ts';
import type { Files } from '../files/files.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { JobStore } from '../jobs/store.ts';
import type { Services } from '../services/services.ts';
import { assetColumns } from './mapping/assets.ts';
import { wellsOfFile } from './mapping/file-wells.ts';
import { noMapping } from './mapping/match.ts';
import { outlook } from './mapping/outlook.ts';
import { originOf } from './parent.ts';
import { inspectionOf } from './reading/inspection.ts';
import type { Preview, PreviewRow } from './reading/preview.ts';
import type { Scan, ScanRequest } from './reading/scan.ts';
import { openCsvThread } from './thread/csv-thread.ts';
import type { CsvThread, OpenCsvThread } from './thread/csv-thread.ts';

interface ValidationDependencies {
  readonly connections: { services(connectionId: string): Services };
  readonly files: Pick<Files, 'source'>;
  readonly store: Pick<JobStore, 'list' | 'plan'>;
  readonly openThread?: OpenCsvThread;
}

/** A file that was read whole: everything that is known of it before a mapping is. */
interface ValidatedFile {
  readonly key: string;
  readonly path: string;
  readonly scan: Scan;
  readonly sample: readonly PreviewRow[];
  readonly lines: Preview['lines'];
}

const rowsShown = 50;
/** A person tries one thing and another; each reading of a large file is worth keeping for a while. */
const filesKept = 4;

const previewOf = ({ layout, rows, lines }: Preview): FilePreview => ({
  encoding: layout.encoding.name,
  delimiter: layout.delimiter,
  headerRow: layout.headerLine,
  unitRow: layout.unitLine,
  columns: layout.columns.map(({ key, unit }) => ({ key, unit })),
  rows: rows.map(({ line, cells, problem }) => ({ line, cells: [...cells], problem })),
  lines: [...lines],
});

/** Whether the file is still the one that was read. */
async function isUnchanged({ path, scan }: ValidatedFile): Promise<boolean> {
  const now = await stat(path).catch(() => null);
  return now !== null && now.size === scan.bytes && now.mtimeMs === scan.mtimeMs;
}

async function withThread<T>(
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

/**
 * Reads a whole file, and gives its first lines too, with those before its header.
 * @throws AppError file_unreadable, file_unsuitable, invalid_input, cancelled
 */
export const scanWithLines = (
  request: ScanRequest,
  openThread: OpenCsvThread = openCsvThread,
  signal?: AbortSignal,
): Promise<{ readonly scan: Scan; readonly lines: readonly RawLine[] }> =>
  withThread(openThread, signal, async (thread) => {
    const { path, fileName, reading } = request;
    const scan = await thread.calls.scan(request);
    const { lines } = await thread.calls.preview({ path, fileName, reading, layout: scan.layout, rows: 1 });
    return { scan, lines };
  });

type Calls = 'inspect' | 'preview' | 'match' | 'wells' | 'origin';

/**
 * What is said of a file before anything is sent: of all of it, of its first rows, of what a mapping makes of it, of the
 * wells that it names and of the job whose rejected rows it holds. A file that was read whole is remembered, so that a
 * change of the mapping costs nothing.
 */
export function createValidation({
  connections,
  files,
  store,
  openThread = openCsvThread,
}: ValidationDependencies): Pick<RoomHandlers<(typeof calls)['upload']>, Calls> {
  let kept: ValidatedFile[] = [];

  const fileOf = (token: string) => {
    const { path, name } = files.source(token);
    return { path: resolve(path), fileName: name };
  };

  async function validate(
    token: string,
    reading: ReadingOptions,
    nulls: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<ValidatedFile> {
    const file = fileOf(token);
    const key = JSON.stringify([file.path, reading, nulls]);
    const known = kept.find((one) => one.key === key);
    if (known && (await isUnchanged(known))) return known;
    return withThread(openThread, signal, async (thread) => {
      const scan = await thread.calls.scan({ ...file, reading, nulls, distinct: [] });
      const { rows, lines } = await thread.calls.preview({
        ...file,
        reading: { footerRows: scan.footer?.count ?? 0 },
        layout: scan.layout,
        rows: rowsShown,
      });
      const validated: ValidatedFile = { key, path: file.path, scan, sample: rows, lines };
      kept = [validated, ...kept.filter((other) => other.key !== key)].slice(0, filesKept);
      return validated;
    });
  }

  return {
    async inspect({ source, nulls, keepAsText, exceptionShare, ...reading }, { signal }) {
      const { scan } = await validate(source, reading, nullsOf({ nulls, keepAsText }), signal);
      return inspectionOf(scan, exceptionShare);
    },
    async preview({ source, from, ...reading }, { signal }) {
      const request = { ...fileOf(source), reading, layout: null, from, rows: rowsShown };
      return previewOf(await withThread(openThread, signal, (thread) => thread.calls.preview(request)));
    },
    async match({ source, reading, mapping, type, ...address }, { signal }) {
      const { scan, sample, lines } = await validate(source, reading, nullsOf(mapping ?? {}), signal);
      return outlook({ scan, sample, lines, mapping: mapping ?? noMapping, address, type });
    },
    async wells({ connection, source, reading, mapping }, { signal }) {
      const { platform } = connections.services(connection);
      const distinct = assetColumns(mapping).map(({ column }) => column);
      const request = { ...fileOf(source), reading, nulls: nullsOf(mapping), distinct };
      const { scan, lines } = await scanWithLines(request, openThread, signal);
      return wellsOfFile(platform, mapping, scan, lines, { signal });
    },
    async origin({ source, reading }, { signal }) {
      const file = fileOf(source);
      const request = { ...file, reading, layout: null, rows: 1 };
      const { layout } = await withThread(openThread, signal, (thread) => thread.calls.preview(request));
      return originOf({ path: file.path, name: file.fileName }, layout, store);
    },
  };
}
