import type { calls } from '../../../shared/contract/contract.ts';
import type { ModuleHandlers } from '../handlers.ts';
import type { Services, CallOptions, DataService } from '../wire/services/services.ts';
import { getDataset, listDatasets } from './definitions.ts';
import { type DatasetAddress, type DatasetType, indexFieldOf } from '../../../shared/datasets/datasets.ts';
import type { DatasetExtent, Holding } from '../../../shared/contract/catalogue.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import { stringifyJson, type JsonObject, type JsonValue, valueAt } from '../../../shared/json.ts';
import { toProblem, createEndReader, type End, type EndReader } from './end-reader.ts';
import { findScope, type SelectedWells } from './scope.ts';

/** Number of concurrent checks, which leaves capacity of the service to other requests. */
const atATime = 3;

type DatasetRef = DatasetAddress & { readonly type: DatasetType | null };

/**
 * Which datasets have records of some wells, roughly in the given order; each check requests one record. A
 * failed check yields unknown, with the reason.
 * @throws AppError for errors that affect every request
 */
async function* readHoldings(
  data: Pick<DataService, 'find'>,
  { assets, companies, datasets }: SelectedWells & { readonly datasets: readonly DatasetRef[] },
  signal: AbortSignal | undefined,
): AsyncGenerator<Holding> {
  const wells = { assets, companies };
  const checkHolding = async (
    { provider, dataset, type }: DatasetRef,
    checkSignal: AbortSignal,
  ): Promise<Holding> => {
    try {
      const options: CallOptions = { signal: checkSignal, maxTries };
      const holds = await holdingOf(data, { provider, dataset, type }, wells, options);
      return { provider, dataset, holds };
    } catch (error) {
      return { provider, dataset, holds: 'unknown', problem: toProblem(error).toBody() };
    }
  };
  yield* mapConcurrently(datasets, checkHolding, signal);
}

async function holdingOf(
  data: Pick<DataService, 'find'>,
  { type, ...address }: DatasetRef,
  wells: SelectedWells,
  options: CallOptions,
): Promise<Holding['holds']> {
  const read = createEndReader(data, address, type);
  const { field, query, holds } = await findScope(type, wells, read, options);
  if (field === null) return 'none';
  return (holds ?? (await read(query, 1, 'last', options, ['_id'])).length > 0) ? 'some' : 'none';
}

/**
 * Runs work for items, {@link atATime} of them at once, and yields results as they complete. A failure or the end of the
 * reader aborts the rest.
 * @throws the error of the work
 */
async function* mapConcurrently<T, R>(
  items: Iterable<T>,
  work: (item: T, signal: AbortSignal) => Promise<R>,
  signal: AbortSignal | undefined,
): AsyncGenerator<R> {
  const controller = new AbortController();
  const both = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
  const running = new Map<number, Promise<{ at: number; result: R }>>();
  const left = [...items].entries();
  try {
    for (;;) {
      while (running.size < atATime) {
        const next = left.next();
        if (next.done) break;
        const [at, item] = next.value;
        const task = work(item, both).then((result) => ({ at, result }));
        // A failure is thrown where it is awaited; without a listener a later one would be unhandled.
        task.catch(() => undefined);
        running.set(at, task);
      }
      if (running.size === 0) return;
      const { at, result } = await Promise.race(running.values());
      running.delete(at);
      yield result;
    }
  } finally {
    controller.abort();
  }
}

/** More tries aren't worth the wait: without an extent, the rest is shown. */
const maxTries = 3;

type ExtentRequest = DatasetAddress & SelectedWells & { readonly type?: DatasetType | null | undefined };
type Data = Pick<DataService, 'dataset' | 'companyDatasets' | 'find' | 'count'>;

/**
 * Number of records of some wells, and the lowest and highest value of the index field. Unavailable values
 * are null, with the reason in `problem`.
 * @throws AppError `forbidden` or `not_found` when the definition is required but unavailable; errors that
 *   affect every request
 */
