import * as z from 'zod';
import { connectionId } from '../connections/connections.ts';
import { errorBody } from '../errors/errors.ts';
import { datasetField } from './fields.ts';

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

export const datasetsQuery = z.object({
  connection: connectionId,
  search: z.string().default(''),
  type: datasetType.optional(),
  plottable: z.boolean().optional(),
  temporary: z.boolean().optional(),
});
export const datasetQuery = datasetAddress.extend({ connection: connectionId });

/** The selected wells: their asset ids, never platform ids, and their companies. */
const chosenWells = {
  assets: z.array(z.int()).max(10_000).default([]),
  companies: z.array(z.int()).max(1000).default([]),
};
/** Why a part of a result is missing. */
const problem = errorBody.optional();

export const fieldsQuery = datasetAddress.extend({ connection: connectionId, ...chosenWells });

/** The fields of a dataset. */
export const datasetFields = z.object({
  fields: z.array(datasetField),
  /** Number of records in the sample. */
  sampled: z.int(),
  /** The sample's records: of the wells, of any wells, or none. */
  of: z.enum(['wells', 'any', 'none']),
  /** The path that scopes the records of this dataset; null: none, or unknown. */
  scope: scopeField.nullable(),
  /** There are more fields than are listed. */
  more: z.boolean(),
  /** Why the definition, or records, could not be read. */
  problem,
});
export type DatasetFields = z.infer<typeof datasetFields>;

/** A request about the records of some wells in one dataset. */
export const extentQuery = datasetAddress.extend({
  connection: connectionId,
  ...chosenWells,
  /** The dataset's type; absent: it is read from the definition. */
  type: datasetType.nullable().optional(),
});

/** How much there is of a dataset, and from where to where. */
export const datasetExtent = z.object({
  /** The path that scopes the records to wells; null: none does. */
  scope: scopeField.nullable(),
  /**
   * Whether the result is for the wells only, or for all records: no wells were given, or no path scopes
   * them.
   */
  of: z.enum(['wells', 'all']),
  /** Null: it could not be counted. */
  count: z.int().nullable(),
  /** The path that orders the records; null: none. */
  field: z.string().nullable(),
  /** The lowest and highest value of that path, as unchanged JSON text. */
  first: z.string().nullable(),
  last: z.string().nullable(),
  /** There are records without a value there. */
  unplaced: z.boolean(),
  problem,
});
export type DatasetExtent = z.infer<typeof datasetExtent>;

/** Which datasets have records of some wells. */
export const holdingsQuery = z.object({
  connection: connectionId,
  ...chosenWells,
  /** In the order of the checks. */
  datasets: z.array(datasetAddress.extend({ type: datasetType.nullable() })).max(10_000),
});

/** The result for one dataset; `unscoped`: it has records, but no path to a well or company. */
export const holding = datasetAddress.extend({
  holds: z.enum(['some', 'none', 'unscoped', 'unknown']),
  /** Why it is unknown. */
  problem,
});
export type Holding = z.infer<typeof holding>;
