import type { Dataset } from '../../../shared/datasets.ts';
import type { Api } from '../../api/api.ts';

/** At most so many definitions are asked for, and so many at a time: the list must not become a burden. */
const most = 40;
const atATime = 2;

/**
 * Asks for the single definitions of datasets whose list entry says nothing of their size: the list of a service may
 * leave the statistics out (they are 0 then). Hands each on as it comes; one that can't be had is passed over.
 */
export async function refine(
  api: Pick<Api, 'datasets'>,
  connection: string,
  datasets: readonly Dataset[],
  learn: (known: Dataset) => void,
  signal: AbortSignal,
): Promise<void> {
  const unknown = datasets.filter(({ statistics }) => !statistics.count).slice(0, most);
  const next = unknown.values();
  const work = async () => {
    for (const { provider, dataset } of next) {
      if (signal.aborted) return;
      const known = await api.datasets.get({ connection, provider, dataset }, { signal }).catch(() => null);
      if (known && !signal.aborted) learn(known);
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
}
