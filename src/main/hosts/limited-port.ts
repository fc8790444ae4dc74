import * as z from 'zod';
import { jsonOrNull } from '../../shared/json.ts';

/** Limits of one connection of a window. */
export interface CallLimits {
  /** Calls that run at once, without open streams; others wait in order. */
  readonly running: number;
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

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#waiting.clear();
    for (const send of this.#senders.splice(0)) send();
    // Calls that came just before begin first: one that begins after the end would run on.
    setImmediate(() => this.#emit('close'));
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

// The two frames that the window sends, as the RPC library defines them: a call by name, and the end of a
// call. The contract has no blobs and no streams into main, so no other frame reaches the library.
const call = z.strictObject({
  i: z.string().max(64),
  p: z.strictObject({
    u: z.string().regex(/^\/[A-Za-z]{1,40}\/[A-Za-z]{1,40}$/),
    b: z.unknown().optional(),
    h: z.record(z.string().max(100), z.string().max(1000)).optional(),
  }),
});
const abort = z.strictObject({ i: z.string().max(64), t: z.literal(4), p: z.unknown().optional() });
const frame = z.union([call, abort]);

/** Maximum size of a message from a window, in bytes or characters; files use another channel. */
export const maxFrameLength = 16 * 1024 * 1024;
/** Maximum number of values in a message: each takes many times the memory of its characters. */
export const maxFrameValues = 300_000;

interface Frame {
  /** The call that it starts or ends. */
  readonly id: string;
  readonly kind: 'call' | 'abort';
  readonly text: string;
}

/** A frame from a window; null if it has neither form, or exceeds a limit. */
export function readFrame(data: unknown): Frame | null {
  if (typeof data !== 'string' || data.length > maxFrameLength) return null;
  if (data.length > maxFrameValues && !hasFewValues(data)) return null;
  const { data: parsed } = frame.safeParse(jsonOrNull(data));
  return parsed ? { id: parsed.i, kind: 't' in parsed ? 'abort' : 'call', text: data } : null;
}

/** Whether a JSON text has at most {@link maxFrameValues} values, by its commas and opening brackets. */
function hasFewValues(json: string): boolean {
  let values = 0;
  for (let at = 0; at < json.length; at += 1) {
    const char = json.charCodeAt(at);
    if (char === 0x22) at = endOfText(json, at);
    else if (char === 0x2c || char === 0x5b || char === 0x7b) values += 1;
    if (values > maxFrameValues) return false;
  }
  return true;
}

/** The offset of the quote that closes a text. */
function endOfText(json: string, start: number): number {
  let at = start + 1;
  for (; at < json.length && json.charCodeAt(at) !== 0x22; at += 1) if (json.charCodeAt(at) === 0x5c) at += 1;
  return at;
}
