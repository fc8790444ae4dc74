import type { DatasetAddress, DatasetType, Holding } from '../../shared/datasets/datasets.ts';
import type { CallOptions, DataService } from '../services/services.ts';
import { asDone } from './as-done.ts';
import { asProblem } from './problems.ts';
import { readingOf } from './reading.ts';
import { findScope, type ChosenWells } from './scope.ts';

/** So many datasets are asked at a time: enough to be done soon, few enough to leave the service to others. */
const atATime = 3;
const tries = 3;

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
      const holds = await holdsRecords(data, { provider, dataset, type }, wells, { signal, tries });
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
