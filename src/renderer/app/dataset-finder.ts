import type { Dataset, DatasetAddress } from '../../shared/datasets.ts';
import type { Api } from '../api/api.ts';
import type { Datasets } from '../features/datasets/datasets.ts';
import { valueOr } from '../state/loadable.ts';

/**
 * Finds the definition of a dataset: among those that are listed, else at the service; many who look for the same one
 * ask once. @throws AppError `not_found` for one that is gone
 */
export function datasetFinder(
  api: Pick<Api, 'datasets'>,
  datasets: Pick<Datasets, 'store'>,
  connection: string,
) {
  const asked = new Map<string, Promise<Dataset>>();
  return ({ provider, dataset }: DatasetAddress): Promise<Dataset> => {
    const listed = valueOr(datasets.store.getState().list, []).find(
      (one) => one.provider === provider && one.dataset === dataset,
    );
    if (listed) return Promise.resolve(listed);
    const key = JSON.stringify([provider, dataset]);
    const asking =
      asked.get(key) ?? api.datasets.get({ connection, provider, dataset }).finally(() => asked.delete(key));
    asked.set(key, asking);
    return asking;
  };
}
