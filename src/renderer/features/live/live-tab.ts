import { createStore } from 'zustand/vanilla';
import type { Dataset } from '../../../shared/datasets/datasets.ts';
import { toAppError, type AppError, fromBody } from '../../../shared/errors/errors.ts';
import { livePace, type LiveCursor, type LiveField } from '../../../shared/tabs/live.ts';
import type { FindRequest } from '../../../shared/query/query.ts';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import { createPlot } from '../plot/plot.ts';
import type { FollowedEvent } from '../records/host.ts';
import type { RecordsThread } from '../records/records.ts';
import type { TimeView } from '../results/times/time-view.ts';
import { createLiveRecords } from './live-records.ts';

/** So many of the newest records are kept. */
export const mostKept = 20_000;
/** So many come first. */
const firstRecords = 1000;

/** What is followed. */
export interface LiveSubject {
  readonly connection: string;
  readonly dataset: Dataset;
  readonly query: string;
  readonly fields: readonly string[];
  readonly field: LiveField;
  readonly everyMs?: number | undefined;
  readonly plot?: PlotChoice | null | undefined;
}

/** Why nothing is asked for a while. */
export type Pause = 'person' | 'hidden' | 'offline';

export type StreamState =
  | { readonly status: 'starting' | 'following' }
  | { readonly status: 'paused'; readonly why: Pause }
  | { readonly status: 'retrying'; readonly error: AppError; readonly nextTryMs: number }
  /** Asking again would not help, until the person has done something about it. */
  | { readonly status: 'stopped'; readonly error: AppError };

export interface LiveState {
  readonly stream: StreamState;
  readonly everyMs: number;
  /** Raised with each change of the records. */
  readonly version: number;
  readonly kept: number;
  readonly dropped: number;
  /** The highest value so far of the field that is followed, of a time in Unix milliseconds; null: no record yet. */
  readonly newest: number | null;
  /** When the service answered last, in Unix milliseconds; null: not yet. */
  readonly answeredAt: number | null;
  readonly view: 'table' | 'plot';
  readonly zone: TimeView;
}

/** A dataset that is followed: its newest records, and those that come. */
export type LiveTab = ReturnType<typeof createLiveTab>;

/** Whether anybody can see the window and the machine has a network, and when that changes. */
export interface Surroundings {
  readonly hidden: () => boolean;
  readonly online: () => boolean;
  readonly watch: (changed: () => void) => () => void;
}

export interface LiveNeeds {
  /** Follows a dataset. */
  readonly live: RecordsThread['live'];
  readonly surroundings: Surroundings;
  /** In which zone times are shown first; UTC where nobody says. */
  readonly zone?: () => TimeView;
  readonly now: () => number;
  /** Waits before a link that was lost is tried again. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

// What befalls the way to the application is no answer of the service: it is tried again.
const passing = ['internal', 'unreachable', 'timed_out', 'cancelled', 'service_failed'] as const;

export function createLiveTab(needs: LiveNeeds, subject: LiveSubject) {
  const { live, surroundings, now, wait } = needs;
  const records = createLiveRecords(mostKept);
  const plot = createPlot(subject.plot ?? null);
  const store = createStore<LiveState>()(() => ({
    stream: { status: 'starting' },
    everyMs: subject.everyMs ?? livePace.usual,
    version: 0,
    kept: 0,
    dropped: 0,
    newest: null,
    answeredAt: null,
    view: 'plot',
    zone: needs.zone?.() ?? 'utc',
  }));
  let cursor: LiveCursor | null = null;
  let running: AbortController | null = null;
  let byPerson = false;
  let inView = true;

  const pauseNow = (): Pause | null => {
    if (byPerson) return 'person';
    if (!inView || surroundings.hidden()) return 'hidden';
    return surroundings.online() ? null : 'offline';
  };

  function hear(event: FollowedEvent): void {
    if (event.kind === 'trouble') {
      const { nextTryMs } = event;
      store.setState({ stream: { status: 'retrying', error: fromBody(event.error), nextTryMs } });
      return;
    }
    if (event.kind === 'records') {
      records.add(event);
      ({ cursor } = event);
      store.setState(({ version }) => ({
        version: version + 1,
        kept: records.count(),
        dropped: records.dropped(),
        newest: event.cursor.value,
      }));
    }
    store.setState({ stream: { status: 'following' }, answeredAt: now() });
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const { connection, dataset, query, fields, field } = subject;
    const { provider } = dataset;
    for (;;) {
      try {
        const { everyMs } = store.getState();
        const request = { connection, provider, dataset: dataset.dataset, query, fields: [...fields], field };
        const following = { ...request, everyMs, after: cursor, first: firstRecords };
        await live(following, { signal, onEvent: (event) => !signal.aborted && hear(event) });
        if (signal.aborted) return;
      } catch (thrown) {
        if (signal.aborted) return;
        const error = toAppError(thrown);
        if (!passing.some((code) => error.is(code))) {
          running = null;
          store.setState({ stream: { status: 'stopped', error } });
          return;
        }
        store.setState({ stream: { status: 'retrying', error, nextTryMs: store.getState().everyMs } });
      }
      await wait(store.getState().everyMs, signal).catch(() => undefined);
      if (signal.aborted) return;
    }
  }

  /** Asks, or stops asking, as the surroundings say. */
  function settle(): void {
    const why = pauseNow();
    if (store.getState().stream.status === 'stopped' && !byPerson) return;
    if (why !== null) {
      running?.abort();
      running = null;
      store.setState({ stream: { status: 'paused', why } });
    } else if (!running) {
      running = new AbortController();
      store.setState({ stream: { status: cursor ? 'following' : 'starting' } });
      void follow(running.signal);
    }
  }

  function restart(): void {
    running?.abort();
    running = null;
    settle();
  }

  const stopWatching = surroundings.watch(settle);
  const actions = {
    pace(everyMs: number) {
      store.setState({ everyMs });
      if (running) restart();
    },
    pause() {
      byPerson = true;
      settle();
    },
    /** Goes on after a pause, or begins again after it was stopped. */
    resume() {
      byPerson = false;
      store.setState({ stream: { status: 'starting' } });
      restart();
    },
    /** Whether the tab is in view: one that is not asks for nothing. */
    seen(seen: boolean) {
      inView = seen;
      settle();
    },
    lookAt: (view: LiveState['view']) => store.setState({ view }),
    show: (zone: TimeView) => store.setState({ zone }),
    close() {
      stopWatching();
      running?.abort();
      running = null;
    },
  };
  settle();
  return { store, actions, subject, records, plot };
}

/** Opens a tab that follows a dataset. */
export type OpenLive = (dataset: Dataset, asked: Pick<FindRequest, 'query' | 'fields'>) => void;

declare module '../../state/contexts.ts' {
  interface Session {
    readonly openLive: OpenLive;
  }
}
