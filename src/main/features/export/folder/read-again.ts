import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../../shared/errors/errors.ts';
import { stringifyJson } from '../../../../shared/json.ts';
import { writeError } from '../../../core/files/file-errors.ts';
import { canBeWindowed } from '../../../core/paging/request.ts';
import type { WindowRule } from '../../../core/paging/rule.ts';
import { readRecords } from '../../../core/read/read-records.ts';
import type { Reread } from '../../../core/write/census/differences.ts';
import type { FolderTarget } from '../../../core/write/folder/folder-target.ts';
import type { TableState } from '../../../core/write/folder/table-state.ts';
import { RecordWriter } from '../../../core/write/record-writer.ts';
import { createSpec, partialName } from '../plan.ts';
import type { WrittenRecords } from '../../../core/write/spec.ts';
import { progressEvent, type ExportEvent, type ExportRun } from '../write-records.ts';

/**
 * Reads partitions as a whole, and replaces what a table has of them.
 * @returns the table after it
 * @throws AppError of the data service and of the writer; `cancelled`
 */
export async function* readAgain(
  { queries, partitions }: Reread,
  { job, services, signal, startTables }: ExportRun,
  target: Omit<FolderTarget, 'replaced'>,
): AsyncGenerator<ExportEvent, TableState> {
  const { plan } = job;
  const { windows, format, columnNames: names } = plan;
  const folder = join(job.folder, 'reread');
  await emptyFolder(folder);
  const folderTarget = { ...target, replaced: partitions };
  const specOf = (rule: WindowRule | null) =>
    createSpec({ plan, folder, folderTarget }, join(folder, partialName), { rule, started: null });
  const writer = new RecordWriter({ format, startTables, signal });
  /** The records of the queries so far. */
  let marks: WrittenRecords | null = null;
  try {
    if (queries.length === 0) await writer.open(specOf(null), null);
    for (const query of queries) {
      const earlier: WrittenRecords | null = marks && { ...marks, ids: 0 };
      const request = {
        ...plan,
        query: stringifyJson(query),
        windows: windows && canBeWindowed(query, windows.field) ? windows : null,
      };
      const events = readRecords({
        data: services.data,
        request,
        signal,
        read: writer.read,
        endsAtCount: true,
      });
      for await (const event of events) {
        if (event.kind === 'start') await writer.open(specOf(event.rule), earlier);
        if (event.kind !== 'page') continue;
        marks = await writer.write();
        yield progressEvent({ rows: marks.rows });
      }
    }
    const { table } = await writer.finish({ names, folder: folderTarget }, { marks });
    if (!table) throw new AppError('internal', { problem: 'a mirror is a table' });
    return table;
  } finally {
    await writer.close();
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

/**
 * Creates an empty folder for the temporary files of a read.
 * @throws AppError `disk_full`, `file_unwritable`
 */
async function emptyFolder(folder: string): Promise<void> {
  try {
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw writeError(error, folder, 0);
  }
}
