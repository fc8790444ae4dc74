import { readFrame } from './frames.ts';

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

/** The connection to a window. */
interface Carrier {
  readonly send: (data: unknown) => void;
  /** Closes it, because of what the window did: “sent an invalid message”. */
  readonly end: (reason: string) => void;
  /** Bytes that the window didn't read yet. */
  readonly unreadBytes: () => number;
}

type Listener = (message?: { data: unknown }) => void;

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

/**
 * The port of a window as the RPC handler sees it. Only frames of the right form get through, and only as many as the limits
 * allow, so that other windows get their answers meanwhile.
 */
export class LimitedPort {
  readonly #carrier: Carrier;
  readonly #limits: CallLimits;
  readonly #listeners: Readonly<Record<string, Listener[]>> = { message: [], close: [] };
  readonly #running = new Set<string>();
  readonly #streams = new Set<string>();
  readonly #waiting = new Map<string, string>();
  readonly #senders: (() => void)[] = [];
  #isOpen = true;

  constructor(carrier: Carrier, limits: CallLimits = defaultCallLimits) {
    this.#carrier = carrier;
    this.#limits = limits;
  }

  on(event: string, listener: Listener): void {
    this.#listeners[event]?.push(listener);
  }

  postMessage(data: unknown): void {
    if (this.#isOpen) this.#carrier.send(data);
  }

  /** Delivers a message of the window, now or when an earlier call has ended. */
  receive(data: unknown): void {
    if (!this.#isOpen) return;
    const frame = readFrame(data);
    if (!frame) return this.#end('sent an invalid message');
    const { id, kind, text } = frame;
    if (kind === 'abort') {
      if (this.#waiting.delete(id)) return;
      this.#emit('message', text);
      this.#streams.delete(id);
      this.#endCall(id);
    } else if ([this.#running, this.#streams, this.#waiting].some((calls) => calls.has(id)))
      this.#end('used the ID of a call again');
    else if (this.#running.size < this.#limits.running) this.#start(id, text);
    else if (this.#waiting.size < this.#limits.waiting) this.#waiting.set(id, text);
    else this.#end('made too many calls at once');
  }

  /**
   * Counts a message to the window; resolves when it may be sent: once the window has read enough of the others.
   */
  async beforeSending([id, type, payload]: Outgoing): Promise<void> {
    if (this.#isOpen && (this.#senders.length > 0 || !this.#canSend()))
      await new Promise<void>((resolve) => this.#senders.push(resolve));
    if (type !== eventType && startsStream(payload)) this.#openStream(id);
    else if (type !== eventType || isLastEvent(payload)) {
      this.#streams.delete(id);
      this.#endCall(id);
    }
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
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#waiting.clear();
    for (const send of this.#senders.splice(0)) send();
    this.#emit('close');
  }

  #canSend(): boolean {
    return this.#carrier.unreadBytes() <= this.#limits.unreadBytes;
  }

  #start(id: string, text: string): void {
    this.#running.add(id);
    this.#emit('message', text);
  }

  #openStream(id: string): void {
    if (!this.#running.has(id)) return;
    this.#streams.add(id);
    if (this.#streams.size > this.#limits.streams) this.#end('opened too many streams');
    else this.#endCall(id);
  }

  /** Makes room for the calls that wait. */
  #endCall(id: string): void {
    this.#running.delete(id);
    for (const [next, text] of this.#waiting) {
      if (!this.#isOpen || this.#running.size >= this.#limits.running) return;
      this.#waiting.delete(next);
      this.#start(next, text);
    }
  }

  #end(reason: string): void {
    this.close();
    this.#carrier.end(reason);
  }

  #emit(event: 'message' | 'close', data?: string): void {
    for (const listener of this.#listeners[event] ?? []) listener({ data });
  }
}
