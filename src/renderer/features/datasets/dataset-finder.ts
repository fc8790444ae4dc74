import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { Datasets } from './datasets.ts';
import { streamDefinition, type DefinitionSource } from './definitions.ts';
import { valueOr } from '../../state/loadable.ts';

/**
 * Finds a dataset's definition: in the list, in the local store, or at the service. Concurrent callers share
 * a request.
 * @throws AppError `not_found` if it no longer exists
 */
export function datasetFinder(api: DefinitionSource, datasets: Pick<Datasets, 'store'>, connection: string) {
  const requests = new Map<string, Promise<Dataset>>();
  const listed = ({ provider, dataset }: DatasetAddress): Dataset | undefined =>
    valueOr(datasets.store.getState().list, []).find(
      (one) => one.provider === provider && one.dataset === dataset,
    );

  /** The first definition that arrives. */
  async function single(address: DatasetAddress, signal: AbortSignal): Promise<Dataset> {
    for await (const found of streamDefinition(api, { connection, ...address }, signal)) return found;
    throw new AppError('not_found', { service: 'data', what: `${address.provider}/${address.dataset}` });
  }

  /** The first result of the list, which may still be loading, or of the service. */
  async function find(address: DatasetAddress): Promise<Dataset> {
    const { promise, resolve } = Promise.withResolvers<Dataset>();
    const stop = datasets.store.subscribe(() => {
      const found = listed(address);
      if (found) resolve(found);
    });
    const controller = new AbortController();
    const request = single(address, controller.signal).catch((error: unknown) => {
      const late = listed(address);
      if (late) return late;
      throw error;
    });
    try {
      return await Promise.race([promise, request]);
    } finally {
      stop();
      controller.abort();
    }
  }

  return ({ provider, dataset }: DatasetAddress): Promise<Dataset> => {
    const address = { provider, dataset };
    const known = listed(address);
    if (known) return Promise.resolve(known);
    const key = JSON.stringify([provider, dataset]);
    const asking = requests.get(key) ?? find(address).finally(() => requests.delete(key));
    requests.set(key, asking);
    return asking;
  };
}