export async function readExtent(
  data: Data,
  { provider, dataset, assets, companies, type: typeName }: ExtentRequest,
  signal: AbortSignal | undefined,
): Promise<DatasetExtent> {
  const address = { provider, dataset };
  const options: CallOptions = { signal, maxTries };
  const type = typeName === undefined ? (await getDataset(data, address, { signal })).type : typeName;
  const read = createEndReader(data, address, type);
  const field = indexFieldOf(type);
  const wells = { assets, companies };
  const scope = await findScope(type, wells, read, options).catch(toProblem);
  const nothing = { count: null, field, first: null, last: null, unplaced: false } as const;
  if (scope instanceof AppError) return { scope: null, of: 'all', ...nothing, problem: scope.toBody() };
  if (scope.holds === false) return { ...nothing, scope: scope.field, of: 'wells', count: 0 };
  const of = Object.keys(scope.query).length > 0 ? ('wells' as const) : ('all' as const);
  const [count, ends] = await Promise.all([
    data.count(address, scope.query, options).catch(toProblem),
    readEnds(field, scope.query, read, options).catch(toProblem),
  ]);
  const problem = [count, ends].find((result) => result instanceof AppError);
  return {
    ...nothing,
    scope: scope.field,
    of,
    ...(count instanceof AppError ? {} : { count }),
    ...(ends instanceof AppError ? {} : ends),
    ...(problem ? { problem: problem.toBody() } : {}),
  };
}

// Below every time and every depth; the empty string for texts. A bound matches only values of its own kind.
const lowest: Readonly<Record<string, JsonValue>> = {
  timestamp: -8_640_000_000_000_000,
  measured_depth: -1_000_000_000,
  datetime: '',
};

type Ends = Pick<DatasetExtent, 'first' | 'last' | 'unplaced'>;

/**
 * The lowest and highest value. Records without a value come first in ascending order, so the first one with
 * a value is found by a bound. Dates stored as dates don't match a text bound and stay unknown.
 */
async function readEnds(
  field: string | null,
  query: JsonObject,
  read: EndReader,
  options: CallOptions,
): Promise<Ends> {
  if (field === null) return { first: null, last: null, unplaced: false };
  const at = async (end: End, query: JsonObject): Promise<string | null | undefined> => {
    const [record] = await read(query, 1, end, options, [field]);
    if (record === undefined) return undefined;
    const value = valueAt(record, [field]);
    return value === null || value === undefined ? null : stringifyJson(value);
  };
  const [first, last = null] = await Promise.all([at('first', query), at('last', query)]);
  if (first !== null) return { first: first ?? null, last, unplaced: false };
  if (last === null) return { first: null, last: null, unplaced: true };
  const placed = await at('first', { ...query, [field]: { $gte: lowest[field] ?? null } });
  return { first: placed ?? null, last, unplaced: true };
}

export interface DatasetsDependencies {
  readonly services: (connectionId: string) => Services;
}

/** Handlers for dataset definitions (specification, sections 2.2 and 4.1). */
export function createDatasets({
  services,
}: DatasetsDependencies): ModuleHandlers<(typeof calls)['datasets']> {
  return {
    list: async ({ connection, ...filter }, { signal }) =>
      listDatasets(services(connection).data, filter, { signal }),
    get: async ({ connection, provider, dataset, maxTries }, { signal }) =>
      getDataset(services(connection).data, { provider, dataset }, { signal, maxTries }),
    async fields({ connection, ...scope }, { signal }) {
      // The table of channels that it needs is large.
      const { readFields } = await import('./fields/fields.ts');
      return readFields(services(connection).data, scope, signal);
    },
    extent: async ({ connection, ...scope }, { signal }) =>
      readExtent(services(connection).data, scope, signal),
    holdings: async ({ connection, ...scope }, { signal }) =>
      readHoldings(services(connection).data, scope, signal),
  };
}
