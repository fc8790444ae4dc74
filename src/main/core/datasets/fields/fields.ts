import {
  type Dataset,
  type DatasetAddress,
  type DatasetType,
  indexFieldOf,
} from '../../../../shared/datasets/datasets.ts';
import type { DatasetFields } from '../../../../shared/contract/catalogue.ts';
import { AppError, isAppError } from '../../../../shared/errors/errors.ts';
import type { CallOptions, DataService } from '../../wire/services/services.ts';
import { withType } from '../definitions.ts';
import { toProblem, createEndReader, type EndReader } from '../end-reader.ts';
import {
  findScope,
  scopeFieldsOf,
  type SelectedWells,
  emptyIfRefused,
  isOfCompany,
  scopeByPath,
  type Scope,
} from '../scope.ts';
import { combineFields } from './combine-fields.ts';
import { isObject, recordKey, valueAt, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { mapEach, maxOf, minOf } from '../../../../shared/lists.ts';

/** Number of records per request: enough to see optional fields, few enough for a slow link. */
const newestCount = 60;
const oldestCount = 40;
const perPlace = 20;
/** Places between both ends at which records are read, as shares of the range. */
const placesBetween = [0.25, 0.5, 0.75];
const maxConcurrent = 2;
/** Maximum number of wells that are sampled one by one. */
const sampleMaxWells = 3;

interface SampleReaders {
  /** Reads by the index field. */
  readonly read: EndReader;
  /** Reads by `_id`: fields of a recent upload are among the last inserted records, wherever their times are. */
  readonly readInserted: EndReader;
}

interface Sample extends Pick<DatasetFields, 'scope'> {
  readonly records: JsonValue[];
  readonly of: 'wells' | 'any' | 'none';
}

/**
 * Reads a sample: the newest, the oldest, some records at places in between, the last inserted, and the newest of the
 * first wells, given or among these records; of any well if the given ones have none. At most ten requests, two at a time.
 * @throws AppError of the data service
 */
async function sampleRecords(
  type: DatasetType | null,
  wells: SelectedWells,
  { read, readInserted }: SampleReaders,
  options: CallOptions,
): Promise<Sample> {
  const scope = await findScope(type, wells, read, options);
  const { field } = scope;
  const indexField = indexFieldOf(type);
  const ofWells = await readBothEnds(scope.query, read, options);
  const isScoped = Object.keys(scope.query).length > 0;
  if (ofWells.length > 0) {
    const between = await readBetween(ofWells, scope.query, indexField, read, options);
    // Without an index field, both ends are by `_id` already.
    const inserted =
      indexField === null
        ? []
        : await readInserted(scope.query, perPlace, 'last', options).catch(emptyIfRefused);
    const all = [...ofWells, ...between, ...inserted];
    const more = await readSingleWells(scope, isScoped ? wells : wellsIn(all, field), read, options);
    return { records: distinct([...all, ...more]), of: isScoped ? 'wells' : 'any', scope: field };
  }
  const records = isScoped ? await readBothEnds({}, read, options).catch(emptyIfRefused) : [];
  return { records, of: records.length > 0 ? 'any' : 'none', scope: field };
}

async function readBothEnds(query: JsonObject, read: EndReader, options: CallOptions): Promise<JsonValue[]> {
  const ends = await Promise.all([
    read(query, newestCount, 'last', options),
    read(query, oldestCount, 'first', options),
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
  if (indexField === null || ends.length < newestCount + oldestCount) return [];
  const values = ends
    .map((record) => (isObject(record) ? record[indexField] : null))
    .filter((value) => typeof value === 'number');
  const [min, max] = [minOf(values), maxOf(values)];
  if (!(min < max)) return [];
  const pages = await mapEach(placesBetween, maxConcurrent, (share) => {
    const at = Math.floor(min + (max - min) * share);
    return read({ ...query, [indexField]: { $gte: at } }, perPlace, 'first', options);
  });
  return pages.flat();
}

/** The asset ids of records, in their order. */
function wellsIn(records: readonly JsonValue[], field: Scope['field']): SelectedWells {
  const path = field?.split('.') ?? [];
  const assets = records
    .map((record) => (isObject(record) ? valueAt(record, path) : undefined))
    .filter((value) => typeof value === 'number');
  return { assets: [...new Set(assets)], companies: [] };
}

async function readSingleWells(
  { field }: Scope,
  wells: SelectedWells,
  read: EndReader,
  options: CallOptions,
): Promise<JsonValue[]> {
  if (field === null || wells.assets.length < 2 || isOfCompany(field)) return [];
  // Those at both ends of the list: the first are the newest, the others have other channels.
  const { assets } = wells;
  const some =
    assets.length <= sampleMaxWells ? assets : [...assets.slice(0, sampleMaxWells - 1), ...assets.slice(-1)];
  const pages = await mapEach(some, maxConcurrent, async (asset) => {
    const query = scopeByPath(field, { assets: [asset], companies: [] });
    return query ? read(query, perPlace, 'last', options) : [];
  });
  return pages.flat();
}

/** Each record once: few records are both the newest and the oldest. */
function distinct(records: readonly JsonValue[]): JsonValue[] {
  const byId = new Map<string, JsonValue>();
  for (const record of records) byId.set(recordKey(record), record);
  return [...byId.values()];
}

/** More wells than these are not named in the query for a sample. */
const maxWells = 50;
/** A sample isn't worth minutes of retries. */
const maxTries = 3;

/** Without wells, the sample is of any. */
interface FieldsRequest extends DatasetAddress, Partial<SelectedWells> {
  /** Absent: it is read. */
  readonly definition?: Dataset;
}

/**
 * The catalogue of a dataset's fields, the only place where their names, types, units, and null values are determined:
 * from its type, its definition, a sample of its records, and the units that the application remembers. A source that can't be
 * read is reported in the result: permission for definitions and for records are independent.
 * @throws AppError when neither definition nor records can be read
 */
export async function readFields(
  data: DataService,
  { provider, dataset, assets = [], companies = [], definition: given }: FieldsRequest,
  signal: AbortSignal | undefined,
): Promise<DatasetFields> {
  const address = { provider, dataset };
  const wells = { assets: assets.slice(0, maxWells), companies: companies.slice(0, maxWells) };
  const untyped = given ?? (await data.dataset(address, { signal }).catch(toProblem));
  const definition =
    given || untyped instanceof AppError
      ? untyped
      : await withType(data, { ...untyped, ...address }, { signal }).catch(toProblem);
  // Units don't need the type.
  const knownDefinition: Pick<Dataset, 'type' | 'schema'> = [definition, untyped].find(
    (result): result is Dataset => !(result instanceof AppError),
  ) ?? { type: null, schema: {} };
  const read = createEndReader(data, address, knownDefinition.type);
  const readInserted = createEndReader(data, address, null);
  const { type } = knownDefinition;
  const readers = { read, readInserted };
  const sample = await sampleRecords(type, wells, readers, { signal, maxTries }).catch(toProblem);
  if (sample instanceof AppError && definition instanceof AppError) throw definition;
  const problem = [definition, sample].find((result) => result instanceof AppError);
  const { records, of, scope }: Sample =
    sample instanceof AppError ? { records: [], of: 'none', scope: scopeFieldsOf(type)[0] ?? null } : sample;
  const units = await data.fieldUnits?.(address);
  return {
    ...combineFields(knownDefinition, records, units),
    sampled: records.length,
    of,
    scope,
    ...(problem ? { problem: problem.toBody() } : {}),
  };
}

/**
 * The fields of a dataset, for work that continues without them.
 * @returns as {@link readFields}; none if they can't be read
 * @throws AppError `cancelled`
 */
export const fieldsOrNone = (
  data: DataService,
  request: FieldsRequest,
  signal: AbortSignal | undefined,
): Promise<DatasetFields['fields']> =>
  readFields(data, request, signal).then(
    ({ fields }) => fields,
    (error: unknown) => {
      if (isAppError(error, 'cancelled')) throw error;
      return [];
    },
  );
