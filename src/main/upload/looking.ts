import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { calls } from '../../shared/contract/contract.ts';
import type { FilePreview } from '../../shared/upload/preview.ts';
import { nullsOf } from '../../shared/upload/null-tokens.ts';
import type { ReadingOptions } from '../../shared/upload/upload.ts';
import type { Files } from '../files/files.ts';
import type { RoomHandlers } from '../handlers.ts';
import { openCsvThread } from './thread/csv-client.ts';
import type { OpenCsvThread } from './thread/csv-client.ts';
import { noMapping } from './mapping/match.ts';
import { outlook } from './mapping/outlook.ts';
import { inspectionOf } from './reading/inspection.ts';
import type { Preview, PreviewRow } from './reading/preview.ts';
import type { Scan } from './reading/scan.ts';
import { scanFile } from './scan-file.ts';

export interface LookingDependencies {
  readonly files: Pick<Files, 'source'>;
  readonly openThread?: OpenCsvThread;
}

/** A file as it was read: everything that is known of it before a mapping is. */
interface Look {
  readonly key: string;
  readonly path: string;
  readonly scan: Scan;
  readonly sample: readonly PreviewRow[];
  readonly lines: Preview['lines'];
}

const rowsShown = 50;
/** A person tries one thing and another; each reading of a large file is worth keeping for a while. */
const looksKept = 4;

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
async function isFresh({ path, scan }: Look): Promise<boolean> {
  const now = await stat(path).catch(() => null);
  return now !== null && now.size === scan.bytes && now.mtimeMs === scan.mtimeMs;
}

/**
 * Looking at a file before anything is sent: whole, at its first rows only, and at what a mapping makes of it. A file
 * that was read whole is remembered, so that a change of the mapping costs nothing.
 */
export function createLooking({
  files,
  openThread = openCsvThread,
}: LookingDependencies): Pick<RoomHandlers<(typeof calls)['upload']>, 'inspect' | 'preview' | 'match'> {
  let kept: Look[] = [];

  async function read(
    source: { readonly path: string; readonly name: string },
    reading: ReadingOptions,
    nulls: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Look> {
    const path = resolve(source.path);
    const key = JSON.stringify([path, reading, nulls]);
    const known = kept.find((look) => look.key === key);
    if (known && (await isFresh(known))) return known;
    const thread = openThread(signal);
    try {
      const fileName = source.name;
      const request = { path, fileName, reading, nulls, distinct: [] };
      const scan = await scanFile(request, thread, () => openThread(signal));
      const { rows, lines } = await thread.call('preview', {
        path,
        fileName,
        reading: { footerRows: scan.footer?.count ?? 0 },
        layout: scan.layout,
        rows: rowsShown,
      });
      const look: Look = { key, path, scan, sample: rows, lines };
      kept = [look, ...kept.filter((other) => other.key !== key)].slice(0, looksKept);
      return look;
    } finally {
      await thread.close();
    }
  }

  return {
    async inspect({ source, nulls, keepAsText, exceptionShare, ...reading }, { signal }) {
      const { scan } = await read(files.source(source), reading, nullsOf({ nulls, keepAsText }), signal);
      return inspectionOf(scan, exceptionShare);
    },
    async preview({ source: token, from, ...reading }, { signal }) {
      const source = files.source(token);
      const thread = openThread(signal);
      try {
        const path = resolve(source.path);
        const request = { path, fileName: source.name, reading, layout: null, from, rows: rowsShown };
        return previewOf(await thread.call('preview', request));
      } finally {
        await thread.close();
      }
    },
    async match({ source, reading, mapping, type, ...address }, { signal }) {
      const { scan, sample, lines } = await read(
        files.source(source),
        reading,
        nullsOf(mapping ?? {}),
        signal,
      );
      return outlook({ scan, sample, lines, mapping: mapping ?? noMapping, address, type });
    },
  };
}
