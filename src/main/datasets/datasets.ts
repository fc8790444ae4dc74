import type { calls } from '../../shared/contract/contract.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { Services } from '../services/services.ts';
import { getDataset, listDatasets } from './definitions.ts';
import { extentOf } from './extent.ts';
import { fieldsOf } from './fields/fields.ts';
import { holdingsOf } from './holdings.ts';

export interface DatasetsDependencies {
  readonly services: (connectionId: string) => Services;
}

/** What a person does with dataset definitions (specification, section 2.2 and 4.1). */
export function createDatasets({ services }: DatasetsDependencies): RoomHandlers<(typeof calls)['datasets']> {
  return {
    async list({ connection, type, ...filter }, { signal }) {
      const found = await listDatasets(services(connection).data, filter, { signal });
      return type === undefined ? found : found.filter((dataset) => dataset.type === type);
    },
    get: async ({ connection, provider, dataset, tries: maxTries }, { signal }) =>
      getDataset(services(connection).data, { provider, dataset }, { signal, maxTries }),
    fields: async ({ connection, ...asked }, { signal }) =>
      fieldsOf(services(connection).data, asked, signal),
    extent: async ({ connection, ...asked }, { signal }) =>
      extentOf(services(connection).data, asked, signal),
    holdings: async ({ connection, ...asked }, { signal }) =>
      holdingsOf(services(connection).data, asked, signal),
  };
}
