import * as z from 'zod';
import { join, basename } from 'node:path';
import { AppError, invalidInput } from '../../../../shared/errors/errors.ts';
import {
  type CellReason,
  type FixedRows,
  type FixResult,
  maxFixedRows,
  type FollowUp,
  type RejectedRow,
  type RejectedRows,
} from '../../../../shared/contract/upload.ts';
import type { calls } from '../../../../shared/contract/contract.ts';
import type { ModuleHandlers } from '../../../core/handlers.ts';
import { withFileLock } from '../../../core/files/lock.ts';
import { writeText, writeVersioned } from '../../../core/files/shared-file.ts';
import type { JobRunner, JobStore } from '../../../core/jobs/jobs.ts';
import {
  resolveAssets,
  openCsvThread,
  withThread,
  type CsvThread,
  type UploadPlan,
  uploadPlan,
} from '../../../core/mapping/mapping.ts';
import type { Services } from '../../../core/wire/services/services.ts';
import type { Connection } from '../../../../shared/connections/connections.ts';
import { mkdir, rm, stat } from '../../../world/files.ts';
import { randomBytes } from '../../../world/random.ts';
import { appErrorFrom } from '../../../core/files/file-errors.ts';
import { isOwnOutput } from '../../../core/files/own-output.ts';
import { readOwnText } from '../../../core/files/regular-file.ts';
import type { RowProblem } from '../../../core/records/targets.ts';
import { csvCell } from '../../../../shared/csv.ts';
import { rejectColumns, rejectedTable } from '../../../../shared/upload/templates.ts';
import { encodeText, type Layout } from '../../../core/tables/tables.ts';
import { rejectsRecord } from '../run.ts';

type Rules = UploadPlan['rules'];

/** The columns that an upload adds to its file of rejected rows. */
export const addedColumns = ({ conversion }: UploadPlan): readonly string[] =>
  conversion?.places.table == null ? rejectColumns : [rejectedTable, ...rejectColumns];

/** Where the rows of a file begin, and its line; both follow from how Wellbench wrote it. */
type Start = Pick<Layout, 'header' | 'headerLine' | 'dataStart' | 'dataLine'>;

/** @param headerLines with those of a group above the names */
function startAfter(bom: number, headerBytes: number | null, headerLines = 1): Start {
  if (headerBytes === null) return { header: null, headerLine: 0, dataStart: bom, dataLine: 1 };
  return {
    header: { start: bom, end: bom + headerBytes },
    headerLine: headerLines,
    dataStart: bom + headerBytes,
    dataLine: headerLines + 1,
  };
}

/** How an upload's file of rejected rows is read: as the original, with further columns. */
export function rejectsLayout(plan: UploadPlan): Layout {
  const { layout, newline } = plan;
  const { encoding, delimiter, header, headerLine, groupLine = headerLine } = layout;
  const added = addedColumns(plan);
  const addedText = `${['', ...added].join(delimiter)}${newline}`;
  const headerBytes = header && header.end - header.start + encodeText(addedText, encoding).length;
  return {
    ...layout,
    ...startAfter(encoding.bom, headerBytes, headerLine - groupLine + 1),
    ...(groupLine < headerLine ? { groupLine: 1 } : {}),
    unitLine: null,
    columns: [...layout.columns, ...added.map((name) => ({ name, key: name, unit: null }))],
  };
}

/** The text of a file of fixed rows: plain CSV with the columns of the original. */
export const fixedText = (
  columns: Layout['columns'],
  rows: readonly Pick<FixedRows['rows'][number], 'cells'>[],
): string =>
  [columns.map(({ name }) => name), ...rows.map(({ cells }) => cells)]
    .map((cells) => `${cells.map(csvCell).join(',')}\n`)
    .join('');

