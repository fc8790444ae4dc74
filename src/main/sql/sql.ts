import { randomBytes } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import type { calls } from '../../shared/contract/contract.ts';
import type { FindTarget, RecordPage, ServiceRequest } from '../../shared/query/query.ts';
import type { ColumnFacts } from '../export/writing/about.ts';
import type { Files } from '../files/files.ts';
import { plainName } from '../files/plain-name.ts';
import type { CallContext, ModuleHandlers } from '../handlers.ts';
import type { StartProcess } from '../processes/start-process.ts';
import type { Conversions } from '../upload/conversion/conversions.ts';
import { openSqlEngine } from './sql-engine.ts';
import { createSqlTables, tableNameOf } from './tables.ts';
import { writePages } from './write-pages.ts';

interface SqlDependencies {
  readonly dataFolder: string;
  /** Version of the application. */
  readonly version: string;
  readonly files: Pick<Files, 'source' | 'folder' | 'target' | 'endTarget' | 'grantSource'>;
  readonly conversions: Conversions;
  /** Reads the answer of a query. */
  readonly read: (request: ServiceRequest, context: CallContext) => Promise<RecordPage>;
  /** Units and descriptions of a dataset's fields; empty where they aren't known. */
  readonly columnFacts: (target: FindTarget, signal: AbortSignal | undefined) => Promise<ColumnFacts>;
  readonly startProcess?: StartProcess | undefined;
}

/** Rows of a page: enough to keep a writer busy, few enough to keep memory flat. */
const pageRows = 5000;

const newName = (): string => randomBytes(6).toString('hex');

/** The default of the memory limit: a quarter of the computer's memory. */
const defaultMemoryMb = (): number => Math.max(256, Math.floor(totalmem() / 4 / 2 ** 20));

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Removes the folders of processes that have ended. Never fails. */
async function removeOldFolders(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => []))
    if (!isRunning(Number.parseInt(name, 10)))
      await rm(join(folder, name), { recursive: true, force: true }).catch(() => undefined);
}

async function* one<T>(value: T): AsyncGenerator<T> {
  yield value;
}

/** SQL over files, folders of Parquet files, and answers, in an engine of its own. */
export function createSql({
  dataFolder,
  version,
  files,
  conversions,
  read,
  columnFacts,
  startProcess,
}: SqlDependencies): {
  readonly handlers: ModuleHandlers<(typeof calls)['sql']>;
  close(): Promise<void>;
} {
  const all = join(dataFolder, 'sql');
  const folder = join(all, `${process.pid}-${newName()}`);
  const engine = openSqlEngine({
    spillFolder: join(folder, 'spill'),
    memoryMb: async () => defaultMemoryMb(),
    start: startProcess,
  });
  const tables = createSqlTables({ folder, engine, conversions });
  let cleaned: Promise<void> | null = null;
  const cleanOnce = (): Promise<void> => (cleaned ??= removeOldFolders(all));
  return {
    handlers: {
      tables: async () => tables.list(),
      async addFile({ source, name, reading }, { signal }) {
        await cleanOnce();
        return tables.addFile(files.source(source), { name, reading }, signal);
      },
      async addFolder({ folder: token, name }) {
        await cleanOnce();
        return tables.addFolder(files.folder(token).path, name);
      },
      async addAnswer({ request, label, name = tableNameOf(label) }, { signal, window }) {
        await cleanOnce();
        const { provider, dataset } = request.request;
        const [page, columns] = await Promise.all([
          read(request, { signal, window }),
          columnFacts(request.request, signal),
        ]);
        const path = join(folder, `${newName()}.parquet`);
        const about = { version, dataUrl: '', dataset: `${provider}/${dataset}`, request: '', columns };
        const options = { format: 'parquet' } as const;
        await writePages(one(page), { path, workFolder: join(folder, newName()), options, about }, signal);
        return tables.addAnswer({ label, name, path });
      },
      async removeTable({ name }) {
        await tables.remove(name);
        return {};
      },
      async run({ sql, limit }, { signal }) {
        const startedAt = performance.now();
        for await (const { records, count, isLast, columns } of engine.run(sql, limit, signal))
          return {
            columns: [...columns],
            records,
            count,
            total: isLast ? count : null,
            hasMore: !isLast,
            ms: Math.round(performance.now() - startedAt),
          };
        throw new Error('a statement has at least one page');
      },
      async save({ sql, target, ...options }, { signal }) {
        const place = files.target(target);
        const isDownload = place.place === 'job';
        const path = isDownload ? join(folder, newName(), plainName(place.name)) : place.path;
        const about = { version, dataUrl: '', dataset: '', request: sql, columns: {} };
        const pages = engine.run(sql, pageRows, signal);
        const saved = await writePages(
          pages,
          { path, workFolder: join(folder, newName()), options, about },
          signal,
        );
        files.endTarget(target);
        const file = isDownload ? await files.grantSource({ place: 'path', path, name: place.name }) : null;
        return { ...saved, file };
      },
    },
    async close() {
      engine.close();
      await tables.clear();
    },
  };
}
