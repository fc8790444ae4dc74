import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Link } from './api.ts';
import type { Channel, OpenChannel } from './channel.ts';
import { linkLost } from './errors.ts';

/**
 * `connecting`: not open yet; `reconnecting`: lost; `signedOut`: the browser needs a new sign-in link;
 * `unanswered`: several attempts failed.
 */
export type LinkState = 'connecting' | 'connected' | 'reconnecting' | 'signedOut' | 'unanswered';

/** The application no longer accepts this browser. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
}

/** Failed attempts in a row before the user is told what to do. */
const maxSilentAttempts = 4;

export interface ReconnectingLink {
  readonly link: Link;
  readonly state: StoreApi<{ state: LinkState }>;
  /** Closes the link permanently. */
  readonly close: () => void;
}

export interface ReconnectingOptions {
  /** How long a call waits for a link, in milliseconds. */
  callTimeoutMs?: number;
  /** The delay before the first attempt in milliseconds; doubles up to `maxDelayMs`. */
  minDelayMs?: number;
  maxDelayMs?: number;
}

const defaults = { callTimeoutMs: 10_000, minDelayMs: 250, maxDelayMs: 4_000 };

/**
 * A link that reopens itself. Calls wait for it up to a limit. Running calls fail with {@link linkLost} when
 * it is lost, because their result is unknown.
 */
export function createReconnectingLink(
  open: OpenChannel,
  options: ReconnectingOptions = {},
): ReconnectingLink {
  const { callTimeoutMs, minDelayMs, maxDelayMs } = { ...defaults, ...options };
  const state = createStore<{ state: LinkState }>()(() => ({ state: 'connecting' }));
  const ended = new AbortController();
  let current = Promise.withResolvers<Channel>();

  async function keepOpen(): Promise<void> {
    let wait = minDelayMs;
    let failures = 0;
    while (!ended.signal.aborted) {
      const channel = await open().catch((error: unknown) => {
        failures += 1;
        if (error instanceof SignedOut) state.setState({ state: 'signedOut' });
        else if (failures >= maxSilentAttempts) state.setState({ state: 'unanswered' });
        return null;
      });
      if (channel) {
        wait = minDelayMs;
        failures = 0;
        state.setState({ state: 'connected' });
        current.resolve(channel);
        await Promise.race([channel.whenClosed, whenAborted(ended.signal)]);
        current = Promise.withResolvers();
        if (ended.signal.aborted) channel.close();
        else state.setState({ state: 'reconnecting' });
      }
      await sleep(wait, ended.signal);
      wait = Math.min(wait * 2, maxDelayMs);
    }
  }

  const link: Link = {
    async call(path, input, callOptions) {
      const channel = await withTimeout(current.promise, callTimeoutMs, callOptions.signal);
      try {
        return await channel.link.call(path, input, callOptions);
      } catch (error) {
        // A closing transport aborts its calls; that is not a cancellation.
        throw channel.open ? error : linkLost();
      }
    },
  };

  void keepOpen();
  return {
    link,
    state,
    close: () => ended.abort(),
  };
}

/** Settles when the signal aborts. */
function whenAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Waits until the time or the abort. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return Promise.race([new Promise<void>((resolve) => setTimeout(resolve, ms)), whenAborted(signal)]);
}

/** The value, or the error of a lost link after `ms`, or the abort. */
function withTimeout<T>(value: Promise<T>, ms: number, signal: AbortSignal | undefined): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(linkLost()), ms);
  const onAbort = () => reject(new DOMException('aborted', 'AbortError'));
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  void value.then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', onAbort);
  });
}
