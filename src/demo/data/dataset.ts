import type { DatasetType } from '../../shared/datasets/datasets.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../shared/json.ts';
import type { Identity } from '../auth/identities.ts';
import { Collection, type IndexShape } from '../store/collection.ts';

/** The definition of a dataset; its records are in its collection. */
export interface DatasetDraft {
  readonly provider: string;
  readonly name: string;
  readonly friendlyName: string;
  readonly description: string;
  readonly type: DatasetType;
  readonly companyId?: number;
  readonly plottable?: boolean;
  readonly temporary?: boolean;
  /** Who may read and write; `request` means only after permission is granted. */
  readonly read?: 'open' | 'request';
  readonly write?: 'open' | 'request';
  /** Whether the dataset is hidden from other companies. */
  readonly hidden?: boolean;
  readonly schema?: JsonObject;
}

export interface Dataset extends Required<DatasetDraft> {
  readonly id: number;
  readonly collection: Collection;
}

const scope = ['company_id', 'asset_id'];

/** The indexes of each type of dataset. */
export const indexShapes: Readonly<Record<DatasetType, IndexShape>> = {
  time: { scopePaths: scope, keyPath: 'timestamp' },
  depth: { scopePaths: [...scope, 'log_identifier'], keyPath: 'measured_depth' },
  reference: { scopePaths: scope, keyPath: '_id' },
  timeseries: { scopePaths: [...scope, 'metadata.company_id', 'metadata.asset_id'], keyPath: 'datetime' },
};

/** A dataset from its draft; ids start at 1. */
export function makeDataset(id: number, draft: DatasetDraft): Dataset {
  return {
    companyId: 1,
    plottable: draft.type !== 'reference',
    temporary: false,
    read: 'open',
    write: 'open',
    hidden: false,
    schema: {},
    ...draft,
    id,
    collection: new Collection(indexShapes[draft.type], `66f1${id.toString(16).padStart(4, '0')}0000`),
  };
}

/** Whether a dataset is visible to an identity at all. */
export function canSee(who: Identity, dataset: Dataset): boolean {
  return !dataset.hidden || dataset.companyId === who.companyId || who.level === 'admin';
}

export function mayRead(who: Identity, dataset: Dataset): boolean {
  return dataset.read === 'open' || who.level === 'admin';
}

export function mayWrite(who: Identity, dataset: Dataset): boolean {
  return (
    who.level === 'admin' || (who.level === 'write' && dataset.write === 'open' && mayRead(who, dataset))
  );
}

/**
 * A dataset as lists show it: `indexes` and `statistics` are empty there, and present only in the single definition.
 */
export function definition(dataset: Dataset, whole: boolean): JsonObject {
  return {
    id: dataset.id,
    company_id: dataset.companyId,
    provider: dataset.provider,
    name: `${dataset.provider}#${dataset.name}`,
    friendly_name: dataset.friendlyName,
    description: dataset.description,
    schema: dataset.schema,
    data_type: dataset.type,
    plottable: dataset.plottable,
    temporary: dataset.temporary,
    permission_workflow: { read: dataset.read, write: dataset.write, delete: 'request' },
    indexes: whole ? indexes(dataset.type) : [],
    statistics: whole ? statistics(dataset) : { size: 0, count: 0, storage_size: 0, index_size: 0 },
  };
}

const indexFields: Readonly<Record<DatasetType, readonly JsonObject[]>> = {
  time: [{ asset_id: 1 }, { timestamp: -1 }],
  depth: [{ asset_id: 1 }, { log_identifier: 1 }, { measured_depth: 1 }],
  reference: [{ asset_id: 1 }],
  timeseries: [{ 'metadata.asset_id': 1 }, { datetime: -1 }],
};

function indexes(type: DatasetType): JsonValue[] {
  const fields = [...indexFields[type]];
  const name = fields
    .flatMap((field) => Object.entries(field).map(([path, way]) => `${path}_${stringifyJson(way)}`))
    .join('_');
  return [
    { name: '_id_', fields: [{ _id: 1 }], unique: true, status: 'ready' },
    { name, fields, unique: false, status: 'ready' },
  ];
}

const bytesPerRecord = 420;

function statistics({ collection }: Dataset): JsonObject {
  const generated = collection.length - collection.inserted;
  const size = generated * bytesPerRecord + collection.insertedBytes;
  return {
    size,
    count: collection.length,
    storage_size: Math.ceil(size / 3),
    index_size: collection.length * 24,
  };
}
