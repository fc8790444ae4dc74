import type { Dataset, DatasetAddress } from '../../shared/datasets/datasets.ts';
import { AppError } from '../../shared/errors/errors.ts';
import type { Datasets } from '../features/datasets/datasets.ts';
import { streamDefinition, type DefinitionSource } from '../features/datasets/definitions.ts';
import { valueOr } from '../state/loadable.ts';

/**
 * Finds the definition of a dataset: among those that are listed, or kept from an earlier time, else at the service;
 * many who look for the same one ask once. @throws AppError `not_found` for one that is gone
 */
export function datasetFinder(api: DefinitionSource, datasets: Pick<Datasets, 'store'>, connection: string) {
  const asked = new Map<string, Promise<Dataset>>();
  const listed = ({ provider, dataset }: DatasetAddress): Dataset | undefined =>
    valueOr(datasets.store.getState().list, []).find(
      (one) => one.provider === provider && one.dataset === dataset,
    );

  /** The first that is said of it. */
  async function single(address: DatasetAddress, signal: AbortSignal): Promise<Dataset> {
    for await (const found of streamDefinition(api, { connection, ...address }, signal)) return found;
    throw new AppError('not_found', { service: 'data', what: `${address.provider}/${address.dataset}` });
  }

  /** Whichever knows it first: the list, which may only be coming in, or the service. */
  async function find(address: DatasetAddress): Promise<Dataset> {
    const { promise, resolve } = Promise.withResolvers<Dataset>();
    const stop = datasets.store.subscribe(() => {
      const found = listed(address);
      if (found) resolve(found);
    });
    const ended = new AbortController();
    const asking = single(address, ended.signal).catch((error: unknown) => {
      const late = listed(address);
      if (late) return late;
      throw error;
    });
    try {
      return await Promise.race([promise, asking]);
    } finally {
      stop();
      ended.abort();
    }
  }

  return ({ provider, dataset }: DatasetAddress): Promise<Dataset> => {
    const address = { provider, dataset };
    const known = listed(address);
    if (known) return Promise.resolve(known);
    const key = JSON.stringify([provider, dataset]);
    const asking = asked.get(key) ?? find(address).finally(() => asked.delete(key));
    asked.set(key, asking);
    return asking;
  };
}
