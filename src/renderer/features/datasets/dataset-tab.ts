import { createStore } from 'zustand/vanilla';
import type {
  Dataset,
  DatasetAddress,
  DatasetExtent,
  DatasetFields,
  ScopeField,
} from '../../../shared/datasets/datasets.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { Api } from '../../api/api.ts';
import { createLatestTask } from '../../state/latest-task.ts';
import {
  emptyLoadingList,
  interruptList,
  applyEvent,
  notLoaded,
  type StreamedList,
  type Freshness,
} from '../../state/streamed-list.ts';
import { failed, loaded, idle, load, loading, type Loadable } from '../../state/loadable.ts';
import { sameScope, type ScopedWell } from '../wells/scope.ts';
import { chosenWells } from './chosen-wells.ts';

export interface DatasetTabState {
  /** What the list said at first, then the single definition. */
  readonly dataset: Dataset;
  readonly definition: Loadable<Dataset>;
  /** How far the definition can be trusted: it may have been kept from an earlier time. */
  readonly freshness: Freshness;
  /** The wells that fields and extent are of. */
  readonly wells: readonly ScopedWell[];
  readonly fields: Loadable<DatasetFields>;
  readonly extent: Loadable<DatasetExtent>;
  /** Which fields are looked for. */
  readonly search: string;
}

export interface DatasetTabNeeds {
  readonly api: {
    readonly datasets: Pick<Api['datasets'], 'fields' | 'extent'>;
    readonly catalogue: Pick<Api['catalogue'], 'dataset'>;
  };
  /** Told what the records show to scope them. */
  readonly learnt: (dataset: DatasetAddress, scope: ScopeField | null) => void;
}

export interface DatasetTabSubject {
  readonly connection: string;
  readonly dataset: Dataset;
  /** The wells that are chosen in the window now. */
  readonly wells: () => readonly ScopedWell[];
}

/** All that is known of one dataset: its definition, its fields, and how much of it some wells have. */
export function createDatasetTab(
  { api, learnt }: DatasetTabNeeds,
  { connection, dataset, wells }: DatasetTabSubject,
) {
  const store = createStore<DatasetTabState>()(() => ({
    dataset,
    definition: idle,
    freshness: notLoaded,
    wells: wells(),
    fields: idle,
    extent: idle,
    search: '',
  }));
  const { getState, setState } = store;
  const running = { definition: createLatestTask(), fields: createLatestTask(), extent: createLatestTask() };
  const address = { connection, provider: dataset.provider, dataset: dataset.dataset };

  /** Asks for one part; what was there before stays in view until the new one has come. */
  async function ask<Part extends 'fields' | 'extent'>(
    part: Part,
    task: (signal: AbortSignal) => Promise<PartOf<Part>>,
  ): Promise<void> {
    setState({ [part]: loading });
    await load(running[part], task, (now) => setState({ [part]: now }));
  }

  const actions = {
    async load(): Promise<void> {
      await Promise.all([actions.loadDefinition(), actions.loadFields(), actions.loadExtent()]);
    },
    async loadDefinition(): Promise<void> {
      let coming: StreamedList<Dataset> = emptyLoadingList;
      setState({ definition: loading, freshness: coming.freshness });
      const show = (heardNow: StreamedList<Dataset>): void => {
        coming = heardNow;
        const [found] = coming.items;
        setState({
          freshness: coming.freshness,
          ...(found ? { dataset: found, definition: loaded(found) } : {}),
        });
      };
      /** What was kept stands when the service can't be asked. */
      const end = (error: AppError | null): void => {
        show(interruptList(coming, error));
        if (coming.items.length === 0) setState({ definition: error ? failed(error) : idle });
      };
      await running.definition.run(
        async (signal) => {
          for await (const event of await api.catalogue.dataset(address, { signal })) {
            if (signal.aborted) return;
            show(applyEvent(coming, event));
          }
        },
        { onDone: () => undefined, onFailed: end, onCanceled: () => end(null) },
      );
    },
    loadFields: (): Promise<void> =>
      ask('fields', (signal) =>
        api.datasets.fields({ ...address, ...chosenWells(getState().wells) }, { signal }),
      ),
    loadExtent: (): Promise<void> =>
      ask('extent', async (signal) => {
        const asked = { ...address, ...chosenWells(getState().wells), type: getState().dataset.type };
        const extent = await api.datasets.extent(asked, { signal });
        if (asked.assets.length > 0 && !extent.problem) learnt(dataset, extent.scope);
        return extent;
      }),
    /** The tab has come into view while these wells are chosen: what is not there yet is asked for. */
    look(chosen: readonly ScopedWell[]): void {
      if (getState().definition.status !== 'idle') return actions.forWells(chosen);
      setState({ wells: chosen });
      void actions.load();
    },
    /** Asks for the fields and the extent of other wells. */
    forWells(others: readonly ScopedWell[]): void {
      if (sameScope(getState().wells, others)) return;
      setState({ wells: others });
      void actions.loadFields();
      void actions.loadExtent();
    },
    cancel(): void {
      for (const each of Object.values(running)) each.cancel();
    },
    search: (search: string): void => setState({ search }),
    /** Ends what runs. */
    close(): void {
      for (const each of Object.values(running)) each.drop();
    },
  };
  return { store, actions, dataset };
}

type PartOf<Part extends 'fields' | 'extent'> =
  DatasetTabState[Part] extends Loadable<infer Value> ? Value : never;

export type DatasetTab = ReturnType<typeof createDatasetTab>;

declare module '../../state/contexts.ts' {
  interface TabParts {
    readonly dataset: DatasetTab;
  }
}
