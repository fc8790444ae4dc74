import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { Api } from '../../api/api.ts';
import { listOf, Resource, type Answer } from '../../state/resource.ts';
import { addressText } from './search.ts';

type DefinitionKey = DatasetAddress & { readonly connection: string };
export type Definitions = Resource<DefinitionKey, Dataset>;

/** The definitions of datasets: the stored one, then the service's if it differs. */
export function createDefinitions(
  { catalogue }: { readonly catalogue: Pick<Api['catalogue'], 'dataset'> },
  onChange: (definition: Answer<Dataset>) => void,
): Definitions {
  async function* read({ connection, provider, dataset }: DefinitionKey, signal: AbortSignal) {
    const events = await catalogue.dataset({ connection, provider, dataset }, { signal });
    yield* listOf(events, (versions) => versions.at(-1), signal);
  }
  return new Resource(read, { idOf: (key) => `${key.connection} ${addressText(key)}`, onChange });
}

export type Schedule = (ms: number, act: () => void) => void;

/** The maximum number of concurrent requests. */
const maxRequests = 2;
/** Rows that are scrolled past sooner cause no request. */
const visibleDelayMs = 150;

/** Loads the definitions of visible rows, once each: lists may leave the statistics out. */
export function createRowDefinitions(load: (dataset: DatasetAddress) => Promise<void>, schedule: Schedule) {
  const queue = new Map<string, Dataset>();
  const requested = new Set<string>();
  let runningCount = 0;

  function startNext(): void {
    while (runningCount < maxRequests) {
      const next = queue.entries().next();
      if (next.done) return;
      const [key, dataset] = next.value;
      queue.delete(key);
      requested.add(key);
      runningCount += 1;
      void load(dataset).finally(() => {
        runningCount -= 1;
        startNext();
      });
    }
  }

  return {
    /** A dataset became visible. */
    request(dataset: Dataset): void {
      const key = addressText(dataset);
      if (dataset.statistics.count !== null || requested.has(key) || queue.has(key)) return;
      queue.set(key, dataset);
      schedule(visibleDelayMs, startNext);
    },
    /** The definition is outdated and will be loaded again. */
    invalidate(dataset: Dataset): void {
      queue.set(addressText(dataset), dataset);
      startNext();
    },
    /** The dataset is no longer visible: a request that has not started is dropped. */
    leave: (dataset: Dataset): void => void queue.delete(addressText(dataset)),
    /** Drops all requests that have not started. */
    reset(): void {
      queue.clear();
      requested.clear();
    },
  };
}