/** How a file of fixed rows of an upload is read. */
export function fixedLayout({ layout: { columns, isExact } }: UploadPlan): Layout {
  return {
    ...startAfter(0, Buffer.byteLength(fixedText(columns, []))),
    jsonLines: false,
    delimiter: ',',
    crEnds: false,
    comments: false,
    encoding: { name: 'UTF-8', bom: 0 },
    unitLine: null,
    columns,
    isExact,
  };
}

/**
 * The rules of an upload for another file with some of its rows. Times that occur twice have the default of the two,
 * because the rows around them are missing.
 * @param rows number of data rows of the other file
 * @param bytes its size
 */
export function rulesFor(rules: Rules, rows: number, bytes: number): Rules {
  return {
    ...rules,
    columns: rules.columns.map((rule) => {
      const { conversion } = rule;
      if (conversion.kind !== 'time' || !conversion.repeated) return rule;
      return { ...rule, conversion: { ...conversion, repeated: { ...conversion.repeated, hours: [] } } };
    }),
    ...(rules.fold ? { fold: { ...rules.fold, rows, end: bytes } } : {}),
  };
}

export type RejectsStore = Pick<JobStore, 'related' | 'plan' | 'read' | 'folder'>;

/** The plan of an upload. @throws AppError job_unknown, file_unreadable */
export async function planOf(store: Pick<JobStore, 'plan'>, job: string): Promise<UploadPlan> {
  const plan = uploadPlan.safeParse(await store.plan(job));
  if (!plan.success) throw new AppError('job_unknown', { job });
  return plan.data;
}

/** The uploads of fixed rows of an upload, each with the lines that it sends. @throws AppError file_unreadable */
async function followUpsOf(store: Pick<JobStore, 'related' | 'plan'>, job: string): Promise<FollowUp[]> {
  const jobs = await store.related('parent', job);
  const sentLines = await Promise.all(
    jobs.map(async ({ id }) => {
      const plan = await store.plan(id).catch((error: unknown) => {
        // Discarded in the meantime.
        if (error instanceof AppError && error.is('job_unknown')) return null;
        throw error;
      });
      const lines = uploadPlan.safeParse(plan).data?.fixedLines;
      return lines ? [{ job: id, lines }] : [];
    }),
  );
  return sentLines.flat();
}

const sentFormat = 1;
const sentContent = z.object({ format: z.literal(sentFormat), lines: z.array(z.int()) });

/** The file with the lines that follow-ups of a job have sent: it stays when they are discarded. */
const sentFile = (folder: string): string => join(folder, 'fixes', 'sent.json');

/** @throws AppError file_unreadable */
async function linesInFile(folder: string): Promise<number[]> {
  const file = sentFile(folder);
  const text = await readOwnText(file, basename(file));
  if (text === null) return [];
  try {
    return sentContent.parse(JSON.parse(text)).lines;
  } catch {
    // Without it, a row could be sent twice.
    throw new AppError('file_unreadable', { file: basename(file), reason: 'it is damaged' });
  }
}

/**
 * Notes that lines were sent, before their upload can be discarded.
 * @param job the upload that rejected them
 * @throws AppError job_unknown, file_unwritable, file_unreadable
 */
export async function noteSent(
  store: Pick<JobStore, 'folder'>,
  job: string,
  lines: readonly number[],
): Promise<void> {
  const folder = store.folder(job);
  const all = new Set([...(await linesInFile(folder)), ...lines]);
  await writeVersioned(sentFile(folder), sentFormat, { lines: [...all] });
}

/**
 * Why a row is rejected, at its cells.
 * @param plan whose rules name the columns
 * @param problems of its record
 * @param line of the row in the file that was read
 */
export function reasonsOf(plan: UploadPlan, problems: readonly RowProblem[], line: number): CellReason[] {
  const rowProblems = problems.filter((problem) => problem.line === line);
  return rowProblems.map(({ column, message }) => {
    const rule = column === null ? undefined : plan.rules.columns.find((other) => other.column === column);
    return { column: rule?.index ?? null, message };
  });
}

