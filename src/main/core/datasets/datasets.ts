import type { calls } from '../../../shared/contract/contract.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { Services } from '../wire/services/services.ts';
import { getDataset, listDatasets } from './definitions.ts';
import { readExtent } from './extent.ts';
import { readFields } from './fields/fields.ts';
import { readHoldings } from './holdings.ts';

export interface DatasetsDependencies {
  readonly services: (connectionId: string) => Services;
}

/** Handlers for dataset definitions (specification, sections 2.2 and 4.1). */
export function createDatasets({
  services,
}: DatasetsDependencies): ModuleHandlers<(typeof calls)['datasets']> {
  return {
    async list({ connection, type, ...filter }, { signal }) {
      const datasets = await listDatasets(services(connection).data, filter, { signal });
      return type === undefined ? datasets : datasets.filter((dataset) => dataset.type === type);
    },
    get: async ({ connection, provider, dataset, maxTries }, { signal }) =>
      getDataset(services(connection).data, { provider, dataset }, { signal, maxTries }),
    fields: async ({ connection, ...scope }, { signal }) =>
      readFields(services(connection).data, scope, signal),
    extent: async ({ connection, ...scope }, { signal }) =>
      readExtent(services(connection).data, scope, signal),
    holdings: async ({ connection, ...scope }, { signal }) =>
      readHoldings(services(connection).data, scope, signal),
  };
}
