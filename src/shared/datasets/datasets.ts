import * as z from 'zod';

/** The four types of datasets (specification, section 2.2). */
export const datasetTypes = ['time', 'depth', 'reference', 'timeseries'] as const;
export const datasetType = z.enum(datasetTypes);
export type DatasetType = z.infer<typeof datasetType>;

/** The paths by which records can belong to a well or to a company (specification, section 2.1). */
export const scopeField = z.enum(['asset_id', 'metadata.asset_id', 'company_id', 'metadata.company_id']);
export type ScopeField = z.infer<typeof scopeField>;

/** The maximum length of the name of a provider or a dataset, far above those of the services. */
export const maxAddressName = 200;

/** A dataset's address: `provider/name` in text and on the command line. */
export const datasetAddress = z.object({
  provider: z.string().min(1).max(maxAddressName),
  dataset: z.string().min(1).max(maxAddressName),
});
export type DatasetAddress = z.infer<typeof datasetAddress>;

/** Whether two addresses are of the same dataset. */
export const isSameAddress = (a: DatasetAddress, b: DatasetAddress): boolean =>
  a.provider === b.provider && a.dataset === b.dataset;

/** The address of a dataset alone. */
export const addressOf = ({ provider, dataset }: DatasetAddress): DatasetAddress => ({ provider, dataset });

export const datasetIndex = z.object({
  name: z.string(),
  fields: z.array(z.object({ path: z.string(), direction: z.union([z.literal(1), z.literal(-1)]) })),
  unique: z.boolean(),
});

/** A dataset definition, tolerant of what the specification leaves open (section 2.2). */
export const dataset = datasetAddress.extend({
  id: z.int().nullable(),
  companyId: z.int().nullable(),
  friendlyName: z.string(),
  description: z.string(),
  /** Null for an unknown type. */
  type: datasetType.nullable(),
  /** The type as the service names it. */
  typeSaid: z.string(),
  plottable: z.boolean(),
  temporary: z.boolean(),
  permissions: z.record(z.string(), z.string()),
  indexes: z.array(datasetIndex),
  statistics: z.object({
    size: z.number().nullable(),
    count: z.number().nullable(),
    storageSize: z.number().nullable(),
    indexSize: z.number().nullable(),
  }),
  /** Shown unchanged; never interpreted as JSON Schema. */
  schema: z.record(z.string(), z.unknown()),
});
export type Dataset = z.infer<typeof dataset>;

/**
 * The name of a dataset for display.
 * @param dataset a dataset, by its definition
 * @returns its friendly name, otherwise its name in addresses
 */
export const datasetName = ({ friendlyName, dataset }: Pick<Dataset, 'friendlyName' | 'dataset'>): string =>
  friendlyName === '' ? dataset : friendlyName;
