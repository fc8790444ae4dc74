import { datasetType, type Dataset, type DatasetAddress } from '../../../shared/datasets/datasets.ts';
import { isPassing, toAppError } from '../../../shared/errors/errors.ts';
import type { CallOptions, DataService } from '../wire/services/services.ts';

type CompanyListing = Pick<DataService, 'companyDatasets'>;

/** The definitions, with their types. @throws AppError what the data service throws */
export async function listDatasets(
  data: CompanyListing & Pick<DataService, 'datasets'>,
  { search, ...flags }: Parameters<DataService['datasets']>[0],
  options: CallOptions,
): Promise<Dataset[]> {
  const definitions = await data.datasets({ search: search?.trim(), ...flags }, options);
  return withTypes(data, definitions, options);
}

/** One definition, with its type. @throws AppError what the data service throws */
export async function getDataset(
  data: CompanyListing & Pick<DataService, 'dataset'>,
  address: DatasetAddress,
  options: CallOptions,
): Promise<Dataset> {
  const definition = await data.dataset(address, options);
  // The requested address is kept, whatever name the definition has.
  return withType(data, { ...definition, ...address }, options);
}

/** The definition with its type. @throws AppError what the data service throws, if a later try may read its type */
export async function withType(
  data: CompanyListing,
  definition: Dataset,
  options: CallOptions,
): Promise<Dataset> {
  const [typed] = await withTypes(data, [definition], options);
  return typed ?? definition;
}

/**
 * The datasets, with the type of the company listing where the definition has none. A service that has or permits no
 * listing, or whose listing always fails, leaves such types unknown; a lost link throws.
 */
async function withTypes(
  data: CompanyListing,
  datasets: Dataset[],
  options: CallOptions,
): Promise<Dataset[]> {
  if (datasets.every(({ type }) => type !== null)) return datasets;
  const listed = await data.companyDatasets({ ...options, maxTries: 4 }).catch((error: unknown) => {
    const failure = toAppError(error);
    if (failure.is('cancelled') || (isPassing(failure) && !failure.is('service_failed'))) throw failure;
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
