import { datasetShapes, type DatasetType, type ScopeField } from '../../shared/datasets/datasets.ts';
import { isObject, type JsonObject, type JsonValue } from '../../shared/json.ts';
import { isAppError } from '../../shared/errors/errors.ts';
import type { CallOptions } from '../services/services.ts';
import type { Reading } from './reading.ts';

/** The wells that are asked about, by asset id, and the companies they belong to. */
export interface ChosenWells {
  readonly assets: readonly number[];
  readonly companies: readonly number[];
}

/** How the records of a dataset belong to wells. */
export interface Scope {
  /** Null: to none. */
  readonly field: ScopeField | null;
  /** What finds the records of the wells. */
  readonly query: JsonObject;
  /** Whether the wells have records, where that was seen on the way; null: it was not. */
  readonly holds: boolean | null;
}

// A type that we do not know may be scoped in any way.
const anyField: readonly ScopeField[] = [
  'asset_id',
  'metadata.asset_id',
  'company_id',
  'metadata.company_id',
];

/** The paths that can scope records of a type, likeliest first. */
export const scopeFieldsOf = (type: DatasetType | null): readonly ScopeField[] =>
  type === null ? anyField : datasetShapes[type].scopeFields;

const isOfCompany = (field: ScopeField): boolean => field.endsWith('company_id');

/** The condition that scopes records by a path; undefined when nothing is known to put there. */
export function scopedBy(field: ScopeField, { assets, companies }: ChosenWells): JsonObject | undefined {
  const ids = [...new Set(isOfCompany(field) ? companies : assets)];
  const [first] = ids;
  if (first === undefined) return undefined;
  return { [field]: ids.length === 1 ? first : { $in: ids } };
}

/**
 * Finds out how a dataset's records belong to wells. Time and depth always have an `asset_id`; in other datasets one of
 * several paths, or none, does it, and a record tells which: one of the wells if there is one, else any.
 */
export async function findScope(
  type: DatasetType | null,
  wells: ChosenWells,
  read: Reading,
  options: CallOptions,
): Promise<Scope> {
  const fields = scopeFieldsOf(type);
  const [likeliest = 'asset_id'] = fields;
  const query = scopedBy(likeliest, wells);
  if (query === undefined) return { field: likeliest, query: {}, holds: null };
  if (fields.length === 1) return { field: likeliest, query, holds: null };
  if ((await read(query, 1, 'last', options)).length > 0) return { field: likeliest, query, holds: true };
  const [any] = await read({}, 1, 'last', options).catch(noneWhereRefused);
  // Nothing to learn from: no record, or the service wants a well in each query.
  if (any === undefined) return { field: likeliest, query, holds: false };
  const field = fields.find((path) => hasValue(any, path)) ?? null;
  if (field === likeliest) return { field, query, holds: false };
  return { field, query: (field && scopedBy(field, wells)) ?? {}, holds: null };
}

/** For a read of records of anybody: a service may want a well in each query. */
export function noneWhereRefused(error: unknown): JsonValue[] {
  if (isAppError(error, 'refused') || isAppError(error, 'forbidden')) return [];
  throw error;
}

function hasValue(record: JsonValue, path: string): boolean {
  let at: JsonValue | undefined = record;
  for (const key of path.split('.')) at = isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
  return at !== undefined && at !== null;
}
