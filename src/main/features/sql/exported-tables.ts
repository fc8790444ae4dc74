import { onAbort } from '../../../shared/abort.ts';
import { basename, join } from 'node:path';
import type { calls } from '../../../shared/contract/contract.ts';
import { AppError, fromBody, invalidInput } from '../../../shared/errors/errors.ts';
import { exportRequest } from '../../../shared/export/export.ts';
import type { FindRequest } from '../../../shared/query/query.ts';
import type { SqlTable } from '../../../shared/sql/sql.ts';
import { manifestOf } from '../../core/write/spec.ts';
import { targetAt, type Files } from '../../core/files/files.ts';
import type { Handler } from '../../core/handlers.ts';
import type { JobRunner } from '../../core/jobs/jobs.ts';
import type { SqlTables } from './tables.ts';
import { mkdir, readdir, rm, writeFile } from '../../world/files.ts';
import { randomBytes } from '../../world/random.ts';

/** The ending of the empty file that a process's folder has for each of its exports, named by the job. */
const jobEnding = '.job';

/** Discards the exports of a process, which would have nobody to write for. Never fails. */
export async function discardExports(
  folder: string,
  discard: (job: string) => Promise<unknown>,
): Promise<void> {
  for (const file of await readdir(folder).catch(() => []))
    if (file.endsWith(jobEnding)) await discard(basename(file, jobEnding)).catch(() => undefined);
}

interface ExportedTablesDependencies {
  readonly folder: string;
  readonly files: Pick<Files, 'grantTarget'>;
  readonly start: Handler<(typeof calls)['export']['start']>;
  readonly runner: Pick<JobRunner, 'waitUntilStopped' | 'cancel' | 'discard'>;
  readonly addAnswer: SqlTables['addAnswer'];
}

interface QueryTable {
  readonly find: Pick<FindRequest, 'connection' | 'provider' | 'dataset' | 'query'> &
    Partial<Pick<FindRequest, 'sort' | 'fields'>>;
  readonly name: string;
  readonly label: string;
  /** Whether it replaces the table of that name; otherwise it gets a number. */
  readonly replaces: boolean;
}

/** Tables with all records of a query, which an export writes as a job. */
export function createExportedTables({
  folder,
  files,
  start,
  runner,
  addAnswer,
}: ExportedTablesDependencies) {
  /** The tables of jobs that were started, by job. */
  const tables = new Map<string, Promise<SqlTable>>();

  async function tableOf(job: string, path: string, { find, ...table }: QueryTable): Promise<SqlTable> {
    const jobFile = join(folder, `${job}${jobEnding}`);
    try {
      await writeFile(jobFile, '');
      const { state, error } = await runner.waitUntilStopped(job);
      if (state !== 'done') throw error ? fromBody(error) : new AppError('cancelled', {});
      return await addAnswer({ ...table, path, target: find });
    } catch (error) {
      await rm(path, { force: true }).catch(() => undefined);
      throw error;
    } finally {
      await runner.discard(job).catch(() => undefined);
      for (const left of [manifestOf(path), jobFile]) await rm(left, { force: true }).catch(() => undefined);
    }
  }

  return {
    /**
     * Starts the export of a query. The table is added when it is done, also if nobody waits for it.
     * @throws AppError of the export's start
     */
    async start(table: QueryTable, signal: AbortSignal | undefined): Promise<{ job: string }> {
      const { connection, provider, dataset, query, sort, fields } = table.find;
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const path = join(folder, `${randomBytes(6).toString('hex')}.parquet`);
      const { token: target } = files.grantTarget({ ...targetAt(path), name: `${table.name}.parquet` });
      const all = { connection, provider, dataset, query, sort, fields, format: 'parquet', target };
      const { job } = await start(exportRequest.parse(all), { signal });
      const added = tableOf(job, path, table);
      added.catch(() => undefined);
      tables.set(job, added);
      return { job };
    },

    /**
     * The table of an export, when it has all its records.
     * @param signal cancels the export
     * @throws AppError `cancelled`, errors of the export, `sql_unavailable`
     */
    async table(job: string, signal: AbortSignal | undefined): Promise<SqlTable> {
      const added = tables.get(job);
      if (!added) throw invalidInput('This table was canceled when the application ended. Add it again.');
      const stop = onAbort(signal, () => void runner.cancel(job).catch(() => undefined));
      try {
        return await added;
      } finally {
        stop();
        tables.delete(job);
      }
    },
  };
}
