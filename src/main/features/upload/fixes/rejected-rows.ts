import { basename, join } from 'node:path';
import * as z from 'zod';
import { AppError } from '../../../../shared/errors/errors.ts';
import {
  maxFixedRows,
  type CellReason,
  type FollowUp,
  type RejectedRow,
  type RejectedRows,
} from '../../../../shared/upload/fixes.ts';
import { appErrorFrom } from '../../../core/files/file-errors.ts';
import { readOwnText } from '../../../core/files/regular-file.ts';
import { writeVersioned } from '../../../core/files/shared-file.ts';
import type { JobStore } from '../../../core/jobs/jobs.ts';
import type { RecordRows } from '../../../core/mapping/preparing/read-records.ts';
import { openCsvThread, withThread } from '../../../core/mapping/thread/csv-thread.ts';
import { uploadPlan, type UploadPlan } from '../../../core/tables/model/plan.ts';
import type { RowProblem } from '../../../core/tables/model/targets.ts';
import { addedColumns, rejectsLayout, rulesFor } from './layouts.ts';
import { stat } from '../../../world/files.ts';

/** The jobs with rejected rows. */
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
  if (!file || plan.layout.jsonLines) return { ...head, rows: [], isCut: false, isFixable: false };
  const { path } = file;
  const fileName = basename(path);
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
