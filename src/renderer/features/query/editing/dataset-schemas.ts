import { createStore } from 'zustand/vanilla';
import type { Dataset, DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import type { DatasetField } from '../../../../shared/datasets/fields.ts';
import type { Api } from '../../../api/api.ts';
import { streamDefinition, type DefinitionSource } from '../../datasets/definitions.ts';

/** What was learnt of a dataset beyond its entry in the list. */
export interface Learnt {
  readonly indexes: Dataset['indexes'];
  readonly fields: readonly DatasetField[];
}

export interface LearntState {
  /** By {@link addressOf}. */
  readonly known: Readonly<Record<string, Learnt>>;
}

export const addressOf = ({ provider, dataset }: Pick<Dataset, 'provider' | 'dataset'>): string =>
  `${provider}/${dataset}`;

/** The definitions and fields of the datasets that are asked, for whoever helps with typing. */
export function createLearnt(
  api: DefinitionSource & { readonly datasets: Pick<Api['datasets'], 'fields'> },
  connection: string,
) {
  const store = createStore<LearntState>()(() => ({ known: {} }));
  const asked = new Set<string>();
  const keep = (address: string, learnt: Partial<Learnt>) =>
    store.setState(({ known }) => {
      const before = known[address] ?? { indexes: [], fields: [] };
      return { known: { ...known, [address]: { ...before, ...learnt } } };
    });

  /** With no link the indexes are those that were kept. */
  async function learnIndexes(address: string, target: DatasetAddress & { readonly connection: string }) {
    for await (const { indexes } of streamDefinition(api, target)) keep(address, { indexes });
  }

  const actions = {
    /** Asks for definition and fields of a dataset, once; fails in silence, for typing goes on without them. */
    async learn(dataset: Dataset, assets: readonly number[]): Promise<void> {
      const address = addressOf(dataset);
      if (asked.has(address)) return;
      asked.add(address);
      const target = { connection, provider: dataset.provider, dataset: dataset.dataset };
      // What fails is asked for again when the next tab of the dataset is opened.
      const again = () => void asked.delete(address);
      await Promise.all([
        dataset.indexes.length > 0
          ? keep(address, { indexes: dataset.indexes })
          : learnIndexes(address, target).catch(again),
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
    readonly learnt: ReturnType<typeof createLearnt>;
  }
}
