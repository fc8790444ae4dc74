import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import {
  type Engine,
  type EngineContext,
  type JobEvent,
  JobStore,
  type PlanHead,
  type StoredJob,
  takeEvents,
} from '../../src/main/core/jobs/jobs.ts';
import { openJournal, type Journal } from '../../src/main/core/jobs/journal.ts';
import { noProgress } from '../../src/main/core/jobs/waits.ts';

/** The summary of a job that stopped. */
const stopped: StoredJob['summary'] = {
  state: 'interrupted',
  address: { provider: 'demo', dataset: 'wits' },
  connection: 'North Ridge',
  file: 'a.csv',
  started: '2026-11-22T00:00:00Z',
  updated: '2026-11-22T00:00:00Z',
  progress: noProgress,
  error: null,
  waitsFor: null,
  artifacts: [],
  result: null,
};

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

/** The claims of the jobs of a data folder; others have none. */
async function claimIn(folder: string): Promise<EngineContext['claim']> {
  const root = dirname(folder);
  if (basename(root) !== 'jobs') return async () => async () => undefined;
  const store = new JobStore(dirname(root), 'test');
  const head = { folderFormat: 1, format: 1, app: 'test', kind: 'upload', plan: {} };
  await writeFile(join(folder, 'plan.json'), JSON.stringify(head));
  await store.save({ id: basename(folder), kind: 'upload', summary: stopped });
  return (key, check) => store.claim(basename(folder), key, check);
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
    const claim = await claimIn(folder);
    const run = engine.run(job, { signal, services, isResumed, waits: { ...noWaits, ...waits }, claim });
    return await takeEvents(run, async (event) => {
      onEvent(event);
      if (event.kind === 'entries') await append(journal, event.entries, event.flush);
    });
  } finally {
    await journal.close();
  }
}
