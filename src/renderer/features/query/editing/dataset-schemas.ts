import { createStore } from 'zustand/vanilla';
import type { Dataset, DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';
import type { Api } from '../../../api/api.ts';
import { streamDefinition, type DefinitionSource } from '../../datasets/definitions.ts';

/** Details of a dataset that the list doesn't have. */
export interface DatasetSchema {
  readonly indexes: Dataset['indexes'];
  readonly fields: readonly DatasetField[];
}

export interface DatasetSchemaState {
  /** By {@link addressOf}. */
  readonly schemas: Readonly<Record<string, DatasetSchema>>;
}

export const addressOf = ({ provider, dataset }: Pick<Dataset, 'provider' | 'dataset'>): string =>
  `${provider}/${dataset}`;

/** Definitions and fields of datasets, for completion and checks. */
export function createDatasetSchemas(
  api: DefinitionSource & { readonly datasets: Pick<Api['datasets'], 'fields'> },
  connection: string,
) {
  const store = createStore<DatasetSchemaState>()(() => ({ schemas: {} }));
  const requested = new Set<string>();
  const keep = (address: string, details: Partial<DatasetSchema>) =>
    store.setState(({ schemas }) => {
      const before = schemas[address] ?? { indexes: [], fields: [] };
      return { schemas: { ...schemas, [address]: { ...before, ...details } } };
    });

  /** Without a link, the stored indexes apply. */
  async function loadIndexes(address: string, target: DatasetAddress & { readonly connection: string }) {
    for await (const { indexes } of streamDefinition(api, target)) keep(address, { indexes });
  }

  const actions = {
    /**
     * Loads the definition and the fields of a dataset once. Failures are silent, because typing works
     * without them.
     */
    async load(dataset: Dataset, assets: readonly number[]): Promise<void> {
      const address = addressOf(dataset);
      if (requested.has(address)) return;
      requested.add(address);
      const target = { connection, provider: dataset.provider, dataset: dataset.dataset };
      // A failed request is repeated for the next tab of the dataset.
      const again = () => void requested.delete(address);
      await Promise.all([
        dataset.indexes.length > 0
          ? keep(address, { indexes: dataset.indexes })
          : loadIndexes(address, target).catch(again),
        api.datasets
          .fields({ ...target, assets: assets.slice(0, 100) })
          .then(({ fields }) => keep(address, { fields }), again),
      ]);
    },
  };
  return { store, actions };
}

declare module '../../../state/contexts.ts' {
  interface Session {
    readonly datasetSchemas: ReturnType<typeof createDatasetSchemas>;
  }
}
