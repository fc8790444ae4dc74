import { mkdir, rm } from 'node:fs/promises';
import { basename } from 'node:path';
import { depthPath } from '../../../shared/datasets/shapes.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { exportOptions, type ExportOptions } from '../../../shared/export/export.ts';
import type { ExportCalls } from '../../core/write/export-worker.ts';
import { recordTimes } from '../../core/records/zone.ts';
import { lastStep } from '../../core/read/make-file.ts';
import { removeSpools } from '../../core/write/places.ts';
import { transferable } from '../../core/read/read-records.ts';
import { writeTable } from '../../core/write/parquet/write-table.ts';
import type { About } from '../../core/records/about.ts';
import { noMarks } from '../../core/write/sink.ts';
import type { ProgressMarks, WriterSpec } from '../../core/write/spec.ts';
import type { StartTableEngine } from '../../core/duckdb/table-engine.ts';
import {
  isLeftBeside,
  publishOutput,
  reservePartial,
  type OutputPath,
} from '../../core/files/output-file.ts';
import { openPageThread } from '../../core/processes/page-thread.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { sqlTimeKind, type SqlColumn } from '../../../shared/sql/sql.ts';

/** A part of the records to write, with the columns of a table; without columns, those of the records. */
interface Page {
  readonly columns?: readonly SqlColumn[];
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
  /** Starts the engine of tables, for Parquet. */
  readonly startTables: StartTableEngine;
}

/** The columns of a table in their order, and which of them are times. */
function tableOf(columns: readonly SqlColumn[] | undefined): Pick<WriterSpec, 'fields' | 'timeColumns'> {
  if (!columns) return { fields: [], timeColumns: recordTimes };
  const times = columns.flatMap(({ name, type }) => {
    const kind = sqlTimeKind(type);
    return kind ? [[pathId([name]), kind] as const] : [];
  });
  return { fields: columns.map(({ name }) => pathId([name])), timeColumns: new Map(times) };
}

/**
 * Writes records to a file, in a format of exports. Only a complete file whose name was taken is left if it fails.
 * @throws AppError `invalid_input` if a LAS file would have no depths, `file_exists`, `file_unwritable`, `disk_full`, `cancelled`, and errors of the pages
 */
export async function writePages(
  pages: AsyncIterable<Page>,
  { output, workFolder, options, about, startTables }: FileOfPages,
  signal: AbortSignal | undefined,
): Promise<{ readonly rows: number; readonly bytes: number }> {
  const { format, csv, layout, columnNames, nullValues, timeZone = null } = exportOptions.parse(options);
  const { path } = output;
  const partial = await reservePartial(path);
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const { calls, close } = openPageThread<ExportCalls>('export');
  const engine = format === 'parquet' ? startTables(signal) : null;
  try {
    await engine?.load();
    const spec = {
      folder: workFolder,
      partial,
      name: basename(path),
      format,
      csv,
      layout,
      nullValues,
      about: { ...about, started: new Date().toISOString(), timeZone: timeZone ?? 'UTC' },
      omittedFields: [],
      timeZone,
      wellNames: null,
      rule: null,
    };
    let rows = 0;
    let fields: readonly string[] = [];
    let spooled: ProgressMarks = { rows: 0, ids: 0, marks: noMarks };
    let isOpen = false;
    for await (const { records, count, columns } of pages) {
      if (format === 'las' && columns && !columns.some(({ name }) => name === depthPath))
        throw invalidInput(
          `A LAS file needs a column of depths called ${depthPath}. Name one so, for example with depth AS ${depthPath}.`,
          { field: 'sql' },
        );
      if (!isOpen) {
        const table = tableOf(columns);
        ({ fields } = table);
        await calls.open({ spec: { ...spec, ...table }, from: null });
      }
      isOpen = true;
      const origin = { overlaps: false, endsBelow: 0 };
      const page = await calls.write(
        { at: { at: 'whole' }, content: records, origin },
        { transfer: transferable(records) },
      );
      if ('checkpoint' in page) spooled = page.checkpoint;
      rows += count;
    }
    const finished = engine ? null : await lastStep(() => calls.finishMore(), 'sha256', signal);
    await calls.close();
    const { about: described, name } = spec;
    const file = { fields, names: columnNames, about: described, folder: workFolder, partial, name, spooled };
    const { bytes } = engine ? await writeTable(engine, file) : { bytes: finished?.bytes ?? 0 };
    await publishOutput(partial, output);
    return { rows, bytes };
  } catch (error) {
    if (!isLeftBeside(error)) await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    close();
    await engine?.close();
    await removeSpools(workFolder);
    await rm(workFolder, { recursive: true, force: true }).catch(() => undefined);
  }
}
