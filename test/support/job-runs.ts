import { existsSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  type Engine,
  type EngineContext,
  type JobEvent,
  type PlanHead,
  takeEvents,
} from '../../src/main/core/jobs/engine.ts';
import { openJournal, type Journal } from '../../src/main/core/jobs/journal.ts';

/** The waits of a job without a user. */
const noWaits: EngineContext['waits'] = {
  waitForRecovery: async () => false,
  waitWhilePaused: async () => undefined,
  askUser: undefined,
};

interface JobRun<P extends PlanHead, E, R> {
  readonly engine: Engine<P, E, R>;
  /** The job's folder; the same one for a resume. */
  readonly folder: string;
  readonly plan: P;
  readonly services: EngineContext['services'];
  readonly signal?: AbortSignal | undefined;
  readonly waits?: Partial<EngineContext['waits']>;
  /** Called with each event before it is taken. */
  readonly onEvent?: (event: JobEvent<E, R>) => void;
  /** Appends entries to the journal. */
  readonly append?: (journal: Journal<E>, entries: readonly E[], flush: boolean) => Promise<void>;
}

/** Runs a job in its folder, as the runner does. */
export async function runInFolder<P extends PlanHead, E, R>({
  engine,
  folder,
  plan,
  services,
  signal = new AbortController().signal,
  waits,
  onEvent = () => undefined,
  append = (journal, entries, flush) => journal.append(entries, { flush }),
}: JobRun<P, E, R>): Promise<R> {
  const path = join(folder, 'journal.ndjson');
  const isResumed = existsSync(path);
  const journal = await openJournal(path, engine.entry);
  const { entries } = journal;
  const job = { id: basename(folder), folder, plan: engine.plan.parse(plan), entries };
  try {
    const run = engine.run(job, { signal, services, isResumed, waits: { ...noWaits, ...waits } });
    return await takeEvents(run, async (event) => {
      onEvent(event);
      if (event.kind === 'entries') await append(journal, event.entries, event.flush);
    });
  } finally {
    await journal.close();
  }
}
