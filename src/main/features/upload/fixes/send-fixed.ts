import { join } from 'node:path';
import { AppError, invalidInput } from '../../../../shared/errors/errors.ts';
import type { CellReason, FixedRows, FixResult } from '../../../../shared/upload/fixes.ts';
import type { calls } from '../../../../shared/contract/contract.ts';
import type { ModuleHandlers } from '../../../core/handlers.ts';
import { withFileLock } from '../../../core/files/lock.ts';
import { writeText } from '../../../core/files/shared-file.ts';
import type { JobRunner } from '../../../core/jobs/jobs.ts';
import { resolveAssets } from '../../../core/mapping/assets.ts';
import type { RecordRows } from '../../../core/mapping/preparing/read-records.ts';
import { openCsvThread, withThread } from '../../../core/mapping/thread/csv-thread.ts';
import type { UploadPlan, Rules } from '../../../core/tables/model/plan.ts';
import type { Services } from '../../../core/wire/services/services.ts';
import type { Connection } from '../../../../shared/connections/connections.ts';
import { fixedLayout, fixedText, rulesFor } from './layouts.ts';
import { noteSent, planOf, readRejected, reasonsOf, type RejectsStore } from './rejected-rows.ts';
import { mkdir, rm } from '../../../world/files.ts';
import { randomBytes } from '../../../world/random.ts';

/** What fixed rows are sent with. */
interface FixDependencies {
  readonly store: RejectsStore;
  readonly runner: Pick<JobRunner, 'start'>;
  readonly connections: {
    services(connectionId: string): Services;
    get(connectionId: string): Connection;
  };
}

const lockTimeoutMs = 10_000;

/** The rules with the wells of names that only fixed rows have. @throws AppError of the platform service */
async function withNewWells(
  plan: UploadPlan,
  rows: FixedRows['rows'],
  services: Services,
  signal?: AbortSignal,
): Promise<Rules> {
  const keys = new Map(plan.layout.columns.map(({ key }, index) => [index, key]));
  const naming = plan.rules.columns.filter(({ conversion }) => conversion.kind === 'asset');
  if (naming.length === 0) return plan.rules;
  const distinct = Object.fromEntries(
    naming.map(({ index }) => {
      const names = rows.map(({ cells }) => (cells[index] ?? '').trim()).filter((name) => name !== '');
      return [keys.get(index) ?? '', new Map(names.map((name, at) => [name, { count: 1, line: at + 2 }]))];
    }),
  );
  const options = signal ? { signal } : {};
  const { assets } = await resolveAssets(services.platform, plan.mapping, distinct, options).catch(
    (error: unknown) => {
      // No name is a well: each cell says so.
      if (error instanceof AppError && error.is('invalid_input')) return { assets: {} };
      throw error;
    },
  );
  const byKey: Readonly<Record<string, Readonly<Record<string, number>>>> = assets;
  return {
    ...plan.rules,
    columns: plan.rules.columns.map((rule) => {
      const { conversion, index } = rule;
      if (conversion.kind !== 'asset') return rule;
      return {
        ...rule,
        conversion: { ...conversion, ids: { ...conversion.ids, ...byKey[keys.get(index) ?? ''] } },
      };
    }),
  };
}

/** The rows of the request in the order of the file. @throws AppError invalid_input for others, or for parts of records */
async function checkedRows(
  store: RejectsStore,
  { job, rows }: FixedRows,
  signal?: AbortSignal,
): Promise<FixedRows['rows']> {
  const rejected = await readRejected(store, job, signal);
  const open = new Map(rejected.rows.map((row) => [row.line, row]));
  const wanted = new Set(rows.map(({ line }) => line));
  const records = new Set([...wanted].map((line) => open.get(line)?.record));
  const isComplete = rejected.rows.every(({ line, record }) => !records.has(record) || wanted.has(line));
  const isOpen = rows.every(({ line, cells }) => open.get(line)?.cells?.length === cells.length);
  if (!isOpen || !isComplete || wanted.size !== rows.length)
    throw invalidInput(
      'Some of these rows were already sent, or can’t be fixed here. Open the upload again.',
    );
  return rows.toSorted((a, b) => a.line - b.line);
}

