import {
  addressOf,
  isSameAddress,
  scopeFieldOf,
  type Dataset,
  type DatasetAddress,
} from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { readScope, type ScopeInText } from '../../../shared/language/text/conditions.ts';
import { valueOr } from '../../state/loadable.ts';
import type { Datasets } from './datasets.ts';
import { addressText } from './search.ts';

interface DatasetSource {
  readonly datasets: Pick<Datasets, 'store' | 'definitions'>;
  readonly connection: string;
}

/**
 * Finds a dataset's definition: in the list, which may still be loading, in the local store, or at the service. Concurrent
 * callers share a request.
 * @throws AppError `not_found` if it no longer exists
 */
export async function findDataset(
  { datasets: { store, definitions }, connection }: DatasetSource,
  of: DatasetAddress,
): Promise<Dataset> {
  const address = addressOf(of);
  const key = { connection, ...address };
  const find = (): Dataset | null =>
    valueOr(store.getState().list, []).find((dataset) => isSameAddress(dataset, address)) ??
    valueOr(definitions.get(key), null);
  const listedDataset = find();
  if (listedDataset) return listedDataset;
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = (): void => void (find() && resolve());
  const stops = [store.subscribe(check), definitions.store.subscribe(check), definitions.follow(key)];
  await Promise.race([promise, definitions.load(key)]);
  const { error } = definitions.get(key).freshness;
  for (const stop of stops) stop();
  const dataset = find();
  if (!dataset) throw error ?? new AppError('not_found', { service: 'data', what: addressText(address) });
  return dataset;
}

/** The wells that the conditions of a sent query name; null: its records don't belong to wells. */
export function wellsInConditions(
  datasets: Datasets,
  dataset: Dataset,
  conditions: string,
): ScopeInText | null {
  const learned = datasets.actions.scopeOf(dataset);
  const path = learned === undefined ? scopeFieldOf(dataset.type) : learned;
  return path?.endsWith('asset_id') ? readScope(conditions, path) : null;
}
