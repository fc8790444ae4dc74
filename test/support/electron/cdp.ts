import type { CDPSession } from '@playwright/test';
import { WebSocket } from 'ws';

/** A session with a target, or with the browser, over the Chrome DevTools Protocol; typed like Playwright's. */
export interface Session {
  send: CDPSession['send'];
  on: CDPSession['on'];
}

interface Message {
  id?: number;
  sessionId?: string;
  method?: string;
  params?: unknown;
  result?: unknown;
  error?: { message: string };
}
type Waiting = { resolve: (value: never) => void; reject: (error: Error) => void };
type Listener = (params: never) => void;

/** A connection to a Chromium; each attached target has its own session. */
export class Connection {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<number, Waiting>();
  readonly #listeners = new Map<string, Listener[]>();
  #last = 0;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => this.#onMessage(JSON.parse(data.toString()) as Message));
    socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(new Error('Chromium has gone'));
      this.#waiting.clear();
    });
    socket.on('error', () => socket.terminate());
  }

  static open(endpoint: string): Promise<Connection> {
    const socket = new WebSocket(endpoint, { perMessageDeflate: false, maxPayload: 0 });
    return new Promise((resolve, reject) => {
      socket.once('open', () => resolve(new Connection(socket)));
      socket.once('error', reject);
    });
  }

  /** @param sessionId none: the browser itself */
  session(sessionId?: string): Session {
    const session = {
      send: (method: string, params: unknown = {}) =>
        new Promise((resolve, reject) => {
          const id = ++this.#last;
          this.#waiting.set(id, { resolve, reject });
          this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId ? { sessionId } : {}) }));
        }),
      on: (event: string, listener: Listener) => {
        const key = `${sessionId ?? ''} ${event}`;
        this.#listeners.set(key, [...(this.#listeners.get(key) ?? []), listener]);
        return session;
      },
    };
    return session as unknown as Session; // Chromium responds as its protocol specifies
  }

  close(): void {
    this.#socket.close();
  }

  #onMessage({ id, sessionId, method, params, result, error }: Message): void {
    if (id === undefined) {
      for (const listener of this.#listeners.get(`${sessionId ?? ''} ${method ?? ''}`) ?? [])
        listener(params as never);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.reject(new Error(error.message));
    else waiting?.resolve(result as never);
  }
}
