import { basename, dirname } from 'node:path';
import { AppError, fromBody } from '../../../../shared/errors/errors.ts';
import { canEndOtherwise, countsRecords } from '../../../../shared/jobs/job-states.ts';
import type { Job, ExportJob, JobArtifact, QualityJob, UploadJob } from '../../../../shared/jobs/jobs.ts';
import { rowsInWords } from '../../../../shared/lists.ts';
import { linePlaces, placeOfRow, type RowPlaces } from '../../../../shared/upload/formats.ts';
import type { UploadProblem } from '../../../../shared/upload/result.ts';
import type { FileWarning } from '../../../../shared/upload/upload.ts';
import type { Files } from '../../../core/files/files.ts';
import { folderNames } from '../../../../shared/export/export.ts';
import type { Cli, Outcome, Session } from '../command.ts';
import { exitCodes, type ExitCode } from '../exit-codes.ts';
import { cellText } from '../table.ts';
import { onAbort } from '../../../../shared/abort.ts';

async function showProgress(
  { app }: Session,
  { messages }: Cli,
  id: string,
  signal: AbortSignal,
): Promise<void> {
  for await (const job of (await app.runner()).watchJob(id, signal)) {
    if (signal.aborted) return;
    if (job.state === 'running') messages.progress(describeProgress(job));
  }
}

/**
 * Follows a job that runs in this process until it stops, and prints its progress. Ctrl-C cancels the job, so that it
 * can be resumed.
 */
export async function followJob(session: Session, cli: Cli, id: string): Promise<Job> {
  const progressEnd = new AbortController();
  const cancel = (): void => void session.client.jobs.cancel({ job: id }).catch(() => undefined);
  const progressTask = showProgress(session, cli, id, progressEnd.signal).catch(() => undefined);
  const stop = onAbort(cli.signal, cancel);
  try {
    return await (await session.app.runner()).waitUntilStopped(id);
  } finally {
    stop();
    progressEnd.abort();
    await progressTask;
    cli.messages.clear();
  }
}

const grouped = (count: number): string => Math.round(count).toLocaleString('en');

/** A time in words: "45 s", "12 min", "3 h 20 min". */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 90 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** The progress of a job in one line: "12,000 of 100,000 rows (12%), 5,000 rows/s, 18 s left". */
export function describeProgress(job: Pick<Job, 'kind' | 'result' | 'progress'>): string {
  const { rows, totalRows, rate, secondsLeft, nextTryMs, isVerifying, existing } = job.progress;
  const unit = countsRecords(job) ? 'record' : 'row';
  const counted = (count: number): string => `${grouped(count)} ${unit}${count === 1 ? '' : 's'}`;
  const parts = [
    totalRows === null
      ? counted(rows)
      : `${grouped(rows)} of ${counted(totalRows)} (${Math.floor((100 * rows) / Math.max(1, totalRows))}%)`,
  ];
  if (existing)
    parts.push(`comparing with ${grouped(existing.read)} of ${grouped(existing.total)} existing records`);
  else if (isVerifying) parts.push('verifying sent rows');
  else if (rate > 0) parts.push(`${grouped(rate)} ${unit}s/s`);
  if (secondsLeft !== null && !isVerifying && !existing) parts.push(`${duration(secondsLeft)} left`);
  if (nextTryMs !== null) parts.push(`retrying in ${duration(nextTryMs / 1000)}`);
  return parts.join(', ');
}

function exitCodeOfDone(job: Job): ExitCode {
  if (!job.result || job.kind === 'quality') return 0;
  if (job.kind === 'export') {
    const { rows, expected, folder } = job.result;
    if (folder?.verified === false) return 3;
    return expected === null || expected === rows ? 0 : 3;
  }
  const { rejected, unknown } = job.result.ledger;
  return rejected > 0 || unknown > 0 ? 3 : 0;
}

/** Whether a job that failed has sent rows or written a file. One that another has overtaken is refused before that. */
function hasBegun(job: Job): boolean {
  if (job.error?.code === 'file_exists') return true;
  if (job.kind !== 'upload' || !job.result || job.error?.code === 'upload_repeated') return false;
  const { ledger, problems } = job.result;
  const { accepted, skipped, unknown } = ledger;
  return accepted - skipped + unknown > 0 || problems.some(({ code }) => code === 'refused');
}

function errorOf(
  { id, state, error }: Job,
  { resumeCommand }: Pick<Cli, 'resumeCommand'>,
): AppError | undefined {
  if (state === 'done') return undefined;
  if (error && state === 'failed') return fromBody(error);
  return new AppError('cancelled', { resume: resumeCommand(id) });
}

/** Says how to resume the job that an error is about, unless the error does. */
export function sayResume(
  error: AppError,
  job: string | null,
  { messages, resumeCommand }: Pick<Cli, 'messages' | 'resumeCommand'>,
): void {
  // A job whose rows another one has sent, or whose file is another one now, can't be resumed.
  if (error.is('cancelled') || error.is('file_changed')) return;
  const resumed = error.is('upload_repeated')
    ? error.details.isUnfinished && !error.details.isRunning && !error.details.isOther
      ? error.details.job
      : null
    : job;
  if (resumed !== null) messages.say(`The job can be resumed: ${resumeCommand(resumed)}`);
}

