import { createStore } from 'zustand/vanilla';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import type { DatasetExtent, DatasetFields } from '../../../shared/contract/catalogue.ts';
import type { Api } from '../../api/api.ts';
import type { Datasets } from '../datasets/datasets.ts';
import type { FieldCatalogue } from '../datasets/field-catalogue.ts';
import { createDefinitions } from '../datasets/definitions.ts';
import { idle, type Loadable } from '../../state/loadable.ts';
import { notLoaded, Resource, valueOrFailure, type Freshness } from '../../state/resource.ts';
import { sameScope, type ScopedWell } from '../../../shared/wells/wells.ts';
import { wellIdsOf, type WellIds } from '../datasets/well-ids.ts';

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

const settleMs = 400;

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
  const address = { connection, provider: dataset.provider, dataset: dataset.dataset };
  const definitions = createDefinitions(api, ({ freshness, ...definition }) =>
    setState({
      definition,
      freshness,
      ...(definition.status === 'loaded' ? { dataset: definition.value } : {}),
    }),
  );
  async function readExtent(wells: WellIds, signal: AbortSignal): Promise<DatasetExtent> {
    const query = { ...address, ...wells, type: getState().dataset.type };
    const extent = await api.datasets.extent(query, { signal });
    if (query.assets.length > 0 && !extent.problem) datasets.actions.learnedScope(dataset, extent.scope);
    return extent;
  }
  const extents = new Resource(readExtent, {
    idOf: () => null,
    onChange: (extent) => setState({ extent: valueOrFailure(extent) }),
  });

  const fieldsKey = () => ({ connection, address: dataset, wells: wellIdsOf(getState().wells) });
  // Also a unit that the user sets elsewhere.
  const stopWatching = catalogue.store.subscribe((answers, before) => {
    const fields = catalogue.of(answers, fieldsKey());
    if (fields !== catalogue.of(before, fieldsKey())) setState({ fields: valueOrFailure(fields) });
  });

  let isInView = false;
  let settling: ReturnType<typeof setTimeout> | undefined;
  function loadForWells(): void {
    if (sameScope(getState().wells, wells())) return;
    setState({ wells: wells() });
    void actions.loadFields();
    void actions.loadExtent();
  }

  const actions = {
    async load(): Promise<void> {
      await Promise.all([actions.loadDefinition(), actions.loadFields(), actions.loadExtent()]);
    },
    loadDefinition: (): Promise<void> => definitions.refresh(address),
    loadFields: (): Promise<void> => catalogue.refresh(fieldsKey()),
    loadExtent(): Promise<void> {
      extents.clear();
      return extents.refresh(wellIdsOf(getState().wells));
    },
    /**
     * In view, it loads what is missing, and what belongs to other wells: they are selected one after another, so only the
     * final selection is requested.
     */
    setVisible(isVisible: boolean): void {
      clearTimeout(settling);
      const isShown = isVisible && !isInView;
      isInView = isVisible;
      if (isShown && getState().definition.status === 'idle') {
        setState({ wells: wells() });
        void actions.load();
      } else if (isVisible) settling = setTimeout(loadForWells, settleMs);
    },
    cancel: {
      definition: (): void => definitions.cancel(address),
      fields: (): void => catalogue.cancel(fieldsKey()),
      extent: (): void => extents.cancel(wellIdsOf(getState().wells)),
    },
    search: (search: string): void => setState({ search }),
    /** Aborts all tasks. */
    close(): void {
      clearTimeout(settling);
      stopWatching();
      definitions.clear();
      extents.clear();
    },
  };
  return { store, actions, dataset };
}

export type DatasetTab = ReturnType<typeof createDatasetTab>;
