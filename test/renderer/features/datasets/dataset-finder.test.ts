import { describe, expect, it } from 'vitest';
import { createStore } from 'zustand/vanilla';
import { findDataset } from '../../../../src/renderer/features/datasets/dataset-finder.ts';
import { createDefinitions } from '../../../../src/renderer/features/datasets/definitions.ts';
import { defaults, type DatasetsState } from '../../../../src/renderer/features/datasets/datasets.ts';
import { loaded } from '../../../../src/renderer/state/loadable.ts';
import type { CatalogueEvent } from '../../../../src/shared/contract/catalogue.ts';
import type { Dataset, DatasetAddress } from '../../../../src/shared/datasets/datasets.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { made } from './made.ts';

const unreachable = new AppError('unreachable', { service: 'data', host: 'data.test', reason: 'refused' });
const logs = { provider: 'demo', dataset: 'logs' };

function finding(answer: () => AsyncIterable<CatalogueEvent<Dataset>>) {
  const store = createStore<DatasetsState>()(() => defaults);
  const requests = { times: 0, aborted: false };
  const catalogue = {
    dataset: async (_address: object, options?: { signal?: AbortSignal }) => {
      requests.times += 1;
      options?.signal?.addEventListener('abort', () => (requests.aborted = true));
      return answer() as never;
    },
  };
  const definitions = createDefinitions({ catalogue }, () => undefined);
  const session = { datasets: { store, definitions }, connection: 'c' };
  const find = (address: DatasetAddress) => findDataset(session, address);
  return {
    find,
    requests,
    list: (...names: string[]) => store.setState({ list: loaded(names.map((n) => made(n))) }),
  };
}
async function* kept(name: string): AsyncGenerator<CatalogueEvent<Dataset>> {
  yield { kind: 'items', source: 'kept', items: [made(name)] };
  throw unreachable;
}
async function* never(): AsyncGenerator<CatalogueEvent<Dataset>> {
  yield await new Promise<never>(() => undefined);
}
const fails = (error: AppError): AsyncIterable<CatalogueEvent<Dataset>> => ({
  [Symbol.asyncIterator]: () => ({
    next: async () => {
      throw error;
    },
  }),
});

describe('the dataset of a tab', () => {
  it('is found in the list, without a request', async () => {
    const { find, requests, list } = finding(never);
    list('logs');
    expect(await find(logs)).toEqual(made('logs'));
    expect(requests.times).toBe(0);
  });

  it('is found in the stored list when offline', async () => {
    const { find } = finding(() => kept('logs'));
    expect(await find(logs)).toEqual(made('logs'));
  });

  it('is found in a list that arrives meanwhile, without a further request', async () => {
    const { find, requests, list } = finding(never);
    const both = [find(logs), find(logs)];
    list('other', 'logs');
    expect(await Promise.all(both)).toEqual([made('logs'), made('logs')]);
    expect(requests).toEqual({ times: 1, aborted: true });
  });

  it('reports why it can’t be found, and is requested again', async () => {
    const { find, requests } = finding(() => fails(unreachable));
    await expect(find(logs)).rejects.toBe(unreachable);
    await expect(find(logs)).rejects.toBe(unreachable);
    expect(requests.times).toBe(2);
  });

  it('is missing if the service doesn’t list it', async () => {
    const { find } = finding(async function* none() {});
    await expect(find(logs)).rejects.toMatchObject({ code: 'not_found' });
  });
});
