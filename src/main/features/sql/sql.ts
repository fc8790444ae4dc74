import { join } from 'node:path';
import { isRunning } from '../../core/processes/is-running.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import type { ColumnNames } from '../../../shared/export/export.ts';
import type { DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { FindTarget, RecordPage, ServiceRequest } from '../../../shared/query/query.ts';
import type { About, ColumnFacts } from '../../core/records/about.ts';
import type { Files } from '../../core/files/files.ts';
import { checkOutput, copyToOutput, type OutputPath } from '../../core/files/output-file.ts';
import { plainName } from '../../core/files/plain-name.ts';
import { checkIsNoInput } from '../../core/files/same-file.ts';
import type { CallContext, Handler, ModuleHandlers } from '../../core/handlers.ts';
import type { JobRunner } from '../../core/jobs/jobs.ts';
import type { Conversions } from '../../core/tables/conversion/conversions.ts';
import { filePage, numbersPage, windowPage } from '../../core/duckdb/row-limits.ts';
import { enginesFolder, type OpenedEngines } from '../../core/duckdb/open-engine.ts';
import { createExportedTables, discardExports } from './exported-tables.ts';
import { datasetTableName } from '../../../shared/sql/table-name.ts';
import { addressOf, createSqlTables } from './tables.ts';
import { writePages } from './write-pages.ts';
import { mkdir, readdir, rm, stat } from '../../world/files.ts';
import { elapsedMs, wallMs } from '../../world/time.ts';
import { randomBytes } from '../../world/random.ts';

interface SqlDependencies extends Omit<OpenedEngines, 'reserve'> {
  readonly dataFolder: string;
  readonly version: string;
  readonly files: Pick<Files, 'source' | 'folder' | 'target' | 'endTarget' | 'grantSource' | 'grantTarget'>;
  readonly conversions: Conversions;
  /** Reads the answer of a query. */
  readonly read: (request: ServiceRequest, context: CallContext) => Promise<RecordPage>;
  /** Units and descriptions of a dataset's fields; empty where they aren't known. */
  readonly columnFacts: (target: FindTarget, signal: AbortSignal | undefined) => Promise<ColumnFacts>;
  /** The units of a dataset's fields that the user set or an upload stored. */
  readonly fieldUnits: (of: DatasetAddress) => Promise<Readonly<Record<string, string>>>;
  readonly count: Handler<(typeof calls)['query']['count']>;
  readonly start: Handler<(typeof calls)['export']['start']>;
  readonly runner: Pick<JobRunner, 'waitUntilStopped' | 'cancel' | 'discard'>;
}

interface ParquetSave {
  readonly sql: string;
  readonly output: OutputPath;
  readonly names: ColumnNames;
  readonly about: Omit<About, 'started' | 'timeZone'>;
}

const newName = (): string => randomBytes(6).toString('hex');

type Discard = (job: string) => Promise<unknown>;

/** Removes the folders of processes that have ended, and their exports. Never fails. */
async function removeOldFolders(all: string, discard: Discard): Promise<void> {
  for (const name of await readdir(all).catch(() => [])) {
    if (isRunning(Number.parseInt(name, 10))) continue;
    await discardExports(join(all, name), discard);
    await rm(join(all, name), { recursive: true, force: true }).catch(() => undefined);
  }
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
  fieldUnits,
  count,
  start,
  runner,
  engine,
  readCheckpoint,
  folder,
  startTables,
}: SqlDependencies): {
  readonly handlers: ModuleHandlers<(typeof calls)['sql']>;
  close(): Promise<void>;
} {
  const tables = createSqlTables({ folder, engine, conversions, readCheckpoint });
  const { addAnswer } = tables;
  const exported = createExportedTables({ folder, files, start, runner, addAnswer });
  // At the start: an export that a crash stopped would have nobody to write for.
  const cleaned = removeOldFolders(enginesFolder(dataFolder), runner.discard);

  const partOf = (sql: string) => {
    const part = tables.computedFrom(sql);
    return part === undefined ? {} : { computedFrom: part };
  };

  /** The units of the settings that the tables of a dataset have, by its address. */
  const appliedUnits = new Map<string, string>();

  /** The units of the columns of a dataset's records, as they are now. */
  async function unitsNow(target: FindTarget, signal: AbortSignal | undefined) {
    appliedUnits.set(addressOf(target), JSON.stringify(await fieldUnits(target)));
    const columns = await columnFacts(target, signal);
    const units = Object.entries(columns).flatMap(([path, { unit }]) =>
      unit === undefined ? [] : [[path, unit]],
    );
    return { columns, units: Object.fromEntries(units) };
  }

  /** Gives tables the units that the user or an upload has set since they were added. */
  async function refreshUnits(signal: AbortSignal | undefined): Promise<void> {
    for (const target of tables.targets()) {
      const key = addressOf(target);
      const before = appliedUnits.get(key);
      if (before === JSON.stringify(await fieldUnits(target))) continue;
      const { columns, units } = await unitsNow(target, signal);
      // Without a link, or if a file is gone, the units stay as they are.
      if (Object.keys(columns).length > 0) await tables.setUnits(target, units).catch(() => undefined);
      else if (before !== undefined) appliedUnits.set(key, before);
    }
  }

  /** A file of this process that the page downloads. */
  async function downloadOf(name: string): Promise<OutputPath> {
    const downloadFolder = join(folder, newName());
    await mkdir(downloadFolder, { recursive: true, mode: 0o700 });
    return { path: join(downloadFolder, plainName(name)), replaces: false };
  }

  /** Saves the rows of a statement as Parquet, as the engine writes them. */
  async function saveParquet(
    { sql, output, names, about }: ParquetSave,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly rows: number; readonly bytes: number }> {
    const { outFolder } = engine;
    await mkdir(outFolder, { recursive: true, mode: 0o700 });
    const file = join(outFolder, `${newName()}.parquet`);
    const started = new Date(wallMs()).toISOString();
    try {
      const copy = { file, names, about: { ...about, started, timeZone: 'UTC' } };
      const rows = await engine.copy(sql, copy, signal);
      await copyToOutput(file, output);
      return { rows, bytes: (await stat(file)).size };
    } finally {
      await rm(file, { force: true }).catch(() => undefined);
    }
  }

  return {
    handlers: {
      async tables(_input, { signal }) {
        await refreshUnits(signal);
        return tables.list();
      },
      async addFile({ source, ...options }, { signal }) {
        await cleaned;
        return tables.addFile(files.source(source), options, signal);
      },
      async addFolder({ folder: token, ...options }) {
        await cleaned;
        return tables.addFolder(files.folder(token).path, options);
      },
      async addAnswer({ request, label, name = datasetTableName(label) }, { signal, window }) {
        await cleaned;
        const { provider, dataset } = request.request;
        const find = request.kind === 'find' ? request.request : null;
        const [page, { columns, units }, total] = await Promise.all([
          read(request, { signal, window }),
          unitsNow(request.request, signal),
          // A table without this number is still a table.
          find &&
            count(find, { signal }).then(
              ({ count: all }) => all,
              () => null,
            ),
        ]);
        const part = find && total !== null && total > page.count ? { find, total } : undefined;
        const path = join(folder, `${newName()}.parquet`);
        const about = { version, dataUrl: '', dataset: `${provider}/${dataset}`, request: '', columns };
        const options = { format: 'parquet' } as const;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const output = { path, replaces: false };
        const workFolder = join(folder, newName());
        await writePages(one(page), { output, workFolder, options, about, startTables }, signal);
        return tables.addAnswer({ label, name, path, partOf: part, target: request.request, units });
      },
      async readDataset({ name, label, ...find }, { signal }) {
        await cleaned;
        return exported.start(
          { find, label, name: name ?? datasetTableName(find.dataset), replaces: false },
          signal,
        );
      },
      async loadAll({ name }, { signal }) {
        const { find, label } = tables.partOf(name);
        return exported.start({ find, label, name, replaces: true }, signal);
      },
      exportedTable: async ({ job }, { signal }) => exported.table(job, signal),
      keepNulls: async ({ name, keepsNulls }) => tables.keepNulls(name, keepsNulls),
      async removeTable({ name }) {
        await tables.remove(name);
        return {};
      },
      async run({ sql, limit }, { signal }) {
        const startedAt = elapsedMs();
        for await (const { records, count, cut, isLast, columns } of engine.run(
          sql,
          windowPage(limit),
          signal,
        ))
          return {
            columns: [...columns],
            records,
            count,
            cut,
            total: isLast ? count : null,
            hasMore: !isLast,
            ms: Math.round(elapsedMs() - startedAt),
            ...partOf(sql),
          };
        throw new Error('a statement has at least one page');
      },
      async save({ sql, target, ...options }, { signal }) {
        const place = files.target(target);
        const output = place.place === 'path' ? place : await downloadOf(place.name);
        await checkIsNoInput(output.path, tables.inputs());
        await checkOutput(output);
        const about = { version, dataUrl: '', dataset: '', request: sql, columns: {} };
        const saved =
          options.format === 'parquet'
            ? await saveParquet({ sql, output, names: options.columnNames, about }, signal)
            : await writePages(
                engine.run(sql, options.format === 'las' ? numbersPage : filePage, signal),
                { output, workFolder: join(folder, newName()), options, about, startTables },
                signal,
              );
        files.endTarget(target);
        const isDownload = place.place === 'job';
        const { path } = output;
        const file = isDownload ? await files.grantSource({ place: 'path', path, name: place.name }) : null;
        return { ...saved, file, ...partOf(sql) };
      },
    },
    async close() {
      engine.close();
      await discardExports(folder, runner.discard);
      await tables.clear();
    },
  };
}
