import type { calls } from '../../shared/contract.ts';
import { datasetType, type Dataset, type DatasetAddress } from '../../shared/datasets.ts';
import { isAppError } from '../../shared/errors.ts';
import type { RoomHandlers } from '../handlers.ts';
import type { CallOptions, DataService, Services } from '../services/services.ts';

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
    async get({ connection, provider, dataset }, { signal }) {
      return getDataset(services(connection).data, { provider, dataset }, { signal });
    },
  };
}

/** The definitions, with their types. @throws AppError what the data service throws */
export async function listDatasets(
  data: DataService,
  { search, ...flags }: Parameters<DataService['datasets']>[0],
  options: CallOptions,
): Promise<Dataset[]> {
  return withTypes(data, await data.datasets({ search: search?.trim(), ...flags }, options), options);
}

/** One definition, with its type. @throws AppError what the data service throws */
export async function getDataset(
  data: DataService,
  address: DatasetAddress,
  options: CallOptions,
): Promise<Dataset> {
  const found = await data.dataset(address, options);
  // The address that was asked for stands, whatever the definition calls itself.
  const [typed] = await withTypes(data, [{ ...found, ...address }], options);
  return typed ?? found;
}

/**
 * The datasets, with the type of the company listing where the definition has none. The listing is an extra:
 * when it fails, what is there is shown.
 */
async function withTypes(data: DataService, datasets: Dataset[], options: CallOptions): Promise<Dataset[]> {
  if (datasets.every(({ type }) => type !== null)) return datasets;
  const listed = await data.companyDatasets({}, { ...options, tries: 2 }).catch((error: unknown) => {
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
