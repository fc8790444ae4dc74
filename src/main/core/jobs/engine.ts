import { basename, dirname } from 'node:path';
import * as z from 'zod';
import { datasetAddress } from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { jobParent, type JobArtifact, type JobKind } from '../../../shared/jobs/jobs.ts';
import { jsonOrNull } from '../../../shared/json.ts';
import { writeWhole, flushFolder } from '../files/disk.ts';
import { isMissing, writeError } from '../files/file-errors.ts';
import type { Services } from '../wire/services/services.ts';
import type { CheckClaim, StoredSummary } from './store.ts';
import type { JobWaits, ProgressReport } from './waits.ts';
import { open, readFile, type FileHandle } from '../../world/files.ts';

/** The plan of a job: the request, decided once and stored in the job's folder. Never contains credentials. */
export const planHead = z.object({
  /** The connection, with its data URL, so a resume detects another service under the same id. */
  connection: z.object({ id: z.string(), name: z.string(), dataUrl: z.string() }),
  address: datasetAddress,
  /** File name for display, without its folder. */
  fileName: z.string(),
  /** Maximum number of concurrent requests. */
  concurrency: z.int(),
  /** The job whose rejected rows the file contains. */
  parent: jobParent.optional(),
});
export type PlanHead = z.infer<typeof planHead>;

/** A job whose lock this process holds. */
export interface OpenJob<P, E> {
  readonly id: string;
  /** Its folder, for spools, checkpoints, and results of the engine. */
  readonly folder: string;
  readonly plan: P;
  /** The entries of its journal when it was opened, in order. */
  readonly entries: readonly E[];
}

/**
 * What happens in a run. The runner writes entries to the journal, and folds the others into the summary of the job; then
 * the run continues.
 */
export type JobEvent<E = unknown, R = unknown> =
  /** With `flush` they are on disk when the run continues. */
  | { readonly kind: 'entries'; readonly entries: readonly E[]; readonly flush: boolean }
  /** `rows` and `bytes` count from the start of the job. */
  | { readonly kind: 'progress'; readonly progress: ProgressReport }
  /** The result at this point, so that a stopped job shows the state of its rows. */
  | { readonly kind: 'result'; readonly result: R }
  /** A file that the user can open or save. */
  | {
      readonly kind: 'artifact';
      readonly artifact: { readonly kind: JobArtifact['kind']; readonly path: string };
    };

/** What a run uses. */
export interface EngineContext {
  /** Aborted by cancel and when the process ends. The run then ends soon and leaves a journal that can be resumed. */
  readonly signal: AbortSignal;
  /** Whether the job was started before. */
  readonly isResumed: boolean;
  /** The services of the plan's connection. Reads wait while the job is paused, signed out, or offline. */
  readonly services: Services;
  /** What else a run can wait for. */
  readonly waits: Pick<JobWaits, 'waitForRecovery' | 'waitWhilePaused' | 'askUser'>;
  /**
   * Claims work that only one job of a data folder may do at a time.
   * @param key the same for the same work
   * @param check throws to refuse the work because of another job
   * @returns notes that the job did none of the work, so that it prevents no other
   * @throws AppError `job_busy` if another process keeps the claims locked; errors of `check`
   */
  readonly claim: (key: string, check: CheckClaim) => Promise<() => Promise<void>>;
}

/**
 * A kind of job. `run` starts and resumes a job: it reads the entries of its journal and does the rest. An
 * AppError that it throws becomes the error of the job, which can be resumed. It returns the result.
 */
export interface Engine<P extends PlanHead = PlanHead, E = unknown, R = unknown> {
  readonly kind: JobKind;
  /** Version of plan and journal; jobs of a newer version are refused. */
  readonly format: number;
  readonly plan: z.ZodType<P>;
  readonly entry: z.ZodType<E>;
  readonly result: z.ZodType<R>;
  run(job: OpenJob<P, E>, context: EngineContext): AsyncGenerator<JobEvent<E, R>, R, undefined>;
  /** Removes files outside the job's folder before the folder is removed. Finished results remain. */
  discard?(job: OpenJob<P, E>): Promise<void>;
}

