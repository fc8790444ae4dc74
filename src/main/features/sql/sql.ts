import { join, basename, dirname } from 'node:path';
import { isRunning } from '../../core/processes/is-running.ts';
import type { calls } from '../../../shared/contract/contract.ts';
import {
  manifestOf,
  type ColumnNames,
  exportRequest,
  exportOptions,
  type ExportOptions,
} from '../../../shared/export/export.ts';
import { type DatasetAddress, depthPath } from '../../../shared/datasets/datasets.ts';
import type { FindTarget, RecordPage, ServiceRequest, FindRequest } from '../../../shared/query/query.ts';
import type { About, ColumnFacts } from '../../core/records/about.ts';
import { type Files, targetAt } from '../../core/files/files.ts';
import {
  checkOutput,
  copyToOutput,
  type OutputPath,
  isLeftBeside,
  publishOutput,
  reservePartial,
  checkIsNoInput,
} from '../../core/files/output-file.ts';
import { plainName } from '../../core/files/plain-name.ts';
import type { CallContext, Handler, ModuleHandlers } from '../../core/handlers.ts';
import type { JobRunner } from '../../core/jobs/jobs.ts';
import type { TableReader } from '../../core/tables/tables.ts';
import { filePage, numbersPage, type StartTableEngine, windowPage } from '../../core/duckdb/duckdb.ts';
import { enginesFolder, type OpenedEngines } from '../../core/engines.ts';
import type { RememberedUnits } from '../../../shared/settings/settings.ts';
import { datasetTableName } from '../../../shared/sql/names.ts';
import { addressOf, SqlTables, type AnswerTable } from './tables.ts';
import { mkdir, readdir, rm, stat, writeFile } from '../../world/files.ts';
import { elapsedMs, setTimeout, wallMs } from '../../world/time.ts';
import { randomBytes } from '../../world/random.ts';
import { onAbort } from '../../../shared/abort.ts';
import { AppError, fromBody, invalidInput } from '../../../shared/errors/errors.ts';
import { type SqlTable, sqlTimeKind, type SqlColumn } from '../../../shared/sql/sql.ts';
import { computedFrom, operationOf } from '../../core/requests.ts';
import { recordTimes } from '../../core/records/zone.ts';
import { RecordWriter, removeSpools, type ProgressMarks, type WriterSpec } from '../../core/write/write.ts';
import { pathId } from '../../../shared/column-paths.ts';
import { computedBy, withoutComputed } from '../../../shared/language/text/summary.ts';

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
  readonly startTables: StartTableEngine;
}

/** How long a file stays that a page downloads: it begins at once. In milliseconds. */
const downloadLifetimeMs = 3_600_000;

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
  pages: AsyncIterable<Page> | readonly Page[],
  { output, workFolder, options, about, startTables }: FileOfPages,
  signal: AbortSignal | undefined,
): Promise<{ readonly rows: number; readonly bytes: number; readonly warnings: readonly string[] }> {
  const { format, csv, layout, columnNames, nullValues, timeZone = null } = exportOptions.parse(options);
  const { path } = output;
  const partial = await reservePartial(path);
  await mkdir(workFolder, { recursive: true, mode: 0o700 });
  const tables = format === 'parquet' ? startTables : null;
  const writer = new RecordWriter({ startTables: tables, signal, columnNames });
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
          `A LAS file needs a depth column named ${depthPath}. Rename one, for example with depth AS ${depthPath}.`,
          { field: 'sql' },
        );
      if (!isOpen) await writer.open({ ...spec, ...tableOf(columns) }, null);
      isOpen = true;
      marks = await writer.writeWhole(records);
      rows += count;
    }
    const { bytes, warnings } = await writer.finish({ marks });
    await publishOutput(partial, output);
    return { rows, bytes, warnings };
  } catch (error) {
    if (!isLeftBeside(error)) await rm(partial, { force: true }).catch(() => undefined);
    throw error;
  } finally {
    await writer.close();
    await removeSpools(workFolder);
    await rm(workFolder, { recursive: true, force: true }).catch(() => undefined);
  }
}

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

interface QueryTable extends Pick<AnswerTable, 'name' | 'label' | 'tab' | 'replacedFile'> {
  readonly allOf?: Omit<NonNullable<SqlTable['allOf']>, 'addedAt'>;
  readonly find: Pick<FindRequest, 'connection' | 'provider' | 'dataset' | 'query'> &
    Partial<Pick<FindRequest, 'sort' | 'fields'>>;
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

