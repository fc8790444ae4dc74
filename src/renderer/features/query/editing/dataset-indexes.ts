import { createStore } from 'zustand/vanilla';
import type { Dataset } from '../../../../shared/datasets/datasets.ts';
import { addressText } from '../../datasets/search.ts';
import { streamDefinition, type DefinitionSource } from '../../datasets/definitions.ts';

interface DatasetIndexesState {
  /** By the text of their address. */
  readonly indexes: Readonly<Record<string, Dataset['indexes']>>;
}

/** The indexes of datasets, which the list doesn't have, for completion and checks. */
export function createDatasetIndexes(api: DefinitionSource, connection: string) {
  const store = createStore<DatasetIndexesState>()(() => ({ indexes: {} }));
  const requested = new Set<string>();
  const keep = (address: string, definedIndexes: Dataset['indexes']) =>
    store.setState(({ indexes }) => ({ indexes: { ...indexes, [address]: definedIndexes } }));

  const actions = {
    /** Loads the indexes of a dataset once. Failures are silent, because typing works without them. */
    async load({ provider, dataset, indexes: listed }: Dataset): Promise<void> {
      const address = addressText({ provider, dataset });
      if (requested.has(address)) return;
      requested.add(address);
      if (listed.length > 0) return keep(address, listed);
      try {
        // Without a link, the stored indexes apply.
        for await (const { indexes } of streamDefinition(api, { connection, provider, dataset }))
          keep(address, indexes);
      } catch {
        // It is requested again for the next tab of the dataset.
        requested.delete(address);
      }
    },
  };
  return { store, actions };
}

export type DatasetIndexes = ReturnType<typeof createDatasetIndexes>;
