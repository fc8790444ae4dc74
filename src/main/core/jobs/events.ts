import type { JobEvent } from './engine.ts';
import type { StoredSummary } from './job-files.ts';
import type { ProgressReport } from './progress.ts';

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
      yield* combined(taken.map(({ event }) => event));
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
