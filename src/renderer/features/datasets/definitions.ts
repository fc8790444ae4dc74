import type { Dataset, DatasetAddress } from '../../../shared/datasets/datasets.ts';
import type { Api } from '../../api/api.ts';
import { addressInWords } from './search.ts';

/** Where single definitions come from. */
export interface DefinitionSource {
  readonly catalogue: Pick<Api['catalogue'], 'dataset'>;
}

/**
 * What is said of one dataset: as it was kept, then as the service has it, where that is something else.
 * @throws AppError what the service throws, behind what was kept
 */
export async function* singleDefinition(
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

/** So many definitions are asked for at a time: the list must not become a burden. */
const atATime = 2;
/** A row that is scrolled past is not asked about. */
const patienceMs = 150;

export interface DefinitionsNeeds {
  readonly api: DefinitionSource;
  /** The connection that is asked. */
  readonly connection: () => string | null;
  /** Told each definition as it comes; one that can't be had is passed over. */
  readonly learn: (known: Dataset) => void;
  readonly after: (ms: number, act: () => void) => void;
}

/**
 * Follows what is in view: the list of a service may leave the statistics of its datasets out, and only the single
 * definition has them. Each is asked for once at most.
 */
export function createDefinitions({ api, connection, learn, after }: DefinitionsNeeds) {
  const wanted = new Map<string, Dataset>();
  const asked = new Set<string>();
  let running = 0;
  let ended = new AbortController();

  async function ask({ provider, dataset }: Dataset, signal: AbortSignal): Promise<void> {
    const of = connection();
    if (of === null) return;
    const said = singleDefinition(api, { connection: of, provider, dataset }, signal);
    try {
      for await (const known of said) if (!signal.aborted) learn(known);
    } catch {
      // What was kept of it stands.
    }
  }

  function goOn(): void {
    while (running < atATime) {
      const next = wanted.entries().next();
      if (next.done) return;
      const [key, dataset] = next.value;
      wanted.delete(key);
      asked.add(key);
      running += 1;
      const { signal } = ended;
      void ask(dataset, signal).finally(() => {
        if (signal.aborted) return;
        running -= 1;
        goOn();
      });
    }
  }

  return {
    /** A dataset has come into view. */
    want(dataset: Dataset): void {
      const key = addressInWords(dataset);
      if (dataset.statistics.count !== null || asked.has(key) || wanted.has(key)) return;
      wanted.set(key, dataset);
      after(patienceMs, goOn);
    },
    /** What was said of it is true no more: it is asked for again. */
    again(dataset: Dataset): void {
      wanted.set(addressInWords(dataset), dataset);
      goOn();
    },
    /** It is out of view again; if nobody has asked yet, nobody will. */
    leave: (dataset: Dataset): void => void wanted.delete(addressInWords(dataset)),
    /** Forgets what was asked for, and gives up what is being asked. */
    reset(): void {
      ended.abort();
      ended = new AbortController();
      running = 0;
      wanted.clear();
      asked.clear();
    },
  };
}
