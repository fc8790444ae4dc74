import { isObject, stringifyJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { CallOptions } from '../../services/services.ts';
import type { EndReader } from '../end-reader.ts';
import { emptyIfRefused, scopeByPath, type SelectedWells, type Scope } from '../scope.ts';
import { maxOf, minOf } from '../../../shared/lists.ts';

/** Number of records per request: enough to see optional fields, few enough for a slow link. */
const newestCount = 60;
const oldest = 40;
const each = 20;
/** Maximum number of wells that are sampled one by one. */
const maxWells = 3;

export interface Sample {
  readonly records: JsonValue[];
  readonly of: 'wells' | 'any' | 'none';
}

/**
 * Reads a sample: the newest, the oldest, and some records in between, and the newest of the first wells; of
 * any well if the given ones have none. At most six requests, two at a time.
 * @throws AppError of the data service
 */
export async function sampleRecords(
  scope: Scope,
  wells: SelectedWells,
  { read, indexField }: { readonly read: EndReader; readonly indexField: string | null },
  options: CallOptions,
): Promise<Sample> {
  const ofWells = await readBothEnds(scope.query, read, options);
  const isScoped = Object.keys(scope.query).length > 0;
  if (ofWells.length > 0) {
    const more = isScoped ? await readSingleWells(scope, wells, read, options) : [];
    const betweenRecords = await readBetween(ofWells, scope.query, indexField, read, options);
    return { records: distinct([...ofWells, ...more, ...betweenRecords]), of: isScoped ? 'wells' : 'any' };
  }
  const any = isScoped ? await readBothEnds({}, read, options).catch(emptyIfRefused) : [];
  return { records: any, of: any.length > 0 ? 'any' : 'none' };
}

async function readBothEnds(query: JsonObject, read: EndReader, options: CallOptions): Promise<JsonValue[]> {
  const ends = await Promise.all([
    read(query, newestCount, 'last', options),
    read(query, oldest, 'first', options),
  ]);
  return distinct(ends.flat());
}

/** Records at both ends of a well's time differ from those in between. */
async function readBetween(
  ends: readonly JsonValue[],
  query: JsonObject,
  indexField: string | null,
  read: EndReader,
  options: CallOptions,
): Promise<JsonValue[]> {
  if (indexField === null || ends.length < newestCount + oldest) return [];
  const values = ends
    .map((record) => (isObject(record) ? record[indexField] : null))
    .filter((value) => typeof value === 'number');
  const [min, max] = [minOf(values), maxOf(values)];
  if (!(min < max)) return [];
  const middle = { ...query, [indexField]: { $gte: Math.floor((min + max) / 2) } };
  return read(middle, each, 'first', options);
}

async function readSingleWells(
  { field }: Scope,
  wells: SelectedWells,
  read: EndReader,
  options: CallOptions,
): Promise<JsonValue[]> {
  if (field === null || wells.assets.length < 2 || field.endsWith('company_id')) return [];
  const pages: JsonValue[][] = [];
  for (const asset of wells.assets.slice(0, maxWells)) {
    const query = scopeByPath(field, { assets: [asset], companies: [] });
    if (query) pages.push(await read(query, each, 'last', options));
  }
  return pages.flat();
}

/** Each record once: few records are both the newest and the oldest. */
function distinct(records: readonly JsonValue[]): JsonValue[] {
  const byId = new Map<string, JsonValue>();
  for (const record of records) byId.set(keyOf(record), record);
  return [...byId.values()];
}

const keyOf = (record: JsonValue): string =>
  isObject(record) && typeof record['_id'] === 'string' ? record['_id'] : stringifyJson(record);
