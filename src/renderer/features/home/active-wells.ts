import { createStore } from 'zustand/vanilla';
import { addressOf, type Dataset } from '../../../shared/datasets/datasets.ts';
import { toAppError, type AppError } from '../../../shared/errors/errors.ts';
import { hasAssetId, type ScopedWell, type Well } from '../../../shared/wells/wells.ts';
import type { Api } from '../../api/api.ts';
import type { PageStatus } from '../../api/page-status.ts';
import { datasetsOverTime } from '../datasets/search.ts';
import { serviceNow } from '../records/request.ts';
import {
  withLaterRecords,
  newestRecordsRequest,
  readNewestRecords,
  type NewestRecords,
} from './newest-records.ts';

/** The maximum number of cards: their newest records come in one response. */
export const maxCards = 12;
/** The maximum number of datasets that are read: each is a request. */
export const maxCardDatasets = 4;
/** The time between two readings, in milliseconds. */
export const cardPaceMs = 30_000;
/** After this time the page says that the service hasn't answered, in milliseconds; the requests continue. */
const lateMs = 8000;

/**
 * The wells with a card: pinned ones, then those whose activity is the latest.
 * @param wells all that are listed
 * @param pinned asset ids of pinned ones
 * @returns at most {@link maxCards}
 */
export function wellsWithCards(wells: readonly Well[], pinned: ReadonlySet<number>): readonly ScopedWell[] {
  // Each time is parsed once, and not for each comparison: there can be 50,000.
  return wells
    .filter(hasAssetId)
    .map((well) => ({
      well,
      at: Date.parse(well.lastActiveAt ?? '') || 0,
      isPinned: Number(pinned.has(well.assetId)),
    }))
    .filter(({ at, isPinned }) => at > 0 || isPinned)
    .toSorted((a, b) => b.isPinned - a.isPinned || b.at - a.at)
    .slice(0, maxCards)
    .map(({ well }) => well);
}

/** The datasets over time that are read for the cards, at most {@link maxCardDatasets}: those named after WITS first. */
export const datasetsOfCards = (datasets: readonly Dataset[]): readonly Dataset[] =>
  datasetsOverTime(datasets).slice(0, maxCardDatasets);

export interface ActiveWellsState {
  readonly newest: NewestRecords;
  /** Whether the current reading takes unusually long. */
  readonly isLate: boolean;
  /** When all datasets had answered, in Unix milliseconds; null: not yet. */
  readonly readAt: number | null;
  readonly isOffline: boolean;
  /** Why no dataset could be read the last time. */
  readonly error: AppError | null;
  /** The number of datasets that could not be read the last time. */
  readonly unread: number;
}

export interface ActiveWellsDependencies {
  readonly api: { readonly query: Pick<Api['query'], 'now' | 'pipeline'> };
  readonly connection: string;
  readonly page: PageStatus;
  readonly now: () => number;
  /** Waits until the next reading, or until one is late. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

export interface CardSubject {
  readonly wells: readonly ScopedWell[];
  readonly datasets: readonly Dataset[];
}

/** Whether the same wells and datasets are read, in order: lists are loaded again with the same ones. */
export function isSameSubject(a: CardSubject, b: CardSubject): boolean {
  const idsOf = ({ wells, datasets }: CardSubject) =>
    JSON.stringify([wells.map(({ assetId }) => assetId), datasets.map(addressOf)]);
  return idsOf(a) === idsOf(b);
}

export type ActiveWells = ReturnType<typeof createActiveWells>;

/** The newest records of the wells with a card, read again while they are shown. */
export function createActiveWells({ api, connection, page, now, wait }: ActiveWellsDependencies) {
  const store = createStore<ActiveWellsState>()(() => ({
    newest: new Map(),
    isLate: false,
    readAt: null,
    isOffline: !page.online(),
    error: null,
    unread: 0,
  }));

  async function read({ wells, datasets }: CardSubject, signal: AbortSignal): Promise<void> {
    store.setState({ isLate: false });
    const answered = new AbortController();
    void wait(lateMs, AbortSignal.any([signal, answered.signal])).then(() => {
      if (!signal.aborted && !answered.signal.aborted) store.setState({ isLate: true });
    });
    const newestBefore = store.getState().newest;
    const answers = await Promise.allSettled(
      datasets.map(async (dataset) => {
        const serviceMs = await serviceNow(api.query, connection, dataset, now);
        const request = newestRecordsRequest(connection, dataset, wells, newestBefore, serviceMs);
        const { records } = await api.query.pipeline(request, { signal });
        if (signal.aborted) return;
        const newest = readNewestRecords(records, dataset);
        store.setState((state) => ({ newest: withLaterRecords(state.newest, newest) }));
      }),
    );
    answered.abort();
    if (signal.aborted) return;
    const failures = answers.filter((answer) => answer.status === 'rejected');
    const error = failures[0] && failures.length === answers.length ? toAppError(failures[0].reason) : null;
    store.setState({ isLate: false, error, unread: failures.length, ...(error ? {} : { readAt: now() }) });
  }

  /** Reads until the signal aborts, but not in a hidden page or without a network. */
  async function follow(subject: CardSubject, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      store.setState({ isOffline: !page.online() });
      if (!page.hidden() && page.online()) await read(subject, signal);
      if (!signal.aborted) await wait(cardPaceMs, signal);
    }
  }

  let subject: CardSubject = { wells: [], datasets: [] };
  let running = new AbortController();

  function restart(): void {
    running.abort();
    running = new AbortController();
    if (subject.wells.length > 0 && subject.datasets.length > 0) void follow(subject, running.signal);
  }

  return {
    store,
    actions: {
      /** Reads now, then at an interval, and as soon as the page is shown or online again. @returns stops */
      follow(next: CardSubject): () => void {
        subject = next;
        const stopWatching = page.watch(restart);
        restart();
        return () => {
          stopWatching();
          running.abort();
        };
      },
      retry: restart,
    },
  };
}
