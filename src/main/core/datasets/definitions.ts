import { datasetType, type Dataset, type DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { isAppError } from '../../../shared/errors/errors.ts';
import type { CallOptions, DataService } from '../wire/services/services.ts';

type CompanyListing = Pick<DataService, 'companyDatasets'>;

/** The definitions, with their types. @throws AppError what the data service throws */
export async function listDatasets(
  data: CompanyListing & Pick<DataService, 'datasets'>,
  { search, ...flags }: Parameters<DataService['datasets']>[0],
  options: CallOptions,
): Promise<Dataset[]> {
  return withTypes(data, await data.datasets({ search: search?.trim(), ...flags }, options), options);
}

/** One definition, with its type. @throws AppError what the data service throws */
export async function getDataset(
  data: CompanyListing & Pick<DataService, 'dataset'>,
  address: DatasetAddress,
  options: CallOptions,
): Promise<Dataset> {
  const definition = await data.dataset(address, options);
  // The requested address is kept, whatever name the definition has.
  const [typed] = await withTypes(data, [{ ...definition, ...address }], options);
  return typed ?? definition;
}

/**
 * The datasets, with the type of the company listing where the definition has none. The listing is an extra:
 * when it fails, what is there is shown.
 */
async function withTypes(
  data: CompanyListing,
  datasets: Dataset[],
  options: CallOptions,
): Promise<Dataset[]> {
  if (datasets.every(({ type }) => type !== null)) return datasets;
  const listed = await data.companyDatasets({ ...options, maxTries: 2 }).catch((error: unknown) => {
    if (isAppError(error, 'cancelled')) throw error;
    return [];
  });
  const typeNames = new Map(listed.map((item) => [`${item.provider}/${item.name}`, item.type]));
  return datasets.map((dataset) => {
    const typeSaid = typeNames.get(`${dataset.provider}/${dataset.dataset}`);
    if (dataset.type !== null || typeSaid === undefined) return dataset;
    return {
      ...dataset,
      type: datasetType.safeParse(typeSaid).data ?? null,
      typeSaid: dataset.typeSaid || typeSaid,
    };
  });
}