/** A summary for people: one line for each figure, problem, and warning. */
export function* summaryLines(summary: JobSummary): Generator<string> {
  for (const [name, value] of Object.entries('problems' in summary ? withTexts(summary) : summary)) {
    if (Array.isArray(value)) for (const item of value) yield `${name}: ${cellText(item)}`;
    else if (value !== null) yield `${name}: ${cellText(value)}`;
  }
}

/** Warnings about a file for people, each with its place. @param places what their lines count */
export const warningTexts = (warnings: readonly FileWarning[], places: RowPlaces = linePlaces): string[] =>
  warnings.map(({ message, line }) => (line === null ? message : `${placeOfRow(places, line)}: ${message}`));

const withTexts = ({ problems, warnings, places, ...figures }: ReturnType<typeof uploadSummary>) => ({
  ...figures,
  problems: problems.map((problem) => problemText(problem, places)),
  warnings: warningTexts(warnings, places),
});

/** A problem of rows with its first place, as a warning has it. */
function problemText({ column, message, count, lines: [first] }: UploadProblem, places = linePlaces): string {
  const at = [first === undefined ? null : placeOfRow(places, first), column].filter((part) => part !== null);
  return [...at, `${message} (${rowsInWords(count)})`].join(': ');
}

function* warningsOf(job: Job): Generator<string> {
  if (job.kind === 'export') yield* job.result?.warnings ?? [];
  else if (job.kind === 'upload') yield* warningTexts(job.result?.warnings ?? [], job.result?.places);
}

/** Waits until a job stops. Its summary and exit code are the result of the command. */
export const jobOutcome = async (session: Session, cli: Cli, id: string): Promise<Outcome> =>
  stoppedOutcome(await followJob(session, cli, id), session.app.files, cli);

/** The result of a command whose job has stopped: its summary and exit code. */
export async function stoppedOutcome(
  job: Job,
  files: Files,
  cli: Pick<Cli, 'json' | 'out' | 'messages' | 'resumeCommand'>,
): Promise<Outcome> {
  const { json, out, messages } = cli;
  const summary = summaryOf(job, files);
  if (!json) await out.report(summaryLines({ ...summary, warnings: [] }));
  for (const warning of warningsOf(job)) messages.say(`Warning: ${warning}`);
  const error = errorOf(job, cli);
  if (!error) return { summary, exitCode: exitCodeOfDone(job) };
  if (canEndOtherwise(job)) sayResume(error, job.id, cli);
  return { summary, error, ...(exitCodes[error.code] === 2 && hasBegun(job) ? { exitCode: 1 } : {}) };
}

type JobSummary = ReturnType<typeof summaryOf>;

function pathOf({ artifacts }: Job, kind: JobArtifact['kind'], files: Files): string | null {
  const artifact = artifacts.find((item) => item.kind === kind);
  return artifact ? files.source(artifact.token).path : null;
}

/** The folder of a manifest; that of a table is the last commit of its log. */
function folderOf(manifest: string): string {
  const folder = dirname(manifest);
  return basename(folder) === folderNames.log ? dirname(folder) : folder;
}

/**
 * The summary of an export. `sha256`, `file`, and `manifest` are null until it is done; `rows` and `bytes` are those
 * kept so far, from which a resume continues.
 */
function exportSummary(job: ExportJob, files: Files) {
  const { result, progress } = job;
  return {
    rows: result?.rows ?? progress.rows,
    bytes: result?.bytes ?? progress.bytes,
    sha256: result?.sha256 ?? null,
    ...(result?.folder
      ? { ...result.folder, dir: folderOf(pathOf(job, 'manifest', files) ?? '') }
      : { file: pathOf(job, 'result', files) }),
    manifest: pathOf(job, 'manifest', files),
    warnings: result?.warnings ?? [],
  };
}

/** The summary of a check or a comparison: its headline, and the file of its report. */
const qualityJobSummary = (job: QualityJob, files: Files) => ({
  ...(job.result ?? { rows: job.progress.rows }),
  file: pathOf(job, 'result', files),
});

/** The summary of an upload: every row of the file is accepted, rejected, unknown, or pending. */
function uploadSummary(job: UploadJob, files: Files) {
  const { result, progress, parent } = job;
  // A job that stopped before it had a ledger has sent nothing: all its rows, as far as they are known, are pending.
  const rows = progress.totalRows ?? 0;
  const storedTwice = result?.warnings.find(({ code }) => code === 'stored_twice')?.count;
  const nothing = { rows, accepted: 0, rejected: 0, unknown: 0, pending: rows, skipped: 0 };
  const ledger = result?.ledger ?? nothing;
  return {
    ...ledger,
    inserted: ledger.accepted - ledger.skipped,
    footerRows: result?.footerRows ?? 0,
    ...(result?.fileRows === undefined ? {} : { fileRows: result.fileRows }),
    ...(storedTwice === undefined ? {} : { storedTwice }),
    rejectsFile: pathOf(job, 'rejects', files),
    problems: result?.problems ?? [],
    warnings: result?.warnings ?? [],
    ...(result?.places ? { places: result.places } : {}),
    ...(parent ? { parent: parent.job } : {}),
  };
}

/** The summary of a job, with the paths of its files. */
export function summaryOf(job: Job, files: Files) {
  const { id, state } = job;
  if (job.kind === 'quality') return { job: id, state, ...qualityJobSummary(job, files) };
  return {
    job: id,
    state,
    ...(job.kind === 'export' ? exportSummary(job, files) : uploadSummary(job, files)),
  };
}