/**
 * Takes the events of a run to its end. An error of taking one is thrown in the run, which ends as after errors of its own.
 * @param take resolves when the run may continue
 * @returns the result of the run
 * @throws what the run throws
 */
export async function takeEvents<E, R>(
  run: AsyncGenerator<JobEvent<E, R>, R, undefined>,
  take: (event: JobEvent<E, R>) => Promise<void>,
): Promise<R> {
  let step = await run.next();
  while (!step.done) {
    const failure = await take(step.value).then(
      () => null,
      (error: unknown) => ({ error }),
    );
    step = await (failure ? run.throw(failure.error) : run.next());
  }
  return step.value;
}

/** The summary of a job after a result or a new file. */
export function summaryAfter(
  summary: StoredSummary,
  event: Extract<JobEvent, { kind: 'result' | 'artifact' }>,
): StoredSummary {
  if (event.kind === 'result') return { ...summary, result: event.result };
  const { artifact } = event;
  const otherArtifacts = summary.artifacts.filter(({ path }) => path !== artifact.path);
  return { ...summary, artifacts: [...otherArtifacts, artifact] };
}

/** Sends an event. Resolves when the run may continue; rejects if the event couldn't be taken. */
type SendEvent<E, R> = (event: JobEvent<E, R>) => Promise<void>;

interface SentEvent<E, R> extends Omit<PromiseWithResolvers<void>, 'promise'> {
  readonly event: JobEvent<E, R>;
}

/**
 * The events of work whose parts run at the same time. Those that are sent while others are taken are taken together, so
 * that one flush serves all their entries.
 * @param work sends events
 * @returns what the work returns
 * @throws what the work throws
 */
export async function* mergeEvents<E, R, T = R>(
  work: (send: SendEvent<E, R>) => Promise<T>,
): AsyncGenerator<JobEvent<E, R>, T, undefined> {
  let sent: SentEvent<E, R>[] = [];
  let wake = Promise.withResolvers<void>();
  let isDone = false;
  const send: SendEvent<E, R> = (event) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    // Nothing waits for events of progress.
    promise.catch(() => undefined);
    sent.push({ event, resolve, reject });
    wake.resolve();
    return promise;
  };
  const result = work(send).finally(() => {
    isDone = true;
    wake.resolve();
  });
  // Awaited at the end; without a listener an earlier rejection would be unhandled.
  result.catch(() => undefined);
  for (;;) {
    await wake.promise;
    wake = Promise.withResolvers();
    const taken = sent;
    sent = [];
    try {
      // Not by `yield*`: a list has no `throw`, so the error of an event would be lost.
      for (const change of combined(taken.map(({ event }) => event))) yield change;
      for (const { resolve } of taken) resolve();
    } catch (error) {
      for (const { reject } of taken) reject(error);
    }
    if (isDone && sent.length === 0) return await result;
  }
}

/** All entries as one event, then the last state of everything else. */
function combined<E, R>(events: readonly JobEvent<E, R>[]): readonly JobEvent<E, R>[] {
  const added = events.filter((event) => event.kind === 'entries');
  const entries = added.flatMap((event) => event.entries);
  const progress: ProgressReport = {};
  for (const event of events) if (event.kind === 'progress') Object.assign(progress, event.progress);
  const result = events.findLast(({ kind }) => kind === 'result');
  return [
    ...(added.length > 0
      ? [{ kind: 'entries', entries, flush: added.some(({ flush }) => flush) } as const]
      : []),
    ...(Object.keys(progress).length > 0 ? [{ kind: 'progress', progress } as const] : []),
    ...(result ? [result] : []),
    ...events.filter(({ kind }) => kind === 'artifact'),
  ];
}

/** A journal of one JSON line per entry, append-only. An incomplete last line is left out when it is opened. */
export interface Journal<E> {
  /** The entries at the time the job was opened, in order. */
  readonly entries: readonly E[];
  /**
   * Appends entries; with `flush` they are on disk (fdatasync) when the promise resolves. Calls follow each other.
   * @throws AppError `disk_full`; other errors of the file system
   */
  append(entries: readonly E[], options?: { flush?: boolean }): Promise<void>;
  close(): Promise<void>;
}

