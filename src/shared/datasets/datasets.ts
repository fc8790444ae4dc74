import * as z from 'zod';
import type { Mirror } from '../contract/export.ts';

/** The four types of datasets (specification, section 2.2). */
export const datasetTypes = ['time', 'depth', 'reference', 'timeseries'] as const;
export const datasetType = z.enum(datasetTypes);
export type DatasetType = z.infer<typeof datasetType>;

/** The paths by which records can belong to a well or to a company (specification, section 2.1). */
export const scopeField = z.enum(['asset_id', 'metadata.asset_id', 'company_id', 'metadata.company_id']);
export type ScopeField = z.infer<typeof scopeField>;

/** The paths of the well in a record. */
export const assetPaths: readonly string[] = ['asset_id', 'metadata.asset_id'];

/** Whether a path of a record is that of its well. */
export const isAssetPath = (path: string): boolean => assetPaths.includes(path);

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

/** The path of depths along the wellbore. */
export const depthPath = 'measured_depth';

/**
 * Whether a field has measurements, which have units and ranges; ids and times of records have none.
 * @param path its names
 * @param types the types of its values, or of its column
 */
export const isMeasured = ([first]: readonly string[], types: readonly string[]): boolean =>
  (first === 'data' || first === depthPath) && types.some((type) => type === 'number' || type === 'integer');

/** What follows from a dataset's type: prefill, scope, lint, export windows and upload mapping all read this table. */
interface DatasetShape {
  /** The path that scopes records to wells. */
  readonly scopeField: 'asset_id' | 'metadata.asset_id';
  /**
   * The paths that can scope records of this type, most likely first. Only its records show which one does.
   */
  readonly scopeFields: readonly ScopeField[];
  /** The path that orders and pages records; null: none. */
  readonly indexField: 'timestamp' | typeof depthPath | 'datetime' | null;
  /** A further path that belongs to the index. */
  readonly indexScope: 'log_identifier' | null;
  /** Envelope fields that the specification requires of an insert (section 2.1). */
  readonly required: readonly string[];
}

/** The fields of a depth dataset that say which log of which well a record is of. */
export const logPaths = ['asset_id', 'log_identifier'] as const;

export const datasetShapes: Record<DatasetType, DatasetShape> = {
  time: {
    scopeField: 'asset_id',
    scopeFields: ['asset_id'],
    indexField: 'timestamp',
    indexScope: null,
    required: ['version', 'asset_id', 'timestamp'],
  },
  depth: {
    scopeField: 'asset_id',
    scopeFields: ['asset_id'],
    indexField: depthPath,
    indexScope: 'log_identifier',
    required: ['version', 'asset_id', depthPath, 'log_identifier'],
  },
  reference: {
    scopeField: 'asset_id',
    scopeFields: ['asset_id', 'company_id'],
    indexField: null,
    indexScope: null,
    required: ['version'],
  },
  timeseries: {
    scopeField: 'metadata.asset_id',
    scopeFields: ['metadata.asset_id', 'asset_id', 'metadata.company_id', 'company_id'],
    indexField: 'datetime',
    indexScope: null,
    required: ['version'],
  },
};

/** The path that scopes records to wells; that of most types, if the type is unknown. */
export const scopeFieldOf = (type: DatasetType | null): DatasetShape['scopeField'] =>
  datasetShapes[type ?? 'time'].scopeField;

/** The path that orders records; null: none does, or the type is unknown. */
export const indexFieldOf = (type: DatasetType | null): DatasetShape['indexField'] =>
  type && datasetShapes[type].indexField;

/** The path of the time of records; null: they have none, or the type is unknown. */
export function timeFieldOf(type: DatasetType | null): 'timestamp' | 'datetime' | null {
  const indexField = indexFieldOf(type);
  return indexField === depthPath ? null : indexField;
}

/** Whether the files of a mirror can be divided by time. Records of an unknown type have a time. */
export const canBeDivided = (type: DatasetType | null): boolean => timeFieldOf(type ?? 'time') !== null;

/** How the folder of a mirror is divided: by well, and by period if its records have a time. */
export const mirrorPartition = (type: DatasetType | null, period: 'day' | 'month'): Mirror['partition'] =>
  canBeDivided(type) ? ['asset_id', period] : ['asset_id'];
