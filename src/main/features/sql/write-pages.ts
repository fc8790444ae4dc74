import { basename } from 'node:path';
import { depthPath } from '../../../shared/datasets/shapes.ts';
import { invalidInput } from '../../../shared/errors/errors.ts';
import { exportOptions, type ExportOptions } from '../../../shared/export/export.ts';
import { recordTimes } from '../../core/records/zone.ts';
import { RecordWriter, removeSpools } from '../../core/write/record-writer.ts';
import { transferable } from '../../core/processes/page-thread.ts';
import type { About } from '../../core/records/about.ts';
import type { ProgressMarks, WriterSpec } from '../../core/write/spec.ts';
import type { StartTableEngine } from '../../core/duckdb/table-engine.ts';
import {
  isLeftBeside,
  publishOutput,
  reservePartial,
  type OutputPath,
} from '../../core/files/output-file.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { sqlTimeKind, type SqlColumn } from '../../../shared/sql/sql.ts';
import { mkdir, rm } from '../../world/files.ts';
import { wallMs } from '../../world/time.ts';

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
  const writer = new RecordWriter({ format, startTables, signal });
  try {
    const spec = {
      folder: workFolder,
      partial,
      name: basename(path),
      format,
      csv,
      layout,
      nullValues,
      about: { ...about, started: new Date(wallMs()).toISOString(), timeZone: timeZone ?? 'UTC' },
      omittedFields: [],
      timeZone,
      wellNames: null,
      rule: null,
    };
    let rows = 0;
    let marks: ProgressMarks | null = null;
    let isOpen = false;
    for await (const { records, count, columns } of pages) {
      if (format === 'las' && columns && !columns.some(({ name }) => name === depthPath))
        throw invalidInput(
          `A LAS file needs a column of depths called ${depthPath}. Name one so, for example with depth AS ${depthPath}.`,
          { field: 'sql' },
        );
      if (!isOpen) await writer.open({ ...spec, ...tableOf(columns) }, null);
      isOpen = true;
      const page = {
        at: { at: 'whole' },
        content: records,
        origin: { overlaps: false, endsBelow: 0 },
      } as const;
      await writer.read(page, { transfer: transferable(records) });
      marks = await writer.write();
      rows += count;
    }
    const { bytes } = await writer.finish({ names: columnNames }, { marks });
    await publishOutput(partial, output);
    return { rows, bytes };
  } catch (error) {
    if (!isLeftBeside(error)) await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await writer.close();
    await removeSpools(workFolder);
    await rm(workFolder, { recursive: true, force: true }).catch(() => undefined);
  }
}
