import * as z from 'zod';
import { datasetAddress } from '../../../shared/datasets/datasets.ts';
import { jobParent, type JobArtifact, type JobKind } from '../../../shared/jobs/jobs.ts';
import type { Services } from '../wire/services/services.ts';
import type { ProgressReport } from './progress.ts';
import type { JobWaits } from './waits.ts';
import type { StoredSummary } from './job-files.ts';

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
export type SendEvent<E, R> = (event: JobEvent<E, R>) => Promise<void>;

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
