import type { DatasetAddress, DatasetType, Holding } from '../../shared/datasets/datasets.ts';
import type { CallOptions, DataService } from '../services/services.ts';
import { asProblem, readingOf } from './reading.ts';
import { findScope, type ChosenWells } from './scope.ts';

/** So many datasets are asked at a time: enough to be done soon, few enough to leave the service to others. */
const atATime = 3;
const maxTries = 3;

type Asked = DatasetAddress & { readonly type: DatasetType | null };

/**
 * Which of many datasets hold records of some wells, in about the order they were given; one record of each is asked
 * for. One that can't be read is said to be unknown, and why.
 * @throws AppError what befalls every request
 */
export async function* holdingsOf(
  data: Pick<DataService, 'find'>,
  { assets, companies, datasets }: ChosenWells & { readonly datasets: readonly Asked[] },
  signal: AbortSignal | undefined,
): AsyncGenerator<Holding> {
  const wells = { assets, companies };
  const ask = async ({ provider, dataset, type }: Asked, signal: AbortSignal): Promise<Holding> => {
    try {
      const holds = await holdsRecords(data, { provider, dataset, type }, wells, { signal, maxTries });
      return { provider, dataset, holds };
    } catch (error) {
      return { provider, dataset, holds: 'unknown', problem: asProblem(error).toBody() };
    }
  };
  yield* asDone(datasets, atATime, ask, signal);
}

async function holdsRecords(
  data: Pick<DataService, 'find'>,
  { type, ...address }: Asked,
  wells: ChosenWells,
  options: CallOptions,
): Promise<Holding['holds']> {
  const read = readingOf(data, address, type);
  const { field, query, holds } = await findScope(type, wells, read, options);
  if (field === null) return 'unscoped';
  const found = holds ?? (await read(query, 1, 'last', options, ['_id'])).length > 0;
  return found ? 'some' : 'none';
}

/**
 * Works on items a few at a time and gives each result as it is there, in whatever order. When one fails, or nobody
 * listens any more, what runs is aborted.
 * @throws what the work throws
 */
async function* asDone<T, R>(
  items: Iterable<T>,
  atATime: number,
  work: (item: T, signal: AbortSignal) => Promise<R>,
  signal: AbortSignal | undefined,
): AsyncGenerator<R> {
  const own = new AbortController();
  const both = signal ? AbortSignal.any([signal, own.signal]) : own.signal;
  const running = new Map<number, Promise<{ at: number; result: R }>>();
  const left = [...items].entries();
  try {
    for (;;) {
      while (running.size < atATime) {
        const next = left.next();
        if (next.done) break;
        const [at, item] = next.value;
        const task = work(item, both).then((result) => ({ at, result }));
        // A failure is heard of where it is waited for; that of one which nobody waits for any more is of no use.
        task.catch(() => undefined);
        running.set(at, task);
      }
      if (running.size === 0) return;
      const { at, result } = await Promise.race(running.values());
      running.delete(at);
      yield result;
    }
  } finally {
    own.abort();
  }
}
