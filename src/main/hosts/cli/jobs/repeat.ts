import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import * as z from 'zod';
import type { AppError } from '../../../../shared/errors/errors.ts';
import { jsonOrNull } from '../../../../shared/json.ts';
import { jobId, type Job } from '../../../../shared/jobs/jobs.ts';
import { appErrorFrom } from '../../../core/files/file-errors.ts';
import { writeWhole } from '../../../core/files/disk.ts';
import { journalName } from '../../../core/jobs/jobs.ts';
import { lockFolder } from '../../../core/write/write.ts';
import { readRegularIfExists } from '../../../core/files/regular-file.ts';
import { folderNames } from '../../../../shared/export/export.ts';
import type { Cli, Outcome } from '../command.ts';
import { exitCodes } from '../exit-codes.ts';

/** The pause after a failure, in milliseconds; each further failure doubles it. */
const firstPauseMs = 30_000;
const maxHealthBytes = 1_000_000;

/** What monitoring reads about a mirror with `--every`. */
const health = z.object({
  state: z.enum(['running', 'waiting', 'failing', 'stopped']),
  pid: z.int(),
  /** When this was written, as ISO 8601, as all times here. */
  updated: z.string(),
  lastSuccess: z.string().nullable(),
  /** The mirror at that time. */
  rows: z.int().nullable(),
  verified: z.boolean().nullable(),
  /** Failures since then, or since the process started. */
  failures: z.int(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
  nextRun: z.string().nullable(),
  /** A job that runs or stopped halfway, which the next run continues. */
  job: jobId.nullable(),
});
type Health = z.infer<typeof health>;

export interface UpdateRun {
  readonly job: Job;
  /** Why it isn't done; null: it is. */
  readonly error: AppError | null;
}

interface RepeatOptions {
  readonly everyMs: number;
  readonly folder: string;
  /**
   * Updates the mirror once.
   * @param job a job that stopped halfway; null: there is none
   * @param began is called with the job of the update before it does anything
   */
  readonly update: (job: string | null, began: (job: string) => Promise<void>) => Promise<UpdateRun>;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/**
 * Whether an error stays until a person does something. An update whose job began can still find another one in its way, and
 * a drive can respond again.
 */
const isLasting = ({ code }: AppError, job: Job | null): boolean =>
  exitCodes[code] === 4 || (exitCodes[code] === 2 && code !== 'file_unreadable' && job === null);

/** Whether a job can't continue: another update has overtaken it, or its own files are damaged. A drive can respond again. */
export const endsJob = (error: AppError, job: string): boolean =>
  error.is('invalid_input') ||
  (error.is('file_unreadable') &&
    (error.details.file === journalName || error.details.file.endsWith(` of job ${job}`)));

/**
 * The job that the next run continues.
 * @param began the last one that began; an update that failed before its job keeps it
 */
const jobToResume = (
  { job, error }: { readonly job: Job | null; readonly error: AppError | null },
  began: string | null,
): string | null => (job === null ? began : error && !endsJob(error, job.id) ? job.id : null);

/** What an earlier process wrote: its last success, and the job that it left halfway. */
async function readEarlier(path: string): Promise<Pick<Health, 'lastSuccess' | 'rows' | 'verified' | 'job'>> {
  const bytes = await readRegularIfExists(path, folderNames.health, maxHealthBytes).catch(() => null);
  const { data } = health.safeParse(jsonOrNull(bytes?.toString('utf8') ?? ''));
  const { lastSuccess = null, rows = null, verified = null, job = null } = data ?? {};
  return { lastSuccess, rows, verified, job };
}

/**
 * Updates a mirror at each interval, until the signal of the command is aborted or an error lasts, and keeps a file about it
 * in the folder. A failure is followed by a pause that grows up to the usual one.
 * @throws AppError an error that lasts: of credentials, permissions, or the command; `file_unwritable` if another process does
 *   this already
 */
export async function repeatUpdates(
  { everyMs, folder, update, wait = async (ms, signal) => sleep(ms, undefined, { signal }) }: RepeatOptions,
  { signal, messages }: Pick<Cli, 'signal' | 'messages'>,
): Promise<Outcome> {
  const lock = await lockFolder(folder, folderNames.serviceLock, 'another process keeps it up to date');
  const path = join(folder, folderNames.health);
  let now: Health = {
    state: 'running',
    pid: process.pid,
    updated: '',
    failures: 0,
    error: null,
    nextRun: null,
    ...(await readEarlier(path)),
  };
  async function writeHealth(change: Partial<Health>): Promise<void> {
    now = { ...now, ...change, updated: new Date().toISOString() };
    // The update itself reports a full disk.
    await writeWhole(path, `${JSON.stringify(now, null, 2)}\n`).catch((error: unknown) =>
      messages.say(appErrorFrom(error).message),
    );
  }
  try {
    while (!signal.aborted) {
      const startMs = Date.now();
      await writeHealth({ state: 'running', nextRun: null });
      const run = await update(now.job, (job) => writeHealth({ job })).catch((cause: unknown) => ({
        job: null,
        error: appErrorFrom(cause),
      }));
      const { job, error } = run;
      const next = jobToResume(run, now.job);
      if (signal.aborted) {
        await writeHealth({ job: next });
        break;
      }
      if (error && isLasting(error, job)) {
        await writeHealth({ state: 'stopped', error: error.toBody(), failures: now.failures + 1, job: next });
        throw error;
      }
      const failures = error ? now.failures + 1 : 0;
      const pauseMs = error
        ? Math.min(everyMs, firstPauseMs * 2 ** (failures - 1))
        : // A clock that was set back must not delay the next update.
          Math.min(everyMs, Math.max(0, startMs + everyMs - Date.now()));
      const result = job?.kind === 'export' ? job.result : null;
      await writeHealth({
        state: error ? 'failing' : 'waiting',
        failures,
        error: error?.toBody() ?? null,
        nextRun: new Date(Date.now() + pauseMs).toISOString(),
        job: next,
        ...(!error && {
          lastSuccess: new Date().toISOString(),
          rows: result?.rows ?? null,
          verified: result?.folder?.verified ?? null,
        }),
      });
      if (error) messages.say(`${error.message} Next update in ${Math.ceil(pauseMs / 1000)} s.`);
      await wait(pauseMs, signal).catch(() => undefined);
    }
    await writeHealth({ state: 'stopped', nextRun: null });
    return {};
  } finally {
    lock.release();
  }
}
