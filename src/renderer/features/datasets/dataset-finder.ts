import {
  addressOf,
  isSameAddress,
  type Dataset,
  type DatasetAddress,
} from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { Datasets } from './datasets.ts';
import { streamDefinition, type DefinitionSource } from './definitions.ts';
import { addressText } from './search.ts';
import { valueOr } from '../../state/loadable.ts';

/** What finding a dataset needs of a session. */
interface DatasetSource {
  readonly app: { readonly api: DefinitionSource };
  readonly datasets: Pick<Datasets, 'store'>;
  readonly connection: string;
}

/** Running requests, by the datasets of a session and by address. */
const requests = new WeakMap<object, Map<string, Promise<Dataset>>>();

const listed = ({ store }: DatasetSource['datasets'], address: DatasetAddress) =>
  valueOr(store.getState().list, []).find((dataset) => isSameAddress(dataset, address));

/** The first definition that arrives. */
async function single(
  { app, connection }: DatasetSource,
  address: DatasetAddress,
  signal: AbortSignal,
): Promise<Dataset> {
  for await (const definition of streamDefinition(app.api, { connection, ...address }, signal))
    return definition;
  throw new AppError('not_found', { service: 'data', what: addressText(address) });
}

/** The first result of the list, which may still be loading, or of the service. */
async function firstFound(session: DatasetSource, address: DatasetAddress): Promise<Dataset> {
  const { datasets } = session;
  const { promise, resolve } = Promise.withResolvers<Dataset>();
  const stop = datasets.store.subscribe(() => {
    const listedDataset = listed(datasets, address);
    if (listedDataset) resolve(listedDataset);
  });
  const controller = new AbortController();
  const request = single(session, address, controller.signal).catch((error: unknown) => {
    const late = listed(datasets, address);
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

/**
 * Finds a dataset's definition: in the list, in the local store, or at the service. Concurrent callers share
 * a request.
 * @throws AppError `not_found` if it no longer exists
 */
export async function findDataset(session: DatasetSource, of: DatasetAddress): Promise<Dataset> {
  const address = addressOf(of);
  const listedDataset = listed(session.datasets, address);
  if (listedDataset) return listedDataset;
  const running = requests.get(session.datasets) ?? new Map<string, Promise<Dataset>>();
  requests.set(session.datasets, running);
  const key = addressText(address);
  const request = running.get(key) ?? firstFound(session, address).finally(() => running.delete(key));
  running.set(key, request);
  return request;
}
