import { join } from 'node:path';
import { AppError } from '../../../shared/errors/errors.ts';
import type { ExportResult } from '../../../shared/export/export.ts';
import { stringifyJson } from '../../../shared/json.ts';
import { writeError } from '../../core/files/file-errors.ts';
import { createFolder } from '../../core/files/flush.ts';
import { canBeWindowed } from '../../core/requests.ts';
import { readAll, type Survey } from '../../core/reading/reading.ts';
import {
  lockFolder,
  RecordWriter,
  removeSpools,
  TableRun,
  type Finished,
  type Folder,
  type FolderPlan,
  type Reread,
  type TableState,
  type WrittenRecords,
} from '../../core/write/write.ts';
import { createSpec, partialName } from './export-plan.ts';
import { compareCounts } from './manifest.ts';
import {
  entryEvent,
  progressEvent,
  writeRecords,
  type ExportEvent,
  type ExportRun,
} from './write-records.ts';
import { rm } from '../../world/files.ts';

type FolderEvents = AsyncGenerator<ExportEvent, ExportResult>;

/**
 * Writes a table of Delta, or what is new in one, and compares a mirror with the service. The records are spooled in the
 * job's folder, so that a resumed run continues there; its files become those of the table at the end.
 * @throws AppError of the services and of the writer; `invalid_input`, `file_unreadable`, `file_unwritable`
 */
export async function* runFolder(run: ExportRun, plan: FolderPlan): FolderEvents {
  const { job, earlier } = run;
  const { target } = job.plan;
  if (target.place !== 'path') throw new AppError('internal', { problem: 'a folder needs a path' });
  const { path } = target;
  const partial = join(job.folder, partialName);
  const lock = await lockFolder(path);
  try {
    if (earlier.partial === null) yield entryEvent({ kind: 'began', at: earlier.startedAt, partial }, false);
    const result = yield* runTable(run, { ...plan, path, job: job.id }, partial);
    await removeSpools(job.folder);
    await rm(partial, { force: true }).catch(() => undefined);
    yield progressEvent({ rows: result.rows, bytes: result.bytes });
    return result;
  } finally {
    lock.release();
  }
}

/** Updates a table, and compares a mirror with the service. */
async function* runTable(run: ExportRun, folder: Folder, partial: string): FolderEvents {
  const { job, services, signal, startTables } = run;
  const { plan } = job;
  const readAgain = (reread: Reread, table: TableState) => replace(reread, run, folder, table);
  const place = { startTables, signal, folder: join(job.folder, 'log') };
  const table = await TableRun.open(folder, plan.fileName, place);
  if (plan.details && plan.details.units !== 'stored') table.checkUnits(plan.columns, plan.unitChanges);
  yield* table.readLost(readAgain);
  const target = { ...folder, table: table.current, replaced: null };
  const written = yield* writeRecords(run, { partial, folder: target });
  const comparison = await compareCounts(services.data, plan, written, signal);
  table.wrote(tableOf(written.file));
  const { address } = plan;
  // The comparison of counts was before the differences were read again.
  const isVerified =
    folder.verifies && (yield* table.verify({ data: services.data, address, signal, readAgain }));
  const { lastCommit, ...end } = await table.finish(plan.version, isVerified ? [] : comparison.warnings);
  yield { kind: 'artifact', artifact: { kind: 'manifest', path: lastCommit } };
  const expected = comparison.expected === null ? null : end.rows + comparison.expected - written.rows;
  return { ...end, expected: isVerified ? end.rows : expected };
}

function tableOf(finished: Finished): Finished & { readonly table: TableState } {
  const { table } = finished;
  if (!table) throw new AppError('internal', { problem: 'a folder is a table' });
  return { ...finished, table };
}

/**
 * Reads partitions as a whole, and replaces what a table has of them.
 * @returns the table after it, and what was written
 * @throws AppError of the data service and of the writer; `cancelled`
 */
async function* replace(
  { queries, partitions }: Reread,
  { job, services, signal, startTables }: ExportRun,
  target: Folder,
  table: TableState,
): AsyncGenerator<ExportEvent, Finished & { readonly table: TableState }> {
  const { plan } = job;
  const { windows, format, columnNames } = plan;
  const folder = join(job.folder, 'reread');
  await rm(folder, { recursive: true, force: true });
  await createFolder(folder).catch((error: unknown) => {
    throw writeError(error, plan.fileName, 0);
  });
  const folderTarget = { ...target, replaces: false, cutMs: null, table, replaced: partitions };
  const specOf = (rule: Survey['rule']) =>
    createSpec({ plan, folder }, join(folder, partialName), { rule, started: null });
  const writer = new RecordWriter({ format, startTables, signal, columnNames, folder: folderTarget });
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
      const events = readAll({
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
    return tableOf(await writer.finish({ marks }));
  } finally {
    await writer.close();
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
