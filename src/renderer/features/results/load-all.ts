import { createStore } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors/errors.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import type { Records } from '../records/records.ts';

/** More is not loaded for a plot: a screen shows no more, and about as many are held. */
export const mostLoaded = 1_000_000;

/** Whether all that matches is being loaded. `done`: how many rows have been gone through. */
export type LoadState =
  | { readonly status: 'idle' }
  | { readonly status: 'running'; readonly done: number }
  | { readonly status: 'failed'; readonly error: AppError };

export type LoadAll = ReturnType<typeof createLoadAll>;

const idle = { status: 'idle' } as const;

export function createLoadAll() {
  const store = createStore<LoadState>()(() => idle);
  const loading = createLatestTask();
  const settle = () => store.setState(idle, true);

  async function load(records: Records, signal: AbortSignal): Promise<void> {
    let done = 0;
    for (;;) {
      const { rows, complete } = records.shape();
      const to = Math.min(rows, mostLoaded);
      const from = done;
      const onProgress = (more: number): void => {
        done = from + more;
        if (!signal.aborted) store.setState({ status: 'running', done }, true);
      };
      if (to > from) await records.load({ from, to }, { onProgress, signal });
      // Where the service says no total it grows as pages come.
      if (complete || to === mostLoaded) return;
    }
  }

  return {
    store,
    actions: {
      /** Loads what can be scrolled to, up to {@link mostLoaded}; what is loaded stays when it is stopped. */
      async start(records: Records) {
        store.setState({ status: 'running', done: 0 }, true);
        await loading.run((signal) => load(records, signal), {
          onDone: settle,
          onCanceled: settle,
          onFailed: (error) => store.setState({ status: 'failed', error }, true),
        });
      },
      stop() {
        loading.drop();
        settle();
      },
    },
  };
}
