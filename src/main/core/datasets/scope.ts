import { type DatasetType, type ScopeField, datasetShapes } from '../../../shared/datasets/datasets.ts';
import { type JsonObject, type JsonValue, valueAt } from '../../../shared/json.ts';
import { isAppError } from '../../../shared/errors/errors.ts';
import type { CallOptions } from '../wire/services/services.ts';
import type { EndReader } from './end-reader.ts';

/** The asset ids of wells, and their companies. */
export interface SelectedWells {
  readonly assets: readonly number[];
  readonly companies: readonly number[];
}

/** How the records of a dataset belong to wells. */
export interface Scope {
  /** Null: to none. */
  readonly field: ScopeField | null;
  readonly query: JsonObject;
  /** Whether the wells have records, if that was determined; else null. */
  readonly holds: boolean | null;
}

// Datasets of an unknown type may be scoped by any path.
const anyField: readonly ScopeField[] = [
  'asset_id',
  'metadata.asset_id',
  'company_id',
  'metadata.company_id',
];

/** The paths that can scope records of a type, likeliest first. */
export const scopeFieldsOf = (type: DatasetType | null): readonly ScopeField[] =>
  type === null ? anyField : datasetShapes[type].scopeFields;

/** Whether a path scopes records to companies instead of wells. */
export const isOfCompany = (field: ScopeField): boolean => field.endsWith('company_id');

/** The condition that scopes records by a path; undefined without a value. */
export function scopeByPath(field: ScopeField, { assets, companies }: SelectedWells): JsonObject | undefined {
  const ids = [...new Set(isOfCompany(field) ? companies : assets)];
  const [first] = ids;
  if (first === undefined) return undefined;
  return { [field]: ids.length === 1 ? first : { $in: ids } };
}

/**
 * Determines how a dataset's records belong to wells. Time and depth always have an `asset_id`; other
 * datasets use one of several paths, or none, which a record shows: one of the wells if possible, else any.
 */
export async function findScope(
  type: DatasetType | null,
  wells: SelectedWells,
  read: EndReader,
  options: CallOptions,
): Promise<Scope> {
  const fields = scopeFieldsOf(type);
  const [likeliest = 'asset_id'] = fields;
  const query = scopeByPath(likeliest, wells);
  if (query === undefined) return { field: likeliest, query: {}, holds: null };
  if (fields.length === 1) return { field: likeliest, query, holds: null };
  if ((await read(query, 1, 'last', options)).length > 0) return { field: likeliest, query, holds: true };
  const none = { field: likeliest, query, holds: false };
  const ofAny = await read({}, 1, 'last', options).catch((error: unknown) => void emptyIfRefused(error));
  // The service requires a well or a company in each query.
  if (!ofAny) return (await scopeWithRecords(fields.slice(1), wells, read, options)) ?? none;
  const [any] = ofAny;
  if (any === undefined) return none;
  const field = fields.find((path) => hasValue(any, path)) ?? null;
  if (field === likeliest) return none;
  const scoped = field ? scopeByPath(field, wells) : {};
  // Records of companies aren't those of wells without a company.
  return { field, query: scoped ?? {}, holds: scoped ? null : false };
}

/** The first of several paths by which wells have records; null: none. */
async function scopeWithRecords(
  fields: readonly ScopeField[],
  wells: SelectedWells,
  read: EndReader,
  options: CallOptions,
): Promise<Scope | null> {
  for (const field of fields) {
    const query = scopeByPath(field, wells);
    const records = query ? await read(query, 1, 'last', options).catch(emptyIfRefused) : [];
    if (query && records.length > 0) return { field, query, holds: true };
  }
  return null;
}

/** For a read without wells: a service may require a well in each query. @throws the error, unless it was refused */
export function emptyIfRefused(error: unknown): JsonValue[] {
  if (isAppError(error, 'refused') || isAppError(error, 'forbidden')) return [];
  throw error;
}

const hasValue = (record: JsonValue, path: string): boolean =>
  (valueAt(record, path.split('.')) ?? null) !== null;