  async function tableOf(
    job: string,
    path: string,
    { find, allOf, ...table }: QueryTable,
  ): Promise<SqlTable> {
    const jobFile = join(folder, `${job}${jobEnding}`);
    try {
      await writeFile(jobFile, '');
      const ended = await runner.waitUntilStopped(job);
      const { state, error } = ended;
      if (state !== 'done') throw error ? fromBody(error) : new AppError('cancelled', {});
      const notes = ended.kind === 'export' ? ended.result?.warnings : [];
      const times = allOf && { ...allOf, addedAt: wallMs() };
      return await addAnswer({ ...table, allOf: times, path, target: find, notes });
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

interface SqlDependencies extends Omit<OpenedEngines, 'reserve' | 'readCheckpoint'> {
  readonly dataFolder: string;
  readonly version: string;
  readonly files: Pick<Files, 'source' | 'folder' | 'target' | 'endTarget' | 'grantSource' | 'grantTarget'>;
  readonly reader: TableReader;
  readonly read: (request: ServiceRequest, context: CallContext) => Promise<RecordPage>;
  /** Units and descriptions of a dataset's fields; empty where they aren't known. */
  readonly columnFacts: (target: FindTarget, signal: AbortSignal | undefined) => Promise<ColumnFacts>;
  /** The units of a dataset's fields that the user set or an upload stored. */
  readonly fieldUnits: (of: DatasetAddress) => Promise<RememberedUnits>;
  readonly count: Handler<(typeof calls)['query']['count']>;
  readonly start: Handler<(typeof calls)['export']['start']>;
  readonly runner: Pick<JobRunner, 'waitUntilStopped' | 'cancel' | 'discard'>;
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

/** SQL over files, folders of Parquet files, and answers, in an engine of its own. */
export function createSql({
  dataFolder,
  version,
  files,
  reader,
  read,
  columnFacts,
  fieldUnits,
  count,
  start,
  runner,
  engine,
  filesOf,
  folder,
  startTables,
}: SqlDependencies): {
  readonly handlers: ModuleHandlers<(typeof calls)['sql']>;
  close(): Promise<void>;
} {
  const tables = new SqlTables({ folder, engine, startTables, reader, filesOf });
  /** The units of the settings that the tables of a dataset have, by its address. */
  const appliedUnits = new Map<string, string>();
  const addAnswer: SqlTables['addAnswer'] = async (answer) => {
    const table = await tables.addAnswer(answer);
    // Perhaps the fields couldn't be read for its file.
    if (table.columns.every(({ unit }) => unit === null)) appliedUnits.delete(addressOf(answer.target));
    return table;
  };
  const exported = createExportedTables({
    folder,
    files,
    async start(request, context) {
      // Its file has the units as they are now.
      const key = addressOf(request);
      if (!appliedUnits.has(key)) appliedUnits.set(key, JSON.stringify(await fieldUnits(request)));
      return start(request, context);
    },
    runner,
    addAnswer,
  });
  // At the start: an export that a crash stopped would have nobody to write for.
  const discard: Discard = (job) => runner.discard(job);
  const cleaned = removeOldFolders(enginesFolder(dataFolder), discard);

  const computedBySql = (sql: string) => {
    const part = tables.computedFrom(sql);
    return part === undefined ? {} : { computedFrom: part };
  };

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

  function removeLater(downloadFolder: string): void {
    const remove = () => rm(downloadFolder, { recursive: true, force: true }).catch(() => undefined);
    setTimeout(() => void remove(), downloadLifetimeMs).unref();
  }

  /** Saves the rows of a statement as Parquet, as the engine writes them. */
  async function saveParquet(
    sql: string,
    output: OutputPath,
    { names, about }: Pick<FileOfPages, 'about'> & { readonly names: ColumnNames },
    signal: AbortSignal | undefined,
  ): Promise<{ readonly rows: number; readonly bytes: number; readonly warnings: readonly string[] }> {
    const { outFolder } = engine;
    await mkdir(outFolder, { recursive: true, mode: 0o700 });
    const file = join(outFolder, `${newName()}.parquet`);
    const started = new Date(wallMs()).toISOString();
    try {
      const copy = { file, names, about: { ...about, started, timeZone: 'UTC' } };
      const rows = await engine.copy(sql, copy, signal);
      await copyToOutput(file, output);
      return { rows, bytes: (await stat(file)).size, warnings: [] };
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
      async addAnswer({ request, tab, label, name = datasetTableName(label) }, { signal, window }) {
        await cleaned;
        const { provider, dataset } = request.request;
        const find = request.kind === 'find' ? request.request : null;
        const [page, facts, total] = await Promise.all([
          read(request, { signal, window }),
          unitsNow(request.request, signal),
          // A table without this number is still a table.
          find &&
            count(find, { signal }).then(
              ({ count: all }) => all,
              () => null,
            ),
        ]);
        const isComputed = computedBy(request.kind === 'find' ? null : request.request);
        const columns = withoutComputed(facts.columns, isComputed);
        const partOf = find && total !== null && total > page.count ? { find, total } : undefined;
        const isUncounted = find && total === null && page.count >= find.limit;
        const rows = page.count.toLocaleString('en');
        const part = partOf
          ? `${rows} of ${partOf.total.toLocaleString('en')} rows`
          : isUncounted
            ? `the first ${rows} records`
            : computedFrom(operationOf(request), page.count);
        const path = join(folder, `${newName()}.parquet`);
        const about = { version, dataUrl: '', dataset: `${provider}/${dataset}`, request: '', columns };
        const options = { format: 'parquet' } as const;
        await mkdir(folder, { recursive: true, mode: 0o700 });
        const output = { path, replaces: false };
        const workFolder = join(folder, newName());
        const { warnings: notes } = await writePages(
          [page],
          { output, workFolder, options, about, startTables },
          signal,
        );
        const remarks = isUncounted
          ? [`It contains ${part}. Wellbench couldn’t count all that match.`]
          : partOf || part === undefined
            ? []
            : [`It contains only a part: ${part}.`];
        const table = {
          tab,
          label,
          name,
          path,
          partOf,
          part,
          target: request.request,
          units: facts.units,
          isComputed,
          notes: [...remarks, ...notes],
        };
        return tables.addAnswer(table);
      },
      async readDataset({ name, label, ...find }, { signal }) {
        await cleaned;
        return exported.start(
          {
            find,
            allOf: { ...find, readAt: wallMs() },
            label,
            name: name ?? datasetTableName(find.dataset),
          },
          signal,
        );
      },
      async loadAll({ name }, { signal }) {
        const { find, label, tab, replacedFile } = tables.partOf(name);
        return exported.start({ find, label, tab, name, replacedFile }, signal);
      },
      exportedTable: async ({ job }, { signal }) => exported.table(job, signal),
      keepNulls: async ({ name, keepsNulls }) => tables.keepNulls(name, keepsNulls),
      readTable: async ({ name, number }, { signal }) => tables.readTable(name, number, signal),
      async removeTable({ name }) {
        await tables.remove(name);
        return {};
      },
      async run({ sql, limit }, { signal }) {
        const startedAt = elapsedMs();
        // Of the tables as they are now, and at its end: it reads either, if some are replaced meanwhile.
        const computed = computedBySql(sql);
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
            ...computedBySql(sql),
            ...computed,
          };
        throw new Error('a statement has at least one page');
      },
      async save({ sql, target, ...options }, { signal }) {
        const place = files.target(target);
        const output = place.place === 'path' ? place : await downloadOf(place.name);
        await checkIsNoInput(output.path, tables.inputs());
        await checkOutput(output);
        const computed = computedBySql(sql);
        const about = { version, dataUrl: '', dataset: '', request: sql, columns: {} };
        const { rows, bytes, warnings } =
          options.format === 'parquet'
            ? await saveParquet(sql, output, { names: options.columnNames, about }, signal)
            : await writePages(
                engine.run(sql, options.format === 'las' ? numbersPage : filePage, signal),
                { output, workFolder: join(folder, newName()), options, about, startTables },
                signal,
              );
        files.endTarget(target);
        const isDownload = place.place === 'job';
        const { path } = output;
        const file = isDownload ? await files.grantSource({ place: 'path', path, name: place.name }) : null;
        if (isDownload) removeLater(dirname(path));
        return { rows, bytes, file, warnings: [...warnings], ...computedBySql(sql), ...computed };
      },
    },
    async close() {
      engine.close();
      await discardExports(folder, discard);
      await tables.clear();
    },
  };
}
