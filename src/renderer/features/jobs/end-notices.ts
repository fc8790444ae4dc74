import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Job } from '../../../shared/jobs/jobs.ts';
import type { SystemNotices } from '../../api/system-notices.ts';
import { words } from '../../words/words.ts';
import type { JobsState } from './jobs.ts';
import { outcomeInWords } from './job-words.ts';
import { stoppable } from './job-list.ts';

/** Whether the system tells of jobs that end: not yet, yes, the person's browser does not let us, or it can't. */
export interface EndNoticesState {
  readonly status: 'off' | 'on' | 'refused' | 'none';
}

export interface EndNoticesNeeds {
  /** Null: this browser has none. */
  readonly system: SystemNotices | null;
  readonly jobs: Pick<StoreApi<JobsState>, 'subscribe'>;
  /** Remembers for this window that the person wants it. */
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;
}

const key = 'wellbench.end-notices';

/** The jobs that came to an end by themselves; one that was stopped, or was over when we came, is no news. */
export function ended(before: readonly Job[], now: readonly Job[]): Job[] {
  const known = new Map(before.map((job) => [job.id, job.state]));
  return now.filter(({ id, state }) => {
    const old = known.get(id);
    return old !== undefined && stoppable(old) && (state === 'done' || state === 'failed');
  });
}

function inWords(job: Job): readonly [title: string, body: string] {
  return job.state === 'done'
    ? [words.jobs.endNotices.done(job.file), outcomeInWords(job).join(', ')]
    : [words.jobs.endNotices.failed(job.file), job.error?.message ?? ''];
}

export function createEndNotices({ system, jobs, storage }: EndNoticesNeeds) {
  const wanted = storage.getItem(key) !== null;
  const store = createStore<EndNoticesState>()(() => ({
    status: system === null ? 'none' : wanted && system.permission() === 'granted' ? 'on' : 'off',
  }));

  function tell(job: Job): void {
    try {
      system?.tell(...inWords(job), job.id);
    } catch {
      // Some browsers have notifications of installed pages only. What is said to screen readers is said anyway.
      store.setState({ status: 'none' });
    }
  }

  return {
    store,
    actions: {
      /** Begins or ends to tell; the person is asked for their leave where they were not yet. */
      async turn(on: boolean) {
        if (!on) {
          storage.removeItem(key);
          return store.setState({ status: 'off' });
        }
        if (!system) return;
        const permission = system.permission() === 'default' ? await system.ask() : system.permission();
        if (permission !== 'granted')
          return store.setState({ status: permission === 'denied' ? 'refused' : 'off' });
        storage.setItem(key, 'on');
        store.setState({ status: 'on' });
      },
      /** Tells of the jobs that end, until the signal aborts. */
      follow(signal: AbortSignal) {
        const stop = jobs.subscribe((now, before) => {
          if (now.jobs === before.jobs || store.getState().status !== 'on' || system?.watched()) return;
          ended(before.jobs, now.jobs).forEach(tell);
        });
        signal.addEventListener('abort', stop, { once: true });
      },
    },
  };
}

export type EndNotices = ReturnType<typeof createEndNotices>;

declare module '../../state/contexts.ts' {
  interface App {
    readonly endNotices: EndNotices;
  }
}
