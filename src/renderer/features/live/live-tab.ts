import { createStore } from 'zustand/vanilla';
import { type Dataset, scopeFieldOf } from '../../../shared/datasets/datasets.ts';
import { toAppError, type AppError, fromBody } from '../../../shared/errors/errors.ts';
import { livePace, type LiveCursor, type LiveField } from '../../../shared/tabs/live.ts';
import type { PlotChoice } from '../../../shared/tabs/plot.ts';
import type { PageStatus } from '../../api/page-status.ts';
import { createPlot } from '../plot/plot.ts';
import type { LiveChunkEvent } from '../records/host.ts';
import type { RecordsThread } from '../records/records.ts';
import type { TimeView } from '../../format/time-view.ts';
import { alarmsOf, announcedAlarms, type ChannelLimits, type LimitAlarm, type LiveLimits } from './limits.ts';
import { createLatestValues } from './latest-values.ts';
import { createLiveRecords } from './live-records.ts';

export const maxRecords = 20_000;
/** The number of records in the first request. */
const firstRecords = 1000;

/** The query of the live view. */
export interface LiveSubject {
  readonly connection: string;
  readonly dataset: Dataset;
  readonly query: string;
  readonly fields: readonly string[];
  readonly field: LiveField;
  readonly everyMs?: number | undefined;
  readonly plot?: PlotChoice | null | undefined;
  readonly limits?: LiveLimits | undefined;
}

type PauseReason = 'person' | 'hidden' | 'offline';

export type StreamState =
  | { readonly status: 'starting' | 'following' }
  | { readonly status: 'paused'; readonly why: PauseReason }
  | { readonly status: 'retrying'; readonly error: AppError; readonly nextTryMs: number }
  /** Retrying won't help until the user acts. */
  | { readonly status: 'stopped'; readonly error: AppError };

export interface LiveState {
  readonly stream: StreamState;
  readonly everyMs: number;
  /** Incremented with each change of the records. */
  readonly version: number;
  readonly kept: number;
  readonly dropped: number;
  /** The highest value of the growth field, for times in Unix milliseconds; null: no record yet. */
  readonly newest: number | null;
  /** The time of the last response in Unix milliseconds; null: none. */
  readonly answeredAt: number | null;
  /** Since when the next response is awaited: the last response, or the last start. */
  readonly awaitedSince: number;
  /** The limits of channels, by field. */
  readonly limits: LiveLimits;
  readonly alarms: readonly LimitAlarm[];
  /** The alarms that came last. */
  readonly announced: readonly LimitAlarm[];
  readonly view: 'table' | 'plot';
  readonly zone: TimeView;
  readonly isPickingZone: boolean;
}

/** The intervals without a response after which a service is silent: each request can take as long as one. */
const silentIntervals = 2;

/** For how many milliseconds a service that should have answered hasn't; null: it has. */
export function silenceOf(
  { stream, everyMs, awaitedSince }: Pick<LiveState, 'stream' | 'everyMs' | 'awaitedSince'>,
  now: number,
): number | null {
  const isAwaited = stream.status === 'following' || stream.status === 'starting';
  const ms = now - awaitedSince;
  return isAwaited && ms >= silentIntervals * everyMs ? ms : null;
}

export type LiveTab = ReturnType<typeof createLiveTab>;

export interface LiveDependencies {
  readonly live: RecordsThread['live'];
  readonly page: PageStatus;
  /** The initial time zone; default UTC. */
  readonly zone?: () => TimeView;
  readonly now: () => number;
  /** Tells the user of new alarms, or why limits are watched no more, unless the tab is in view and its window in front. */
  readonly notify: (news: readonly LimitAlarm[] | AppError, isInView: boolean) => void;
  /** Waits before a lost stream is retried, or until the signal aborts. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
}

// Errors between window and application, which are retried.
const transientErrors = ['internal', 'unreachable', 'timed_out', 'cancelled', 'service_failed'] as const;

export function createLiveTab(dependencies: LiveDependencies, subject: LiveSubject) {
  const { live, page, now, notify, wait } = dependencies;
  const records = createLiveRecords(maxRecords);
  const newLatest = () => createLatestValues(records, scopeFieldOf(subject.dataset.type), subject.field);
  const latest = newLatest();
  const plot = createPlot(subject.plot ?? null);
  const noRecords = { kept: 0, dropped: 0, newest: null, answeredAt: null, alarms: [], announced: [] };
  const store = createStore<LiveState>()(() => ({
    ...noRecords,
    stream: { status: 'starting' },
    everyMs: subject.everyMs ?? livePace.usual,
    version: 0,
    awaitedSince: now(),
    limits: subject.limits ?? {},
    view: 'plot',
    zone: dependencies.zone?.() ?? 'utc',
    isPickingZone: false,
  }));
  let cursor: LiveCursor | null = null;
  let running: AbortController | null = null;
  let isPausedByUser = false;
  /** Whether the user resumed after a stop that a changed address can explain, and nothing has arrived since. */
  let canStartAgain = false;
  let inView = true;

