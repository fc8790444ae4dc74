import type { Dataset, Holding } from '../../../shared/datasets/datasets.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { Api } from '../../api/api.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import type { WellIds } from './well-ids.ts';
import { addressText } from './search.ts';

/** The progress of the search for datasets with data of the selected wells. */
type HoldingsRequest =
  | { readonly status: 'idle' | 'done' }
  | { readonly status: 'running'; readonly checkedCount: number; readonly total: number }
  /** Stopped by the user, or by an error. */
  | { readonly status: 'stopped'; readonly error: AppError | null };

export interface HoldingsState {
  /** Results, by address. */
  readonly byDataset: ReadonlyMap<string, Holding>;
  readonly request: HoldingsRequest;
}

export const noHoldings: HoldingsState = { byDataset: new Map(), request: { status: 'idle' } };

interface HoldingsDependencies {
  readonly api: { readonly datasets: Pick<Api['datasets'], 'holdings'> };
  readonly get: () => HoldingsState;
  readonly set: (state: HoldingsState) => void;
  readonly schedule: (ms: number, act: () => void) => void;
}

/** Results are rendered in batches: each one would render the list again. */
const batchMs = 100;

/** Finds the datasets with data of the selected wells, one by one. */
export function createHoldings({ api, get, set, schedule }: HoldingsDependencies) {
  const searchTask = createLatestTask();

  async function search(
    request: Parameters<Api['datasets']['holdings']>[0],
    signal: AbortSignal,
  ): Promise<void> {
    const total = request.datasets.length;
    let checkedCount = 0;
    let batch: Holding[] = [];
    let isScheduled = false;
    const show = (): void => {
      isScheduled = false;
      if (signal.aborted || batch.length === 0) return;
      const byDataset = new Map(get().byDataset);
      for (const holding of batch) byDataset.set(addressText(holding), holding);
      batch = [];
      set({ byDataset, request: { status: 'running', checkedCount, total } });
    };
    try {
      for await (const holding of await api.datasets.holdings(request, { signal })) {
        checkedCount += 1;
        batch.push(holding);
        if (isScheduled) continue;
        isScheduled = true;
        schedule(batchMs, show);
      }
    } finally {
      // The last results come before the end: shown later, the search would seem to run.
      show();
    }
  }

  return {
    /** Starts with the datasets without a result; a running search is aborted. */
    async start(connection: string, wells: WellIds, datasets: readonly Dataset[]): Promise<void> {
      const { byDataset } = get();
      const unknown = datasets.filter((dataset) => !byDataset.has(addressText(dataset)));
      if (unknown.length === 0) {
        searchTask.drop();
        set({ byDataset, request: { status: 'done' } });
        return;
      }
      set({ byDataset, request: { status: 'running', checkedCount: 0, total: unknown.length } });
      const request = {
        connection,
        ...wells,
        datasets: unknown.map(({ provider, dataset, type }) => ({ provider, dataset, type })),
      };
      await searchTask.run((signal) => search(request, signal), {
        onDone: () => set({ ...get(), request: { status: 'done' } }),
        onFailed: (error) => set({ ...get(), request: { status: 'stopped', error } }),
        onCanceled: () => set({ ...get(), request: { status: 'stopped', error: null } }),
      });
    },
    cancel: (): void => searchTask.cancel(),
    /** Resets the results, as when other wells are selected. */
    reset(): void {
      searchTask.drop();
      set(noHoldings);
    },
  };
}
