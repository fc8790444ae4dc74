import { createStore } from 'zustand/vanilla';
import { abortable, aborted } from '../../shared/abort.ts';
import { delay } from '../state/follow-stream.ts';
import { type Link, type Channel, type OpenChannel, linkLost } from './api.ts';

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

interface ReconnectingOptions {
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
export function createReconnectingLink(open: OpenChannel, options: ReconnectingOptions = {}) {
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
        await Promise.race([channel.whenClosed, aborted(ended.signal)]);
        current = Promise.withResolvers();
        if (ended.signal.aborted) channel.close();
        else state.setState({ state: 'reconnecting' });
      }
      await delay(wait, ended.signal);
      wait = Math.min(wait * 2, maxDelayMs);
    }
  }

  const link: Link = {
    async call(path, input, callOptions) {
      const late = Promise.withResolvers<never>();
      const timer = setTimeout(() => late.reject(linkLost()), callTimeoutMs);
      const channel = await abortable(
        Promise.race([current.promise, late.promise]),
        callOptions.signal,
      ).finally(() => clearTimeout(timer));
      try {
        return await channel.link.call(path, input, callOptions);
      } catch (error) {
        // A closing transport aborts its calls; that is not a cancellation.
        throw channel.open ? error : linkLost();
      }
    },
  };

  void keepOpen();
  /** `close` closes the link permanently. */
  return { link, state, close: () => ended.abort() };
}

export type ReconnectingLink = ReturnType<typeof createReconnectingLink>;
