import type { DatasetType, ScopeField } from './datasets.ts';

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
export interface DatasetShape {
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

/** The path of the time of records; null: they have none, or the type is unknown. */
export function timeFieldOf(type: DatasetType | null): 'timestamp' | 'datetime' | null {
  const indexField = type && datasetShapes[type].indexField;
  return indexField === depthPath ? null : indexField;
}
