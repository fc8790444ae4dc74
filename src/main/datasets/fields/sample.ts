import { isObject, stringifyJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import type { CallOptions } from '../../services/services.ts';
import type { Reading } from '../reading.ts';
import { noneWhereRefused, scopedBy, type ChosenWells, type Scope } from '../scope.ts';

/** Records for each request: enough to see what comes and goes, little enough for a bad link. */
const newest = 60;
const oldest = 40;
const each = 20;
/** Beside the newest and oldest of all, so many wells are looked at one by one: one of them may have it all. */
const mostWells = 3;

export interface Sample {
  readonly records: JsonValue[];
  readonly of: 'wells' | 'any' | 'none';
}

/**
 * Reads a few records of a dataset: the newest, the oldest and some between of the wells and, where they are several,
 * the newest of the first few; of any well when those have none. At most six requests then, two at a time.
 * @throws AppError as the service answers
 */
export async function sampleRecords(
  scope: Scope,
  wells: ChosenWells,
  { read, indexField }: { readonly read: Reading; readonly indexField: string | null },
  options: CallOptions,
): Promise<Sample> {
  const ofWells = await fromBothEnds(scope.query, read, options);
  const isScoped = Object.keys(scope.query).length > 0;
  if (ofWells.length > 0) {
    const more = isScoped ? await ofSingleWells(scope, wells, read, options) : [];
    const between = await fromBetween(ofWells, scope.query, indexField, read, options);
    return { records: distinct([...ofWells, ...more, ...between]), of: isScoped ? 'wells' : 'any' };
  }
  const any = isScoped ? await fromBothEnds({}, read, options).catch(noneWhereRefused) : [];
  return { records: any, of: any.length > 0 ? 'any' : 'none' };
}

async function fromBothEnds(query: JsonObject, read: Reading, options: CallOptions): Promise<JsonValue[]> {
  const ends = await Promise.all([
    read(query, newest, 'last', options),
    read(query, oldest, 'first', options),
  ]);
  return distinct(ends.flat());
}

/** Records at the ends of a well's life say little of what it does in between. */
async function fromBetween(
  ends: readonly JsonValue[],
  query: JsonObject,
  indexField: string | null,
  read: Reading,
  options: CallOptions,
): Promise<JsonValue[]> {
  if (indexField === null || ends.length < newest + oldest) return [];
  const values = ends
    .map((record) => (isObject(record) ? record[indexField] : null))
    .filter((value) => typeof value === 'number');
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (!(least < most)) return [];
  const middle = { ...query, [indexField]: { $gte: Math.floor((least + most) / 2) } };
  return read(middle, each, 'first', options);
}

async function ofSingleWells(
  { field }: Scope,
  wells: ChosenWells,
  read: Reading,
  options: CallOptions,
): Promise<JsonValue[]> {
  if (field === null || wells.assets.length < 2 || field.endsWith('company_id')) return [];
  const pages: JsonValue[][] = [];
  for (const asset of wells.assets.slice(0, mostWells)) {
    const query = scopedBy(field, { assets: [asset], companies: [] });
    if (query) pages.push(await read(query, each, 'last', options));
  }
  return pages.flat();
}

/** Each record once: few records are both the newest and the oldest. */
function distinct(records: readonly JsonValue[]): JsonValue[] {
  const known = new Map<string, JsonValue>();
  for (const record of records) known.set(keyOf(record), record);
  return [...known.values()];
}

const keyOf = (record: JsonValue): string =>
  isObject(record) && typeof record['_id'] === 'string' ? record['_id'] : stringifyJson(record);
