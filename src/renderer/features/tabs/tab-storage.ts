import { createStore } from 'zustand/vanilla';
import { AppError, toAppError } from '../../../shared/errors/errors.ts';
import type { KeptTab } from '../../../shared/tabs/tabs.ts';
import type { HeldTabs, TabsChange } from '../../../shared/contract/workspace.ts';
import type { Session } from '../../contexts.ts';
import { followStream, scheduleTimeout } from '../../state/follow-stream.ts';
import type { TabContent, TabKind } from './tab-kind.ts';
import { toStoredTab, type RestoreStatus, type Tab, type Tabs } from './tabs.ts';

type TabChanges = Omit<TabsChange, 'connection' | 'set'>;

/** Changes that main doesn't have yet. @param maxCharacters in a part, unless a single tab is larger */
export function createOutbox(maxCharacters: number) {
  const sentTabs = new Map<string, string>();
  let order = '';
  return {
    /** Whether main has a tab. */
    hasTab: (id: string) => sentTabs.has(id),
    /** The changes in parts that fit into a call; null: none. `touched` are tabs that may have changed. */
    changesToSend(ids: Omit<TabChanges, 'changed'>, touched: readonly KeptTab[]): TabChanges[] | null {
      const parts: KeptTab[][] = [[]];
      let characters = 0;
      for (const tab of touched) {
        const text = JSON.stringify(tab);
        if (sentTabs.get(tab.id) === text) continue;
        sentTabs.set(tab.id, text);
        if (characters > 0 && characters + text.length > maxCharacters) {
          parts.push([]);
          characters = 0;
        }
        characters += text.length;
        parts.at(-1)?.push(tab);
      }
      const listed = new Set([...ids.open, ...ids.closed]);
      for (const id of sentTabs.keys()) if (!listed.has(id)) sentTabs.delete(id);
      const orderBefore = order;
      order = JSON.stringify(ids);
      const hasChanges = order !== orderBefore || parts[0]?.length !== 0;
      return hasChanges ? parts.map((changed) => ({ ...ids, changed })) : null;
    },
    /** Everything has to be sent again. */
    forget(): void {
      sentTabs.clear();
      order = '';
    },
  };
}

/** Stores an opaque name for this window, which identifies its tabs. */
export interface WindowMemory {
  readonly recall: () => string | null;
  readonly remember: (set: string) => void;
}

/** A kind of tab, as far as stored ones need it. */
export type RestorableKind = Pick<TabKind<never>, 'kind' | 'restore' | 'losesWorkOnClose' | 'runsHidden'>;

async function restoreContent(
  { kind, stored }: Extract<Tab, { content: null }>,
  kinds: readonly RestorableKind[],
  session: Session,
): Promise<TabContent | RestoreStatus> {
  const storedKind = kinds.find((candidate) => candidate.kind === kind);
  if (!storedKind) return { status: 'unknown' };
  try {
    return await storedKind.restore(stored.state, session);
  } catch (error) {
    return error instanceof AppError ? { status: 'failed', error } : { status: 'unreadable' };
  }
}

/**
 * Calls back once for each change, with the tabs that may have changed; none: their order, or which of them are in view.
 * @returns a function that stops
 */
export function watchTabs(tabs: Pick<Tabs, 'store'>, touched: (ids: readonly string[]) => void): () => void {
  const watches = new Map<TabContent, () => void>();
  function watchAll(open: readonly Tab[]): void {
    const contents = new Set(open.map(({ content }) => content));
    for (const [content, stop] of watches) {
      if (contents.has(content)) continue;
      stop();
      watches.delete(content);
    }
    for (const { id, content } of open)
      if (content && !watches.has(content))
        watches.set(
          content,
          content.watch(() => touched([id])),
        );
  }
  watchAll(tabs.store.getState().tabs);
  const stop = tabs.store.subscribe((now, before) => {
    if (now.tabs !== before.tabs) watchAll(now.tabs);
    const tabsBefore = new Set<Tab | KeptTab>([...before.tabs, ...before.closed]);
    touched([...now.tabs, ...now.closed].filter((tab) => !tabsBefore.has(tab)).map(({ id }) => id));
  });
  return () => {
    stop();
    for (const stopWatch of watches.values()) stopWatch();
  };
}

