import { expect, it } from 'vitest';
import {
  addressOf,
  createDatasetSchemas,
} from '../../../../../src/renderer/features/query/editing/dataset-schemas.ts';
import type { CatalogueEvent } from '../../../../../src/shared/catalogue/catalogue.ts';
import type { Dataset } from '../../../../../src/shared/datasets/datasets.ts';
import { made } from '../../datasets/made.ts';

const wits = made('wits', { friendlyName: 'WITS' });
const indexes: Dataset['indexes'] = [[{ path: 'timestamp', direction: 1 }]] as never;

function schemasWith(fail: { get?: boolean; fields?: boolean } = {}, kept?: Dataset['indexes']) {
  const requests: string[] = [];
  const assets: unknown[] = [];
  const schemas = createDatasetSchemas(
    {
      catalogue: {
        dataset: async () => {
          requests.push('get');
          return (async function* events(): AsyncGenerator<CatalogueEvent<Dataset>> {
            if (kept) yield { kind: 'items', source: 'kept', items: [{ ...wits, indexes: kept }] };
            if (fail.get) throw new Error('no');
            yield { kind: 'items', source: 'service', items: [{ ...wits, indexes }] };
          })() as never;
        },
      },
      datasets: {
        fields: async (input) => {
          requests.push('fields');
          assets.push(input.assets);
          if (fail.fields) throw new Error('no');
          return { fields: [{ path: 'data.rop' }] } as never;
        },
      },
    },
    'c',
  );
  return { schemas, requests, assets, known: () => schemas.store.getState().schemas[addressOf(wits)] };
}

it('a dataset is read once; its definition only when the list had no indexes', async () => {
  const { schemas, requests, known } = schemasWith();
  await Promise.all([schemas.actions.load(wits, []), schemas.actions.load(wits, [])]);
  expect(requests).toEqual(['get', 'fields']);
  expect(known()).toEqual({ indexes, fields: [{ path: 'data.rop' }] });
  const other = schemasWith();
  await other.schemas.actions.load({ ...wits, indexes }, []);
  expect(other.requests).toEqual(['fields']);
  expect(other.known()?.indexes).toEqual(indexes);
});

it('a failure is silent, keeps earlier results, and is requested again', async () => {
  const { schemas, requests, known } = schemasWith({ get: true });
  await schemas.actions.load(wits, []);
  expect(known()).toEqual({ indexes: [], fields: [{ path: 'data.rop' }] });
  await schemas.actions.load(wits, []);
  expect(requests).toEqual(['get', 'fields', 'get', 'fields']);
});

it('offline, the indexes are the stored ones', async () => {
  const { schemas, known } = schemasWith({ get: true, fields: true }, indexes);
  await schemas.actions.load(wits, []);
  expect(known()).toEqual({ indexes, fields: [] });
});

it('at most a hundred wells are read', async () => {
  const { schemas, assets } = schemasWith();
  await schemas.actions.load(
    wits,
    Array.from({ length: 300 }, (_, at) => at),
  );
  expect(assets).toEqual([Array.from({ length: 100 }, (_, at) => at)]);
});
