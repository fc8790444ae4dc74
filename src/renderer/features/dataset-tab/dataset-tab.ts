import { createStore } from 'zustand/vanilla';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { DatasetExtent, DatasetFields } from '../../../shared/contract/catalogue.ts';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { Api } from '../../api/api.ts';
import type { Datasets } from '../datasets/datasets.ts';
import type { FieldCatalogue } from '../datasets/field-catalogue.ts';
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
import { sameScope, type ScopedWell } from '../../../shared/wells/scope.ts';
import { wellIdsOf } from '../datasets/well-ids.ts';

export interface DatasetTabState {
  /** The entry of the list at first, then the definition. */
  readonly dataset: Dataset;
  readonly definition: Loadable<Dataset>;
  /** How current the definition is: it may come from the local store. */
  readonly freshness: Freshness;
  /** The wells that fields and extent refer to. */
  readonly wells: readonly ScopedWell[];
  readonly fields: Loadable<DatasetFields>;
  readonly extent: Loadable<DatasetExtent>;
  readonly search: string;
}

/** What details of a dataset need of the window. */
interface DatasetTabApp {
  readonly api: {
    readonly datasets: Pick<Api['datasets'], 'extent'>;
    readonly catalogue: Pick<Api['catalogue'], 'dataset'>;
  };
  readonly fields: FieldCatalogue;
}

interface DatasetTabSubject {
  readonly connection: string;
  readonly dataset: Dataset;
  /** The wells that are selected now. */
  readonly wells: () => readonly ScopedWell[];
}

/** One dataset: its definition, its fields, and the extent of its data for some wells. */
export function createDatasetTab(
  { api, fields: catalogue }: DatasetTabApp,
  datasets: Pick<Datasets, 'actions'>,
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
  const tasks = { definition: createLatestTask(), fields: createLatestTask(), extent: createLatestTask() };
  const address = { connection, provider: dataset.provider, dataset: dataset.dataset };

  async function loadPart<Value>(
    part: 'fields' | 'extent',
    task: (signal: AbortSignal) => Promise<Value>,
  ): Promise<void> {
    setState({ [part]: loading });
    await load(tasks[part], task, (now) => setState({ [part]: now }));
  }

  // A unit that the user sets elsewhere.
  const stopWatching = catalogue.actions.watchFields(
    connection,
    dataset,
    () => wellIdsOf(getState().wells),
    (next) => {
      if (getState().fields.status === 'loaded') setState({ fields: loaded(next) });
    },
  );

  const actions = {
    async load(): Promise<void> {
      await Promise.all([actions.loadDefinition(), actions.loadFields(), actions.loadExtent()]);
    },
    async loadDefinition(): Promise<void> {
      let coming: StreamedList<Dataset> = emptyLoadingList;
      setState({ definition: loading, freshness: coming.freshness });
      const show = (definition: StreamedList<Dataset>): void => {
        coming = definition;
        const [record] = coming.items;
        setState({
          freshness: coming.freshness,
          ...(record ? { dataset: record, definition: loaded(record) } : {}),
        });
      };
      /** The stored definition stays if the service is unreachable. */
      const end = (error: AppError | null): void => {
        show(interruptList(coming, error));
        if (coming.items.length === 0) setState({ definition: error ? failed(error) : idle });
      };
      await tasks.definition.run(
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
      loadPart('fields', (signal) =>
        catalogue.actions.read(connection, dataset, wellIdsOf(getState().wells), signal),
      ),
    loadExtent: (): Promise<void> =>
      loadPart('extent', async (signal) => {
        const query = { ...address, ...wellIdsOf(getState().wells), type: getState().dataset.type };
        const extent = await api.datasets.extent(query, { signal });
        if (query.assets.length > 0 && !extent.problem) datasets.actions.learnedScope(dataset, extent.scope);
        return extent;
      }),
    /** The tab became visible with these wells selected: loads what is missing. */
    show(selected: readonly ScopedWell[]): void {
      if (getState().definition.status !== 'idle') return actions.forWells(selected);
      setState({ wells: selected });
      void actions.load();
    },
    /** Loads fields and extent for other wells. */
    forWells(wells: readonly ScopedWell[]): void {
      if (sameScope(getState().wells, wells)) return;
      setState({ wells });
      void actions.loadFields();
      void actions.loadExtent();
    },
    cancel: (part: keyof typeof tasks): void => tasks[part].cancel(),
    search: (search: string): void => setState({ search }),
    /** Aborts all tasks. */
    close(): void {
      stopWatching();
      for (const task of Object.values(tasks)) task.drop();
    },
  };
  return { store, actions, dataset };
}

export type DatasetTab = ReturnType<typeof createDatasetTab>;
