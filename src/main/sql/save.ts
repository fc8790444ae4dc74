import { mkdir, rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ExportOptions } from '../../shared/export/export.ts';
import { exportOptions } from '../../shared/export/export.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { nodePort, openThread } from '../../shared/threads.ts';
import type { ExportCalls } from '../export/export-worker.ts';
import { publish, removeSpools, reservePartial } from '../export/places.ts';
import { workerUrl } from '../workers.ts';
import type { SqlEngine } from './sql-engine.ts';

/** Rows of a page: enough to keep the writer busy, few enough to keep memory flat. */
const pageRows = 5000;

/**
 * Writes all rows of a statement to a new file, in a format of exports.
 * @param path must not exist
 * @param workFolder for what the writer needs meanwhile
 * @throws AppError `invalid_input` with line and column, `file_exists`, `file_unwritable`, `disk_full`, `sql_unavailable`, `cancelled`
 */
export async function saveRows(
  engine: Pick<SqlEngine, 'run'>,
  { sql, path, workFolder, options, version }: SaveRequest,
  signal: AbortSignal | undefined,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const { format, csv, layout, columnNames, timeZone = null } = exportOptions.parse(options);
  await mkdir(dirname(path), { recursive: true });
  const partial = await reservePartial(path);
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const { calls, close } = openThread<ExportCalls>(() => nodePort(new Worker(workerUrl('export'))));
  try {
    const spec = {
      folder: workFolder,
      partial,
      name: basename(path),
      format,
      csv,
      layout,
      columnNames,
      about: { version, dataUrl: '', dataset: '', request: sql, timeZone: timeZone ?? 'UTC', columns: {} },
      fields: [],
      omittedFields: [],
      timeZone,
      wellNames: null,
      rule: null,
    };
    await calls.open({ spec, from: null });
    let rows = 0;
    for await (const { records, count } of engine.run(sql, pageRows, signal)) {
      const origin = { overlaps: false, endsBelow: 0 };
      await calls.write({ at: { at: 'whole' }, content: records, origin }, { transfer: [records.buffer] });
      rows += count;
    }
    for (;;) {
      if (signal?.aborted) throw new AppError('cancelled', {});
      const step = await calls.finishMore();
      if (!('sha256' in step)) continue;
      await calls.close();
      await publish(partial, path);
      return { rows, bytes: step.bytes };
    }
  } catch (error) {
    await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    close();
    await removeSpools(workFolder);
    await rm(workFolder, { recursive: true, force: true }).catch(() => undefined);
  }
}

interface SaveRequest {
  readonly sql: string;
  readonly path: string;
  readonly workFolder: string;
  readonly options: ExportOptions;
  /** Version of the application. */
  readonly version: string;
}
