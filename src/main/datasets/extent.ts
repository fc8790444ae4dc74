import {
  datasetShapes,
  type DatasetAddress,
  type DatasetExtent,
  type DatasetType,
} from '../../shared/datasets/datasets.ts';
import { AppError } from '../../shared/errors/errors.ts';
import { isObject, stringifyJson, type JsonObject, type JsonValue } from '../../shared/json.ts';
import type { CallOptions, DataService } from '../services/services.ts';
import { getDataset } from './definitions.ts';
import { asProblem, readingOf, type End, type Reading } from './reading.ts';
import { findScope, type ChosenWells } from './scope.ts';

const tries = 3;

type Asked = DatasetAddress & ChosenWells & { readonly type?: DatasetType | null | undefined };
type Data = Pick<DataService, 'dataset' | 'companyDatasets' | 'find' | 'count'>;

/**
 * How many records of a dataset some wells have, and the lowest and highest value of its index field. What can't be
 * had is null, and `problem` says why.
 * @throws AppError what befalls every request; forbidden or not_found when the definition is needed and can't be had
 */
export async function extentOf(
  data: Data,
  { provider, dataset, assets, companies, type: said }: Asked,
  signal: AbortSignal | undefined,
): Promise<DatasetExtent> {
  const address = { provider, dataset };
  const options = { signal, tries };
  const type = said === undefined ? (await getDataset(data, address, { signal })).type : said;
  const read = readingOf(data, address, type);
  const field = type === null ? null : datasetShapes[type].indexField;
  const wells = { assets, companies };
  const scope = await findScope(type, wells, read, options).catch(asProblem);
  const nothing = { count: null, field, first: null, last: null, unplaced: false } as const;
  if (scope instanceof AppError) return { scope: null, of: 'all', ...nothing, problem: scope.toBody() };
  const of = Object.keys(scope.query).length > 0 ? ('wells' as const) : ('all' as const);
  const [count, ends] = await Promise.all([
    data.count(address, scope.query, options).catch(asProblem),
    endsOf(field, scope.query, read, options).catch(asProblem),
  ]);
  const problem = [count, ends].find((each) => each instanceof AppError);
  return {
    ...nothing,
    scope: scope.field,
    of,
    ...(count instanceof AppError ? {} : { count }),
    ...(ends instanceof AppError ? {} : ends),
    ...(problem ? { problem: problem.toBody() } : {}),
  };
}

// Below every time and every depth that there is; of texts, the empty one. A bound takes only values of its own kind.
const lowest: Readonly<Record<string, JsonValue>> = {
  timestamp: -8_640_000_000_000_000,
  measured_depth: -1_000_000_000,
  datetime: '',
};

type Ends = Pick<DatasetExtent, 'first' | 'last' | 'unplaced'>;

/**
 * The lowest and the highest value. Records without one come first in ascending order; then the first with one is asked
 * for by a bound, which dates that the service keeps as such do not match as text: it then stays unknown.
 */
async function endsOf(
  field: string | null,
  query: JsonObject,
  read: Reading,
  options: CallOptions,
): Promise<Ends> {
  if (field === null) return { first: null, last: null, unplaced: false };
  const at = async (end: End, query: JsonObject): Promise<string | null | undefined> => {
    const [record] = await read(query, 1, end, options, [field]);
    if (record === undefined) return undefined;
    const value = isObject(record) && Object.hasOwn(record, field) ? record[field] : null;
    return value === null || value === undefined ? null : stringifyJson(value);
  };
  const [first, last = null] = await Promise.all([at('first', query), at('last', query)]);
  if (first !== null) return { first: first ?? null, last, unplaced: false };
  if (last === null) return { first: null, last: null, unplaced: true };
  const placed = await at('first', { ...query, [field]: { $gte: lowest[field] ?? null } });
  return { first: placed ?? null, last, unplaced: true };
}
