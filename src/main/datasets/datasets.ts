import type { calls } from '../../shared/contract.ts';
import { datasetType, type Dataset } from '../../shared/datasets.ts';
import { isAppError } from '../../shared/errors.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { DataService, Services } from '../services/services.ts';

export interface DatasetsDependencies {
  readonly services: (connectionId: string) => Services;
}

/** What a person does with dataset definitions (specification, section 2.2 and 4.1). */
export function createDatasets({ services }: DatasetsDependencies): RoomHandlers<(typeof calls)['datasets']> {
  return {
    async list({ connection, search, type, plottable, temporary }, { signal }) {
      const { data } = services(connection);
      const found = await data.datasets({ search: search.trim(), plottable, temporary }, { signal });
      const datasets = await withTypes(data, found, signal);
      return type === undefined ? datasets : datasets.filter((dataset) => dataset.type === type);
    },
    async get({ connection, provider, dataset }, { signal }) {
      const { data } = services(connection);
      const found = await data.dataset({ provider, dataset }, { signal });
      // The address that was asked for stands, whatever the definition calls itself.
      const [typed] = await withTypes(data, [{ ...found, provider, dataset }], signal);
      return typed ?? found;
    },
  };
}

/**
 * The datasets, with the type of the company listing where the definition has none. The listing is an extra:
 * when it fails, what is there is shown.
 */
async function withTypes(
  data: DataService,
  datasets: Dataset[],
  signal: AbortSignal | undefined,
): Promise<Dataset[]> {
  if (datasets.every(({ type }) => type !== null)) return datasets;
  const listed = await data.companyDatasets({}, { signal, tries: 2 }).catch((error: unknown) => {
    if (isAppError(error, 'cancelled')) throw error;
    return [];
  });
  const said = new Map(listed.map((item) => [`${item.provider}/${item.name}`, item.type]));
  return datasets.map((dataset) => {
    const typeSaid = said.get(`${dataset.provider}/${dataset.dataset}`);
    if (dataset.type !== null || typeSaid === undefined) return dataset;
    return {
      ...dataset,
      type: datasetType.safeParse(typeSaid).data ?? null,
      typeSaid: dataset.typeSaid || typeSaid,
    };
  });
}
