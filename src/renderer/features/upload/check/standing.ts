import type { StoreApi } from 'zustand/vanilla';
import type { Api } from '../../../api/api.ts';
import { latest } from '../../../state/latest.ts';
import { failed, full, idle, loading } from '../../../state/loadable.ts';
import { lookQueryOf } from './look-query.ts';
import type { UploadTabState } from '../upload-state.ts';

/** What stands in the dataset already where the rows of the file belong. */
export interface StandingRecords {
  readonly count: () => Promise<void>;
  readonly cancel: () => void;
  /** Rows, wells or dataset are others than those that were counted. */
  readonly forget: () => void;
}

/**
 * Whether existing records have to be skipped and can't be read for lack of permission: sending would then fail before its
 * first row.
 */
export const cannotCompare = ({ standing, existing }: UploadTabState): boolean =>
  existing === 'skip' && standing.face === 'failed' && standing.error.is('forbidden');

export interface StandingNeeds {
  readonly store: StoreApi<UploadTabState>;
  readonly api: Pick<Api['query'], 'count'>;
  readonly connection: string;
}

export function createStanding({ store, api, connection }: StandingNeeds): StandingRecords {
  const counting = latest();
  return {
    async count() {
      const state = store.getState();
      const { dataset } = state;
      const look = lookQueryOf(state);
      if (!dataset || !look) return;
      store.setState({ standing: loading });
      const { provider, dataset: name } = dataset;
      await counting.run(
        (signal) => api.count({ connection, provider, dataset: name, query: look.query }, { signal }),
        {
          done: ({ count }) => store.setState({ standing: full(count) }),
          failed: (error) => store.setState({ standing: failed(error) }),
          cancelled: () => store.setState({ standing: idle }),
        },
      );
    },
    cancel: counting.cancel,
    forget() {
      counting.drop();
      if (store.getState().standing !== idle) store.setState({ standing: idle });
    },
  };
}