/**
 * Keeps the preview tab when its stored form changes, unless its kind changed it without the user.
 * @returns a function that stops
 */
export function keepEditedPreview({ store, actions }: Pick<Tabs, 'store' | 'actions'>): () => void {
  let last: { readonly content: TabContent; readonly form: string } | null = null;
  return watchTabs({ store }, () => {
    const { tabs, preview } = store.getState();
    const content = tabs.find(({ id }) => id === preview)?.content ?? null;
    const before = last;
    last = content && { content, form: JSON.stringify(content.serialize()) };
    if (preview === null || content === null || before?.content !== content) return;
    if (before.form !== last?.form && !content.isPristine()) actions.pin(preview);
  });
}

/**
 * The minimum and maximum delay before a change is stored, and the delays after a failure, of storing and of loading
 * a tab that does its work while it is hidden, in milliseconds.
 */
const delays = { min: 250, max: 900, afterFailure: 5000, retry: 30_000 };
/** The maximum number of characters in a call; a frame takes four times as many. */
const maxCharacters = 4_000_000;

/**
 * Stores the window's tabs in main, so that a reload, a crash, or a restart restores them.
 * @param onRestored called when the window's tabs are restored, not loaded yet
 * @param schedule schedules a call and returns a function that cancels it
 */
export function createTabStorage(
  session: Session,
  kinds: readonly RestorableKind[],
  onRestored: () => void,
  schedule = scheduleTimeout,
) {
  const { connection, tabs, windowMemory } = session;
  const { api } = session.app;
  /** Why tabs may be missing after a restart, or what was lost before; null: everything is stored. */
  const store = createStore<{ readonly problem: string | null }>()(() => ({ problem: null }));
  const outbox = createOutbox(maxCharacters);
  const changedIds = new Set<string>();
  const retries = new Map<string, () => void>();
  const { promise: restored, resolve: setRestored } = Promise.withResolvers<void>();
  let set: string | null = null;
  let lastFailed = false;
  /** Whether the tabs of the session are gone: they must not be stored as closed. */
  let isClosed = false;
  let waiting: { readonly stop: () => void; readonly since: number } | null = null;
  let sending: Promise<void> | null = null;

  function sendSoon(): void {
    if (set === null || isClosed) return;
    const now = performance.now();
    const since = waiting?.since ?? now;
    waiting?.stop();
    // Continuous changes, such as typing or a live view, are stored at least every second, and retried every 5 seconds.
    const [min, max] = lastFailed ? [delays.afterFailure, delays.afterFailure] : [delays.min, delays.max];
    const wait = Math.max(Math.min(min, since + max - now), 0);
    waiting = { since, stop: schedule(wait, () => void flushInTurn()) };
  }

  async function send(): Promise<void> {
    const ownSet = set;
    if (ownSet === null) return;
    const { tabs: open, closed, active, neighbor, preview } = tabs.store.getState();
    // A tab may have changed just before it was closed.
    const isToSend = ({ id }: { readonly id: string }) => changedIds.has(id) || !outbox.hasTab(id);
    const touched = [...open.filter(isToSend).map(toStoredTab), ...closed.filter(isToSend)];
    changedIds.clear();
    const ids = {
      open: open.map(({ id }) => id),
      closed: closed.map(({ id }) => id),
      active,
      neighbor,
      preview,
    };
    const parts = outbox.changesToSend(ids, touched);
    if (!parts) return;
    try {
      // All at once: main takes calls in their order, and a page that closes waits for none.
      await Promise.all(parts.map((part) => api.tabs.keep({ connection, set: ownSet, ...part })));
      if (lastFailed) store.setState({ problem: null });
      lastFailed = false;
    } catch (error) {
      // A failed call may have been stored partly.
      outbox.forget();
      lastFailed = true;
      store.setState({ problem: toAppError(error).message });
      sendSoon();
    }
  }

  /** Sends without waiting for a running call: the page may close. */
  async function flush(): Promise<void> {
    waiting?.stop();
    waiting = null;
    const request = send().finally(() => {
      if (sending === request) sending = null;
    });
    sending = request;
    return request;
  }

  /** Sends after a running call, so that a slow disk gets one change at a time. */
  async function flushInTurn(): Promise<void> {
    waiting = null;
    await sending;
    await flush();
  }

  function onEvent({ set: ownSet, kept, problem }: HeldTabs): void {
    if (isClosed) return;
    const isNew = set !== ownSet;
    set = ownSet;
    windowMemory.remember(ownSet);
    if (problem !== null) store.setState({ problem });
    // After a lost link, main may be a new process: everything is sent again.
    outbox.forget();
    if (isNew) {
      tabs.actions.restore(kept);
      onRestored();
      setRestored();
    }
    sendSoon();
  }

  /** Loads a stored tab; its status shows the progress. */
  async function restore(id: string): Promise<void> {
    const find = () => tabs.store.getState().tabs.find((open) => open.id === id);
    const tab = find();
    if (!tab?.stored || tab.stored.status === 'restoring') return;
    tabs.actions.setRestoreStatus(id, { status: 'restoring' });
    const content = await restoreContent(tab, kinds, session);
    // The tab may be closed by now, or closed, reopened, and loaded.
    const isAwaited = find()?.stored?.status === 'restoring';
    if (!('status' in content)) return isAwaited ? tabs.actions.load(id, content) : content.close();
    if (!isAwaited) return;
    tabs.actions.setRestoreStatus(id, content);
    // A hidden tab that works, such as a live view with limits, has no retry button in view.
    const isGone = content.status !== 'failed' || content.error.is('not_found');
    if (!isGone && runsHidden(tab)) retryLater(id);
  }
  const runsHidden = (tab: Tab): boolean =>
    kinds.find((candidate) => candidate.kind === tab.kind)?.runsHidden(tab) ?? false;
  function retryLater(id: string): void {
    retries.get(id)?.();
    const stop = schedule(delays.retry, () => {
      retries.delete(id);
      void restore(id);
    });
    retries.set(id, stop);
  }
  /** Loads the stored tabs that are in view, and those that do their work while they are hidden. */
  function restoreShown(): void {
    const { tabs: open, active, neighbor } = tabs.store.getState();
    for (const tab of open) {
      if (tab.stored?.status !== 'stored') continue;
      if (tab.id === active || tab.id === neighbor?.id || runsHidden(tab)) void restore(tab.id);
    }
  }

  return {
    store,
    /** Resolves when the window's tabs are listed, which a lost link delays; never if the session is closed first. */
    restored,
    /** Restores the window's tabs, and stores them until the signal aborts. */
    start(signal: AbortSignal): void {
      const stop = watchTabs(tabs, (ids) => {
        if (isClosed) return;
        for (const id of ids) changedIds.add(id);
        restoreShown();
        sendSoon();
      });
      signal.addEventListener('abort', () => {
        stop();
        waiting?.stop();
        for (const stopRetry of retries.values()) stopRetry();
        set = null;
      });
      const open = () => api.events.tabs({ connection, set: set ?? windowMemory.recall() }, { signal });
      void followStream(open, onEvent, { signal });
    },
    /** Stores all changes immediately, as when the page closes. */
    flush,
    /** Stores the tabs as they are now, and nothing of what happens to them after. Settles when they are stored, or can't be. */
    close(): Promise<void> {
      const stored = flush();
      isClosed = true;
      for (const stopRetry of retries.values()) stopRetry();
      return stored;
    },
    actions: { restore, dismiss: () => store.setState({ problem: null }) },
  };
}

export type TabStorage = ReturnType<typeof createTabStorage>;
