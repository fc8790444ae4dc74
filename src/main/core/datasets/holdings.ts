import type { DatasetAddress, DatasetType, Holding } from '../../../shared/datasets/datasets.ts';
import type { CallOptions, DataService } from '../wire/services/services.ts';
import { toProblem, createEndReader } from './end-reader.ts';
import { findScope, type SelectedWells } from './scope.ts';

/** Number of concurrent checks, which leaves capacity of the service to other requests. */
const atATime = 3;
const maxTries = 3;

type DatasetRef = DatasetAddress & { readonly type: DatasetType | null };

/**
 * Which datasets have records of some wells, roughly in the given order; each check requests one record. A
 * failed check yields unknown, with the reason.
 * @throws AppError for errors that affect every request
 */
export async function* readHoldings(
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
  if (field === null) return 'unscoped';
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
