import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { Api } from '../../api/api.ts';
import { addressText } from './search.ts';

export interface DefinitionSource {
  readonly catalogue: Pick<Api['catalogue'], 'dataset'>;
}

/**
 * The stored definition of a dataset, then the service's if it differs.
 * @throws AppError from the service, after the stored definition
 */
export async function* streamDefinition(
  { catalogue }: DefinitionSource,
  { connection, provider, dataset }: DatasetAddress & { readonly connection: string },
  signal?: AbortSignal,
): AsyncGenerator<Dataset> {
  const options = signal ? { signal } : {};
  for await (const event of await catalogue.dataset({ connection, provider, dataset }, options)) {
    if (signal?.aborted) return;
    if (event.kind === 'items') yield* event.items;
  }
}

/** The maximum number of concurrent requests. */
const maxRequests = 2;
/** Rows that are scrolled past sooner cause no request. */
const visibleDelayMs = 150;

interface DefinitionsDependencies {
  readonly api: DefinitionSource;
  readonly connection: () => string | null;
  /** Called with each definition; failed requests are skipped. */
  readonly updateDataset: (dataset: Dataset) => void;
  readonly schedule: (ms: number, act: () => void) => void;
}

/** Loads the definitions of visible rows, once each: lists may leave the statistics out. */
export function createDefinitions({ api, connection, updateDataset, schedule }: DefinitionsDependencies) {
  const queue = new Map<string, Dataset>();
  const requested = new Set<string>();
  let runningCount = 0;
  let controller = new AbortController();

  async function ask({ provider, dataset }: Dataset, signal: AbortSignal): Promise<void> {
    const of = connection();
    if (of === null) return;
    const definitions = streamDefinition(api, { connection: of, provider, dataset }, signal);
    try {
      for await (const loadedDefinition of definitions) if (!signal.aborted) updateDataset(loadedDefinition);
    } catch {
      // The stored definition stays.
    }
  }

  function startNext(): void {
    while (runningCount < maxRequests) {
      const next = queue.entries().next();
      if (next.done) return;
      const [key, dataset] = next.value;
      queue.delete(key);
      requested.add(key);
      runningCount += 1;
      const { signal } = controller;
      void ask(dataset, signal).finally(() => {
        if (signal.aborted) return;
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
    /** Drops and aborts all requests. */
    reset(): void {
      controller.abort();
      controller = new AbortController();
      runningCount = 0;
      queue.clear();
      requested.clear();
    },
  };
}
