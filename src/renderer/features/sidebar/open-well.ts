import { addressOf, type Dataset } from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { ScopedWell } from '../../../shared/wells/wells.ts';
import type { Session } from '../../contexts.ts';
import { addressText } from '../datasets/search.ts';
import { wellIdsOf } from '../datasets/well-ids.ts';
import { openDataset } from '../query/open-query.ts';

/** The maximum number of datasets that are searched for a well's data: each is a request. */
export const maxSearched = 200;

const order = ['time', 'timeseries', 'depth', 'reference', null] as const;

/** Datasets in the order of the search: over time, over depth, then the others. */
const byType = (datasets: readonly Dataset[]): readonly Dataset[] =>
  datasets.toSorted((a, b) => order.indexOf(a.type) - order.indexOf(b.type));

/** The listed datasets, as soon as their list is complete. @throws AppError why it can't be loaded; `cancelled` */
async function listedDatasets(
  { store }: Session['datasets'],
  signal: AbortSignal,
): Promise<readonly Dataset[]> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => {
    if (!store.getState().freshness.isLoading || signal.aborted) resolve();
  };
  const stop = store.subscribe(check);
  signal.addEventListener('abort', check);
  check();
  await promise;
  stop();
  const { list } = store.getState();
  if (list.status === 'loaded') return list.value;
  throw list.status === 'failed' ? list.error : new AppError('cancelled', {});
}

export interface WellHolding {
  readonly dataset: Dataset;
  /** The code of the error for which it is unknown; null: it has records of the well. */
  readonly problem: string | null;
}

/**
 * The datasets with records of a well, as they are found, and those that couldn’t be checked.
 * @param signal stops the search
 * @throws AppError
 */
export async function* findWellData(
  { app, connection, datasets }: Session,
  well: ScopedWell,
  signal: AbortSignal,
): AsyncGenerator<WellHolding> {
  const listed = byType(await listedDatasets(datasets, signal)).slice(0, maxSearched);
  const datasetsByAddress = new Map(listed.map((dataset) => [addressText(dataset), dataset]));
  const request = {
    connection,
    assets: [well.assetId],
    // Records of its company aren't those of the well.
    companies: [],
    datasets: listed.map(({ provider, dataset, type }) => ({ provider, dataset, type })),
  };
  for await (const { holds, problem, ...address } of await app.api.datasets.holdings(request, { signal })) {
    const dataset = datasetsByAddress.get(addressText(address));
    if (dataset && (holds === 'some' || problem)) yield { dataset, problem: problem?.code ?? null };
  }
}

/** The dataset whose record of a well is the newest, of equal ones that with more records. */
async function newestOf(
  { app, connection }: Session,
  well: ScopedWell,
  datasets: readonly Dataset[],
): Promise<Dataset | undefined> {
  if (datasets.length < 2) return datasets[0];
  const ends = await Promise.all(
    datasets.map(async (dataset) => {
      const request = { connection, ...addressOf(dataset), type: dataset.type, ...wellIdsOf([well]) };
      const extent = await app.api.datasets.extent(request).catch(() => null);
      return { dataset, last: Number(extent?.last ?? 0), count: extent?.count ?? 0 };
    }),
  );
  return ends.toSorted((a, b) => b.last - a.last || b.count - a.count)[0]?.dataset;
}

/** The well that was opened last in each connection: the search for an earlier one can take longer. */
const lastOpened = new WeakMap<Session['tabs'], AbortController>();

/**
 * Opens the data of a well, unless another one is opened meanwhile: its newest records over time, or else the first
 * dataset that has records of it. Without any, the list of datasets.
 */
export async function openWell(session: Session, well: ScopedWell): Promise<void> {
  const search = new AbortController();
  lastOpened.get(session.tabs)?.abort();
  lastOpened.set(session.tabs, search);
  const signal = AbortSignal.any([session.signal, search.signal]);
  const overTime: Dataset[] = [];
  let other: Dataset | null = null;
  try {
    for await (const { dataset, problem } of findWellData(session, well, signal)) {
      if (problem !== null) continue;
      if (dataset.type === 'time') overTime.push(dataset);
      else other ??= dataset;
      if (other && overTime.length > 0) break;
    }
  } catch {
    // Without the service, the list of datasets says why.
  } finally {
    search.abort();
  }
  const dataset = (await newestOf(session, well, overTime)) ?? other;
  if (session.signal.aborted || lastOpened.get(session.tabs) !== search) return;
  if (dataset) return openDataset(session, dataset, { wells: [well], isPreview: true });
  session.wells.actions.selectWells([well]);
  session.datasets.actions.showOnlyHolding(true);
  session.app.sidebar.actions.focus('datasets');
}
