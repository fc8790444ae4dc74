import { createStore } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors/errors.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import type { Records } from '../records/records.ts';
import type { Result } from './results.ts';

/** The maximum number of rows for a plot, about as many as memory allows. */
export const maxLoadedRows = 1_000_000;

/** The progress of loading all matching rows. `done`: rows processed. */
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
      const { rows, isComplete } = records.shape();
      const to = Math.min(rows, maxLoadedRows);
      const from = done;
      const onEvent = (more: number): void => {
        done = from + more;
        if (!signal.aborted) store.setState({ status: 'running', done }, true);
      };
      if (to > from) await records.load({ from, to }, { onEvent, signal });
      // Without a total, the number grows with each page.
      if (isComplete || to === maxLoadedRows) return;
    }
  }

  return {
    store,
    actions: {
      /** Loads up to {@link maxLoadedRows} rows. Loaded rows stay after a stop. */
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

/** Whether more records match than were requested, as far as known. */
export const isLimited = ({ isUnlimited, limit, records }: Result): boolean =>
  !isUnlimited && limit !== null && records >= limit;

/** Whether these rows are all matching records: none were skipped, none remain. */
export function isCompleteResult(result: Result, rows: number): boolean {
  const { request, held } = result;
  const { rows: reach, isComplete } = held.shape();
  const skips = 'skip' in request.request ? request.request.skip : 0;
  return isComplete && rows >= reach && skips === 0 && !isLimited(result);
}
