import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stringifyJson } from '../../../../shared/json.ts';
import { canBeWindowed } from '../../../core/paging/request.ts';
import { openPageThread } from '../../../core/processes/page-thread.ts';
import type { Reread } from '../../../core/write/census/differences.ts';
import type { ExportCalls } from '../../../core/write/export-worker.ts';
import { type ExportFileOptions, finishTable } from '../../../core/read/make-file.ts';
import { createSpec } from '../../../core/write/spec-of-plan.ts';
import { readRecords, transferable } from '../../../core/read/read-records.ts';
import type { Checkpoint } from '../../../core/write/spec.ts';
import type { FolderTarget } from '../../../core/write/folder/folder-target.ts';
import { manifestName } from '../../../core/write/folder/manifest.ts';
import { emptyFolder } from './verify-folder.ts';

interface RereadOptions extends Pick<
  ExportFileOptions,
  'job' | 'data' | 'signal' | 'report' | 'startTables'
> {
  readonly target: Omit<FolderTarget, 'replaced'>;
}

/**
 * Reads partitions as a whole, and writes them to the staging folder.
 * @returns the number of records that were read
 * @throws AppError of the data service and of the writer; `cancelled`
 */
export async function stagePartitions(
  { queries, partitions }: Reread,
  { job, data, signal, report, startTables, target }: RereadOptions,
): Promise<number> {
  const { plan } = job;
  const folder = join(job.folder, 'reread');
  await emptyFolder(folder);
  const thread = openPageThread<ExportCalls>('export');
  const { calls } = thread;
  const engine = startTables(signal);
  const partial = join(folder, manifestName);
  const options = {
    job: { ...job, folder },
    folderTarget: { ...target, replaced: partitions },
    partial: async () => partial,
  };
  /** The records of the queries before this one. */
  let from: Checkpoint | null = null;
  try {
    const openWriter = (rule: Parameters<typeof createSpec>[2]['rule'], start: Checkpoint | null) =>
      calls.open({
        spec: createSpec({ ...options.job, folderTarget: options.folderTarget }, partial, {
          rule,
          started: null,
        }),
        from: start,
      });
    if (queries.length === 0) await openWriter(null, null);
    for (const query of queries) {
      const start: Checkpoint | null = from && { ...from, ids: 0 };
      const { windows } = plan;
      const request = {
        ...plan,
        query: stringifyJson(query),
        windows: windows && canBeWindowed(query, windows.field) ? windows : null,
      };
      const pages = readRecords({
        data,
        request,
        signal,
        async open(rule) {
          await openWriter(rule, start);
          return (at, content, origin) =>
            calls.write({ at, content, origin }, { transfer: transferable(content) });
        },
        onCount: () => undefined,
        endsAtCount: true,
      });
      for await (const page of pages) {
        if ('fallbackReason' in page) continue;
        from = page.checkpoint;
        report({ rows: from.rows });
      }
    }
    await calls.flush();
    await calls.close();
    thread.close();
    await finishTable(options, engine, { started: null, slices: [], slicedBytes: 0, marks: from });
    return from?.rows ?? 0;
  } finally {
    await calls.close().catch(() => undefined);
    thread.close();
    await engine.close();
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
