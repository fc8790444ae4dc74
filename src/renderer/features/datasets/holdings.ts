import type { Dataset, Holding } from '../../../shared/datasets/datasets.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { Api } from '../../api/api.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import type { ChosenWells } from './chosen-wells.ts';
import { addressInWords } from './search.ts';

/** How far the question which datasets hold data of the chosen wells has come. */
export type Asking =
  | { readonly status: 'idle' | 'done' }
  | { readonly status: 'running'; readonly asked: number; readonly total: number }
  /** Given up by the person, or because nothing could be asked any more. */
  | { readonly status: 'stopped'; readonly error: AppError | null };

export interface HoldingsState {
  /** What is known, by address. */
  readonly known: ReadonlyMap<string, Holding>;
  readonly asking: Asking;
}

export const nothingKnown: HoldingsState = { known: new Map(), asking: { status: 'idle' } };

export interface HoldingsNeeds {
  readonly api: { readonly datasets: Pick<Api['datasets'], 'holdings'> };
  readonly get: () => HoldingsState;
  readonly set: (state: HoldingsState) => void;
  readonly after: (ms: number, act: () => void) => void;
}

/** Answers are shown in batches: each of them would draw the list again. */
const batchMs = 100;

/** Finds out which datasets hold data of the chosen wells, dataset by dataset. */
export function createHoldings({ api, get, set, after }: HoldingsNeeds) {
  const asking = createLatestTask();

  async function listen(
    question: Parameters<Api['datasets']['holdings']>[0],
    signal: AbortSignal,
  ): Promise<void> {
    const total = question.datasets.length;
    let asked = 0;
    let batch: Holding[] = [];
    let waits = false;
    const show = (): void => {
      waits = false;
      if (signal.aborted || batch.length === 0) return;
      const known = new Map(get().known);
      for (const one of batch) known.set(addressInWords(one), one);
      batch = [];
      set({ known, asking: { status: 'running', asked, total } });
    };
    for await (const one of await api.datasets.holdings(question, { signal })) {
      asked += 1;
      batch.push(one);
      if (!waits) {
        waits = true;
        after(batchMs, show);
      }
    }
    show();
  }

  return {
    /** Asks about those of the datasets of which nothing is known; what was being asked before is given up. */
    async ask(connection: string, wells: ChosenWells, datasets: readonly Dataset[]): Promise<void> {
      const { known } = get();
      const unknown = datasets.filter((dataset) => !known.has(addressInWords(dataset)));
      if (unknown.length === 0) {
        asking.drop();
        set({ known, asking: { status: 'done' } });
        return;
      }
      set({ known, asking: { status: 'running', asked: 0, total: unknown.length } });
      const question = {
        connection,
        ...wells,
        datasets: unknown.map(({ provider, dataset, type }) => ({ provider, dataset, type })),
      };
      await asking.run((signal) => listen(question, signal), {
        onDone: () => set({ ...get(), asking: { status: 'done' } }),
        onFailed: (error) => set({ ...get(), asking: { status: 'stopped', error } }),
        onCanceled: () => set({ ...get(), asking: { status: 'stopped', error: null } }),
      });
    },
    cancel: (): void => asking.cancel(),
    /** As when other wells are chosen. */
    forget(): void {
      asking.drop();
      set(nothingKnown);
    },
  };
}