interface Content<E> {
  readonly entries: E[];
  /** Their lines; what follows them was not written completely. */
  readonly lines: Buffer;
}

/**
 * Reads the entries of a journal up to its end, or to the tail that a kill or a power loss leaves: a line without its end,
 * or zeros, which JSON never has. A damaged line elsewhere is an error, because the lines after it can't be trusted.
 * @param name file name for errors
 */
function readContent<E>(bytes: Buffer, entry: z.ZodType<E>, name: string): Content<E> {
  const zeros = bytes.indexOf(0);
  const length = bytes.subarray(0, zeros < 0 ? bytes.length : zeros).lastIndexOf(0x0a) + 1;
  const lines = bytes.subarray(0, length);
  const damaged = (index: number, cause?: unknown): AppError => {
    const reason = `line ${index + 1} of the job's journal is damaged`;
    return new AppError('file_unreadable', { file: name, reason }, { cause });
  };
  const entries = linesOf(lines).map((line, index) => {
    try {
      return entry.parse(JSON.parse(line));
    } catch (cause) {
      throw damaged(index, cause);
    }
  });
  // Entries after zeros: the zeros are no tail.
  const isFollowed = linesOf(bytes.subarray(length, bytes.lastIndexOf(0x0a) + 1)).some(
    (line) => entry.safeParse(jsonOrNull(line)).success,
  );
  if (isFollowed) throw damaged(entries.length);
  return { entries, lines };
}

const linesOf = (bytes: Buffer): string[] =>
  bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');

async function readOrEmpty(path: string): Promise<Buffer> {
  try {
    return await readFile(path);
  } catch (error) {
    if (isMissing(error)) return Buffer.alloc(0);
    throw error;
  }
}

/**
 * Reads the entries of a journal, and changes nothing.
 * @param path absolute path; a missing file has no entries
 * @param entry schema of the entries
 * @throws AppError `file_unreadable` with the damaged line; errors of the file system
 */
export async function readJournal<E>(path: string, entry: z.ZodType<E>): Promise<readonly E[]> {
  return readContent(await readOrEmpty(path), entry, basename(path)).entries;
}

/**
 * Opens a journal to append to, creating it; its name is on disk then. What it has is written again: a system reports a
 * failed flush once, so that the process after it could trust lines that are only in memory.
 * @param path absolute path
 * @param entry schema of the entries
 * @throws AppError `file_unreadable` with the damaged line, `file_unwritable` or `disk_full` if it can't be written;
 *   other errors of the file system
 */
export async function openJournal<E>(path: string, entry: z.ZodType<E>): Promise<Journal<E>> {
  const name = basename(path);
  const bytes = await readOrEmpty(path);
  const { entries, lines } = readContent(bytes, entry, name);
  const file = await openToAppend(path, lines, bytes.length > 0).catch((error: unknown) => {
    throw writeError(error, name, lines.length);
  });
  let writtenBytes = lines.length;
  /** Why nothing can be appended any more: the end of the file, or what is on disk of it, is uncertain. */
  let failure: unknown = null;
  return {
    entries,
    async append(values, { flush = false } = {}) {
      if (failure !== null) throw failure;
      const text = values.map((value) => `${JSON.stringify(value)}\n`).join('');
      let isWritten = false;
      try {
        await file.appendFile(text);
        isWritten = true;
        if (flush) await file.datasync();
        writtenBytes += Buffer.byteLength(text);
      } catch (cause) {
        const error = writeError(cause, name, writtenBytes);
        // The system reports a failed flush once, and can drop the data.
        if (isWritten) failure = error;
        // A partial line must not precede the next one.
        await cutTo(file, writtenBytes).catch(() => (failure = error));
        throw error;
      }
    },
    close: () => file.close(),
  };
}

/** Cuts a file on disk, too: a power loss could mix what was cut with what is written in its place. */
async function cutTo(file: FileHandle, length: number): Promise<void> {
  await file.truncate(length);
  await file.sync();
}

async function openToAppend(path: string, lines: Buffer, exists: boolean): Promise<FileHandle> {
  if (exists) await writeWhole(path, lines.toString());
  const file = await open(path, 'a', 0o600);
  try {
    await flushFolder(dirname(path));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}
