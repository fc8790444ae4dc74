import { mkdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { exportOptions, type ExportOptions } from '../../shared/export/export.ts';
import type { ExportCalls } from '../export/export-worker.ts';
import { lastStep } from '../export/make-file.ts';
import { removeSpools } from '../export/places.ts';
import { transferable } from '../export/read-records.ts';
import type { About } from '../export/writing/about.ts';
import { isLeftBeside, publishOutput, reservePartial, type OutputPath } from '../files/output-file.ts';
import { openPageThread } from '../page-thread.ts';

/** A part of the records to write. */
interface Page {
  /** JSON of an array of records in UTF-8; its memory moves to the thread that writes. */
  readonly records: Uint8Array<ArrayBuffer>;
  readonly count: number;
}

export interface FileOfPages {
  readonly output: OutputPath;
  /** A folder of its own for what the writer needs meanwhile; removed. */
  readonly workFolder: string;
  readonly options: ExportOptions;
  readonly about: Omit<About, 'started' | 'timeZone'>;
}

/**
 * Writes records to a file, in a format of exports. Only a complete file whose name was taken is left if it fails.
 * @throws AppError `file_exists`, `file_unwritable`, `disk_full`, `cancelled`, and errors of the pages
 */
export async function writePages(
  pages: AsyncIterable<Page>,
  { output, workFolder, options, about }: FileOfPages,
  signal: AbortSignal | undefined,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const { format, csv, layout, columnNames, timeZone = null } = exportOptions.parse(options);
  const { path } = output;
  const partial = await reservePartial(path);
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const { calls, close } = openPageThread<ExportCalls>('export');
  try {
    const spec = {
      folder: workFolder,
      partial,
      name: basename(path),
      format,
      csv,
      layout,
      columnNames,
      about: { ...about, started: new Date().toISOString(), timeZone: timeZone ?? 'UTC' },
      fields: [],
      omittedFields: [],
      timeZone,
      wellNames: null,
      rule: null,
    };
    await calls.open({ spec, from: null });
    let rows = 0;
    for await (const { records, count } of pages) {
      const origin = { overlaps: false, endsBelow: 0 };
      await calls.write(
        { at: { at: 'whole' }, content: records, origin },
        { transfer: transferable(records) },
      );
      rows += count;
    }
    const { bytes } = await lastStep(() => calls.finishMore(), 'sha256', signal);
    await calls.close();
    await publishOutput(partial, output);
    return { rows, bytes };
  } catch (error) {
    if (!isLeftBeside(error)) await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    close();
    await removeSpools(workFolder);
    await rm(workFolder, { recursive: true, force: true }).catch(() => undefined);
  }
}