  const hasLimits = (): boolean => Object.keys(store.getState().limits).length > 0;

  const reasonToPause = (): PauseReason | null => {
    if (isPausedByUser) return 'person';
    // Limits are watched in the background, too.
    if (!hasLimits() && (!inView || page.hidden())) return 'hidden';
    return page.online() ? null : 'offline';
  };

  /** @param over the channels that were beyond their limits since the last update, but aren't now */
  function checkLimits(over: readonly LimitAlarm[] = []): void {
    const { limits, alarms: before, announced } = store.getState();
    const alarms = [...alarmsOf(latest.wells(), limits), ...over];
    const next = announcedAlarms(announced, before, alarms);
    store.setState({ alarms, announced: next.all });
    if (next.added.length > 0) notify(next.added, inView);
  }

  function onEvent(event: LiveChunkEvent): void {
    if (event.kind === 'trouble') {
      const { nextTryMs } = event;
      store.setState({ stream: { status: 'retrying', error: fromBody(event.error), nextTryMs } });
      return;
    }
    if (event.kind === 'records') {
      records.add(event);
      const over = latest.update(store.getState().limits);
      ({ cursor } = event);
      store.setState(({ version }) => ({
        version: version + 1,
        kept: records.count(),
        dropped: records.dropped(),
        newest: event.cursor.value,
      }));
      checkLimits(over);
    }
    canStartAgain = false;
    store.setState({ stream: { status: 'following' }, answeredAt: now(), awaitedSince: now() });
  }

  function startAgain(): void {
    cursor = null;
    // Replaced in place: the views hold these objects.
    Object.assign(records, createLiveRecords(maxRecords));
    Object.assign(latest, newLatest());
    store.setState(({ version }) => ({ ...noRecords, version: version + 1, stream: { status: 'starting' } }));
  }

  async function follow(signal: AbortSignal): Promise<void> {
    const { connection, dataset, query, fields, field } = subject;
    const { provider } = dataset;
    for (;;) {
      try {
        const { everyMs } = store.getState();
        const request = { connection, provider, dataset: dataset.dataset, query, fields: [...fields], field };
        const following = { ...request, everyMs, after: cursor, first: firstRecords };
        await live(following, { signal, onEvent: (event) => !signal.aborted && onEvent(event) });
        if (signal.aborted) return;
      } catch (thrown) {
        if (signal.aborted) return;
        const error = toAppError(thrown);
        // Continuing after records of another address would always fail.
        if (canStartAgain && cursor && error.is('invalid_input')) {
          startAgain();
          continue;
        }
        if (!transientErrors.some((code) => error.is(code))) {
          running = null;
          store.setState({ stream: { status: 'stopped', error } });
          if (hasLimits()) notify(error, inView);
          return;
        }
        store.setState({ stream: { status: 'retrying', error, nextTryMs: store.getState().everyMs } });
      }
      await wait(store.getState().everyMs, signal);
      if (signal.aborted) return;
    }
  }

  /** Starts or stops requests by the page's status. */
  function update(): void {
    const reason = reasonToPause();
    if (store.getState().stream.status === 'stopped' && !isPausedByUser) return;
    if (reason !== null) {
      running?.abort();
      running = null;
      store.setState({ stream: { status: 'paused', why: reason } });
    } else if (!running) {
      running = new AbortController();
      store.setState({ stream: { status: cursor ? 'following' : 'starting' }, awaitedSince: now() });
      void follow(running.signal);
    }
  }

  function restart(): void {
    running?.abort();
    running = null;
    update();
  }

  const stopWatching = page.watch(update);
  const actions = {
    setInterval(everyMs: number) {
      store.setState({ everyMs });
      if (running) restart();
    },
    pause() {
      isPausedByUser = true;
      update();
    },
    /** Resumes after a pause or a stop. If the connection’s address is still another one, starts again without the earlier records. */
    resume() {
      const { stream } = store.getState();
      canStartAgain = stream.status === 'stopped' && stream.error.is('invalid_input');
      isPausedByUser = false;
      store.setState({ stream: { status: 'starting' } });
      restart();
    },
    /** Requests newer records now, in place of a request without a response or a wait. */
    retry: restart,
    /** Whether the tab is visible: hidden tabs without limits make no requests. */
    setVisible(isVisible: boolean) {
      if (isVisible === inView) return;
      inView = isVisible;
      update();
    },
    /** Sets the limits of a channel; null: none. */
    setLimits(field: string, own: ChannelLimits | null) {
      store.setState(({ limits: { [field]: _before, ...otherLimits } }) => ({
        limits: own ? { ...otherLimits, [field]: own } : otherLimits,
      }));
      checkLimits();
      update();
    },
    setView: (view: LiveState['view']) => store.setState({ view }),
    show: (zone: TimeView) => store.setState({ zone }),
    pickZone: (isPickingZone: boolean) => store.setState({ isPickingZone }),
    close() {
      plot.actions.close();
      stopWatching();
      running?.abort();
      running = null;
    },
  };
  update();
  return { store, actions, subject, records, latest, plot };
}
