import { expect, it } from 'vitest';
import { createDatasetIndexes } from '../../../../../src/renderer/features/query/editing/dataset-indexes.ts';
import type { CatalogueEvent } from '../../../../../src/shared/contract/catalogue.ts';
import type { Dataset } from '../../../../../src/shared/datasets/datasets.ts';
import { addressText } from '../../../../../src/renderer/features/datasets/search.ts';
import { made } from '../../datasets/made.ts';

const wits = made('wits', { friendlyName: 'WITS' });
const indexes: Dataset['indexes'] = [[{ path: 'timestamp', direction: 1 }]] as never;

function indexesWith({ fails = false, kept }: { fails?: boolean; kept?: Dataset['indexes'] } = {}) {
  const state = { requests: 0, fails };
  const catalogue = {
    dataset: async () => {
      state.requests += 1;
      return (async function* events(): AsyncGenerator<CatalogueEvent<Dataset>> {
        if (kept) yield { kind: 'items', source: 'kept', items: [{ ...wits, indexes: kept }] };
        if (state.fails) throw new Error('no');
        yield { kind: 'items', source: 'service', items: [{ ...wits, indexes }] };
      })() as never;
    },
  };
  const { store, actions } = createDatasetIndexes({ catalogue }, 'c');
  return { actions, state, found: () => store.getState().indexes[addressText(wits)] };
}

it('the definition of a dataset is read once, and only when the list had no indexes', async () => {
  const { actions, state, found } = indexesWith();
  await Promise.all([actions.load(wits), actions.load(wits)]);
  expect(state.requests).toBe(1);
  expect(found()).toEqual(indexes);
  const other = indexesWith();
  await other.actions.load({ ...wits, indexes });
  expect(other.state.requests).toBe(0);
  expect(other.found()).toEqual(indexes);
});

it('a failure is silent, and the definition is requested again', async () => {
  const { actions, state, found } = indexesWith({ fails: true });
  await actions.load(wits);
  expect(found()).toBeUndefined();
  state.fails = false;
  await actions.load(wits);
  expect(found()).toEqual(indexes);
});

it('offline, the indexes are the stored ones', async () => {
  const { actions, found } = indexesWith({ fails: true, kept: indexes });
  await actions.load(wits);
  expect(found()).toEqual(indexes);
});