/** Why fixed rows are still wrong. Their records are in the same order. */
function wrongRows(
  records: readonly RecordRows[],
  plan: UploadPlan,
  rows: FixedRows['rows'],
): { line: number; reasons: CellReason[] }[] {
  const places = records.flatMap((record) =>
    record.rows.map(({ line }) => ({ line, problems: record.problems })),
  );
  return rows.flatMap(({ line }, at) => {
    const place = places[at];
    if (!place) return [{ line, reasons: [{ column: null, message: 'The row is empty.' }] }];
    const reasons = reasonsOf(plan, place.problems, place.line);
    return reasons.length > 0 ? [{ line, reasons }] : [];
  });
}

/** The name of a file of fixed rows, from that of its upload. */
const fixedName = (fileName: string): string => `${fileName.replace(/\.[^.]{1,6}$/, '')}.fixed.csv`;

/**
 * Sends fixed rows of an upload as an upload that follows it, by the same rules. Its plan has the lines of the rows: no
 * other follow-up may have them, in any window or process, so that none is sent twice.
 * @returns the started job, or what is still wrong
 * @throws AppError invalid_input for rows that were sent already; connection_read_only; errors of the platform service
 */
async function sendFixed(
  dependencies: FixDependencies,
  request: FixedRows,
  signal?: AbortSignal,
): Promise<FixResult> {
  const { store, runner, connections } = dependencies;
  const { job } = request;
  const plan = await planOf(store, job);
  const connection = connections.get(plan.connection.id);
  if (connection.readOnly) throw new AppError('connection_read_only', { connection: connection.name });
  const wells = await withNewWells(plan, request.rows, connections.services(plan.connection.id), signal);
  const folder = join(store.folder(job), 'fixes');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const busy = () => new AppError('job_busy', { job });
  return withFileLock(join(folder, 'lock'), lockTimeoutMs, busy, async () => {
    const rows = await checkedRows(store, request, signal);
    const path = join(folder, `${randomBytes(8).toString('hex')}.csv`);
    const names = plan.layout.columns.map(({ name }) => name);
    const text = fixedText(
      names,
      rows.map(({ cells }) => cells),
    );
    await writeText(path, text);
    const fileName = fixedName(plan.fileName);
    const rules = rulesFor(wells, rows.length, Buffer.byteLength(text));
    const layout = fixedLayout(plan);
    const started = await withThread(openCsvThread, signal, async (thread): Promise<FixResult> => {
      await thread.calls.open({ path, fileName, places: null, layout, rules, rows: rows.length });
      const { records } = await thread.calls.records({ maxRows: rows.length });
      const wrong = wrongRows(records, plan, rows);
      if (wrong.length > 0) return { status: 'wrong', rows: wrong };
      const { conversion: _conversion, records: _records, ...kept } = plan;
      const [file, { sha256 }] = await Promise.all([
        thread.calls.stat({ path, fileName }),
        thread.calls.hash({ path, fileName }),
      ]);
      const followUp: UploadPlan = {
        ...kept,
        fileName,
        parent: { job, file: plan.fileName },
        fixedLines: rows.map(({ line }) => line),
        source: { place: 'spooled', path, ...file, sha256 },
        layout: { ...layout, columns: [...layout.columns] },
        newline: '\n',
        rules,
        rows: records.length,
        footerRows: 0,
        // Fixed cells may be elsewhere: the file is read for its part of the dataset.
        bounds: null,
        dryRun: false,
        rejects: { place: 'job', name: `${fileName.replace(/\.csv$/, '')}.rejects.csv` },
        maxRejected: null,
        warnings: [],
      };
      const { id } = await runner.start('upload', followUp, signal);
      await noteSent(
        store,
        job,
        rows.map(({ line }) => line),
      );
      return { status: 'started', job: id };
    });
    if (started.status === 'wrong') await rm(path, { force: true });
    return started;
  });
}

/** Procedures for the rejected rows of an upload. */
export function createFixes(
  dependencies: FixDependencies,
): Pick<ModuleHandlers<(typeof calls)['upload']>, FixCalls> {
  return {
    rejected: ({ job }, { signal }) => readRejected(dependencies.store, job, signal),
    sendFixed: (request, { signal }) => sendFixed(dependencies, request, signal),
  };
}

/** The procedures of {@link createFixes}. */
export type FixCalls = 'rejected' | 'sendFixed';
