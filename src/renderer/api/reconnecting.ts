import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Link } from './api.ts';
import type { Channel, OpenChannel } from './channel.ts';
import { linkLost } from './errors.ts';

/**
 * `connecting`: not yet open for the first time; `reconnecting`: it was open and is lost for now; `signedOut`: this
 * browser has to open a new sign-in link first; `unanswered`: several tries in a row found nobody.
 */
export type LinkState = 'connecting' | 'connected' | 'reconnecting' | 'signedOut' | 'unanswered';

/** The application is there and lets this browser in no more. */
export class SignedOut extends Error {
  override readonly name = 'SignedOut';
}

/** After so many tries in a row that found nobody, the person is told what they can do. */
const triesUntilUnanswered = 4;

export interface ReconnectingLink {
  readonly link: Link;
  readonly state: StoreApi<{ state: LinkState }>;
  /** Closes the link for good. */
  readonly close: () => void;
}

export interface ReconnectingOptions {
  /** How long a call waits for a link before it fails, in milliseconds. */
  patienceMs?: number;
  /** The wait before the first new try, in milliseconds; doubles up to `longestWaitMs`. */
  firstWaitMs?: number;
  longestWaitMs?: number;
}

const defaults = { patienceMs: 10_000, firstWaitMs: 250, longestWaitMs: 4_000 };

/**
 * A link that opens itself again when it is lost. Calls wait for it for a while; calls under way when it is lost fail
 * with the error of {@link linkLost}, because whether they were carried out can't be known here.
 */
export function reconnecting(open: OpenChannel, options: ReconnectingOptions = {}): ReconnectingLink {
  const { patienceMs, firstWaitMs, longestWaitMs } = { ...defaults, ...options };
  const state = createStore<{ state: LinkState }>()(() => ({ state: 'connecting' }));
  const ended = new AbortController();
  let current = Promise.withResolvers<Channel>();

  async function keepOpen(): Promise<void> {
    let wait = firstWaitMs;
    let failures = 0;
    while (!ended.signal.aborted) {
      const channel = await open().catch((error: unknown) => {
        failures += 1;
        if (error instanceof SignedOut) state.setState({ state: 'signedOut' });
        else if (failures >= triesUntilUnanswered) state.setState({ state: 'unanswered' });
        return null;
      });
      if (channel) {
        wait = firstWaitMs;
        failures = 0;
        state.setState({ state: 'connected' });
        current.resolve(channel);
        await Promise.race([channel.closed, aborted(ended.signal)]);
        current = Promise.withResolvers();
        if (ended.signal.aborted) channel.close();
        else state.setState({ state: 'reconnecting' });
      }
      await sleep(wait, ended.signal);
      wait = Math.min(wait * 2, longestWaitMs);
    }
  }

  const link: Link = {
    async call(path, input, callOptions) {
      const channel = await orLost(current.promise, patienceMs, callOptions.signal);
      try {
        return await channel.link.call(path, input, callOptions);
      } catch (error) {
        // A carrier that closes aborts its calls; that is not a cancel.
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
function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Waits, but not beyond the abort of the signal. */
function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return Promise.race([new Promise<void>((resolve) => setTimeout(resolve, ms)), aborted(signal)]);
}

/** The value, or the error of a lost link after `ms`, or the abort of the signal. */
function orLost<T>(value: Promise<T>, ms: number, signal: AbortSignal | undefined): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(() => reject(linkLost()), ms);
  const giveUp = () => reject(new DOMException('aborted', 'AbortError'));
  if (signal?.aborted) giveUp();
  signal?.addEventListener('abort', giveUp, { once: true });
  void value.then(resolve, reject);
  return promise.finally(() => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', giveUp);
  });
}
