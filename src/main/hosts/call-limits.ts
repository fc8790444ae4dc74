import type { Frame } from './frames.ts';

/** Limits of one connection of a window. */
export interface CallLimits {
  /** Calls that run at once, without open streams; others wait in order. */
  readonly running: number;
  /** Calls that wait. */
  readonly waiting: number;
  readonly streams: number;
  /** Bytes that were sent and not yet read by the window; others wait until it reads. */
  readonly unreadBytes: number;
}

export const defaultCallLimits: CallLimits = {
  running: 64,
  waiting: 10_000,
  streams: 1000,
  unreadBytes: 32 * 1024 * 1024,
};

/** How a connection is used. */
interface Connection {
  readonly deliver: (text: string) => void;
  /** Ends the connection, because the window exceeds a limit. */
  readonly end: (reason: string) => void;
  /** Bytes that the window didn't read yet. */
  readonly unreadBytes: () => number;
}

/** A response or an event to a window, as the RPC library has it before it is encoded. */
export type Outgoing = readonly [id: string, type: number, payload: unknown];

const eventType = 3;
const isLastEvent = (payload: unknown): boolean =>
  typeof payload === 'object' && payload !== null && 'event' in payload && payload.event !== 'message';
const startsStream = (payload: unknown): boolean =>
  typeof payload === 'object' &&
  payload !== null &&
  'body' in payload &&
  typeof payload.body === 'object' &&
  payload.body !== null &&
  Symbol.asyncIterator in payload.body;

/** Limits what one window makes the application do and keep, so that others get their answers meanwhile. */
export class LimitedCalls {
  readonly #connection: Connection;
  readonly #limits: CallLimits;
  readonly #running = new Set<string>();
  readonly #streams = new Set<string>();
  readonly #waiting = new Map<string, string>();
  readonly #senders: (() => void)[] = [];
  #isOpen = true;

  constructor(connection: Connection, limits: CallLimits = defaultCallLimits) {
    this.#connection = connection;
    this.#limits = limits;
  }

  /** Delivers a frame of the window, now or when an earlier call has ended. */
  receive({ id, kind, text }: Frame): void {
    if (!this.#isOpen) return;
    if (kind === 'abort') {
      if (this.#waiting.delete(id)) return;
      this.#connection.deliver(text);
      this.#ended(id);
    } else if (this.#running.size < this.#limits.running) this.#start(id, text);
    else if (this.#waiting.size < this.#limits.waiting) this.#waiting.set(id, text);
    else this.#end('too many calls at once');
  }

  /**
   * Counts a message to the window; resolves when it may be sent: once the window has read enough of the others.
   */
  async beforeSending([id, type, payload]: Outgoing): Promise<void> {
    if (this.#isOpen && (this.#senders.length > 0 || !this.#canSend()))
      await new Promise<void>((resolve) => this.#senders.push(resolve));
    if (type === eventType ? isLastEvent(payload) : !startsStream(payload)) this.#ended(id);
    else if (type !== eventType) this.#openStream(id);
  }

  /** The window read some of what was sent. */
  onRead(): void {
    if (this.#senders.length === 0 || !this.#canSend()) return;
    this.#senders.shift()?.();
    // What it sends counts before the next one.
    setImmediate(() => this.onRead());
  }

  /** The connection is closed. */
  close(): void {
    this.#isOpen = false;
    this.#waiting.clear();
    for (const send of this.#senders.splice(0)) send();
  }

  #canSend(): boolean {
    return this.#connection.unreadBytes() <= this.#limits.unreadBytes;
  }

  #start(id: string, text: string): void {
    this.#running.add(id);
    this.#connection.deliver(text);
  }

  #openStream(id: string): void {
    if (!this.#running.has(id)) return;
    this.#streams.add(id);
    if (this.#streams.size > this.#limits.streams) this.#end('too many open streams');
    else this.#ended(id, false);
  }

  #ended(id: string, isStream = true): void {
    if (isStream) this.#streams.delete(id);
    this.#running.delete(id);
    for (const [next, text] of this.#waiting) {
      if (!this.#isOpen || this.#running.size >= this.#limits.running) return;
      this.#waiting.delete(next);
      this.#start(next, text);
    }
  }

  #end(reason: string): void {
    this.close();
    this.#connection.end(reason);
  }
}