/** The rows of a record, and why it can't be sent. */
type RecordRows = Awaited<ReturnType<CsvThread['calls']['records']>>['records'][number];

/** The rows of a record in the file of rejected rows, with their lines in the original. */
function rowsOf(plan: UploadPlan, { rows, problems }: RecordRows, record: number): RejectedRow[] {
  const width = plan.layout.columns.length;
  const added = addedColumns(plan).length;
  const rejected = rows.flatMap(({ line: place, cells, isAmbiguous }) => {
    const [lineText = '', , message = ''] = cells.slice(-3);
    const line = Number(lineText);
    if (!Number.isSafeInteger(line) || line < 1) return [];
    const ownReasons = reasonsOf(plan, problems, place);
    // The service's reason, and those of damaged rows, are in the file only.
    const reasons = ownReasons.length > 0 ? ownReasons : [{ column: null, message }];
    const canEdit = !isAmbiguous && cells.length === width + added;
    return [{ line, record, cells: canEdit ? cells.slice(0, width) : null, reasons }];
  });
  // A gap may be another record between two that look like one here.
  const isWhole = rejected.every(({ line }, at) => at === 0 || line === (rejected[at - 1]?.line ?? 0) + 1);
  return isWhole ? rejected : rejected.map((row) => ({ ...row, cells: null }));
}

/**
 * The rejected rows of an upload that no follow-up has sent.
 * @param job the id of the upload
 * @returns the first {@link maxFixedRows} rows, with the reasons at their cells
 * @throws AppError job_unknown, file_unreadable, cancelled
 */
export async function readRejected(
  store: RejectsStore,
  job: string,
  signal?: AbortSignal,
): Promise<RejectedRows> {
  const plan = await planOf(store, job);
  const { summary } = await store.read(job);
  const file = summary.artifacts.findLast(({ kind }) => kind === 'rejects');
  const followUps = await followUpsOf(store, job);
  const head = {
    columns: plan.layout.columns.map(({ name }) => name),
    used: [...new Set(plan.rules.columns.flatMap(({ index, join = [] }) => [index, ...join]))],
    followUps,
  };
  const none = { ...head, rows: [], isCut: false, isFixable: false };
  if (!file || plan.layout.jsonLines) return none;
  const { path } = file;
  const fileName = basename(path);
  // Another upload may have written its rejected rows there.
  if (plan.rejects.place === 'path' && !(await isOwnOutput(path, rejectsRecord(store.folder(job))))) {
    throw invalidInput(
      `${fileName} was changed, replaced, or removed after this upload wrote it. If it is still there, upload it to send its rows.`,
    );
  }
  const { size } = await stat(path).catch((cause: unknown) => {
    throw appErrorFrom(cause);
  });
  const sent = new Set([
    ...followUps.flatMap(({ lines }) => lines),
    ...(await linesInFile(store.folder(job))),
  ]);
  const { records, isCut } = await withThread(openCsvThread, signal, async (thread) => {
    const rules = rulesFor(plan.rules, plan.rows, size);
    await thread.calls.open({
      path,
      fileName,
      places: null,
      layout: rejectsLayout(plan),
      rules,
      rows: plan.rows,
    });
    // Those that were sent are still in the file, before the others.
    return thread.calls.records({ maxRows: maxFixedRows + sent.size });
  });
  const open = records
    .map((record, at) => rowsOf(plan, record, at).filter(({ line }) => !sent.has(line)))
    .filter((rows) => rows.length > 0);
  let count = 0;
  const shown = open.filter((rows) => (count += rows.length) <= maxFixedRows);
  return { ...head, rows: shown.flat(), isCut: isCut || shown.length < open.length, isFixable: true };
}

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
    const text = fixedText(plan.layout.columns, rows);
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
      const lines = rows.map(({ line }) => line);
      // They are being sent, whatever happens to the note; the follow-up has the lines, too.
      await noteSent(store, job, lines).catch(() => undefined);
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
