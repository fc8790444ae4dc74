import { WebSocket } from 'ws';
import * as z from 'zod';
import { appErrorName, errorBody, errorDetails } from '../../../src/shared/errors/errors.ts';
import { pageDelimiter } from '../../../src/shared/query/page-frame.ts';

/**
 * The outcome of a call. `stopped`: canceled by the test; `closed`: the host closed the socket; else see
 * `problem`.
 */
export interface Outcome {
  readonly kind: 'value' | 'error' | 'stopped' | 'closed' | 'untyped';
  /** Of a typed error. */
  readonly code?: string;
  readonly ms: number;
  /** The start of the response. */
  readonly text: string;
}

const answer = z.object({
  i: z.string(),
  t: z.number().optional(),
  p: z
    .object({
      s: z.number().optional(),
      e: z.string().optional(),
      // A text: the protocol has no such name.
      b: z.union([z.object({ json: z.unknown().optional() }), z.string()]).optional(),
      d: z.object({ json: z.unknown().optional() }).optional(),
    })
    .optional(),
});
const ownError = z.object({ code: z.literal(appErrorName), message: z.string(), data: errorBody });

/** The type of a response: a value, an error of the closed union with its own details, or unexpected. */
function judge(text: string, { p = {} }: z.infer<typeof answer>): Omit<Outcome, 'ms'> {
  const failed = (p.s !== undefined && p.s >= 400) || p.e === 'error';
  if (!failed) return { kind: 'value', text };
  const body = p.b ?? p.d;
  if (typeof body === 'string') return { kind: p.s === 404 ? 'error' : 'untyped', text };
  const error = ownError.safeParse(body?.json);
  if (!error.success) return { kind: 'untyped', text };
  const { code, details } = error.data.data;
  return { kind: errorDetails[code].safeParse(details).success ? 'error' : 'untyped', code, text };
}

interface Waiting {
  readonly began: number;
  readonly done: (outcome: Outcome) => void;
  timer: NodeJS.Timeout;
}

/** One socket to a host, like a window's; it sends any frame. */
export class Wire {
  readonly #socket: WebSocket;
  readonly #waiting = new Map<string, Waiting>();
  open = true;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    // A page is its message, a byte that no text contains, and the records.
    socket.on('message', (data: Buffer, isBinary) =>
      this.#onMessage(String(isBinary ? data.subarray(0, data.indexOf(pageDelimiter)) : data)),
    );
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.open = false;
      for (const id of this.#waiting.keys()) this.#settle(id, { kind: 'closed', text: '' });
    });
  }

  static async open(origin: string, cookie: string): Promise<Wire> {
    const socket = new WebSocket(`${origin.replace('http', 'ws')}/ws`, { headers: { cookie, origin } });
    await new Promise((resolve, reject) => {
      socket.once('open', resolve);
      socket.once('error', reject);
    });
    return new Wire(socket);
  }

  #settle(id: string, outcome: Omit<Outcome, 'ms'>): void {
    const waiting = this.#waiting.get(id);
    if (!waiting) return;
    this.#waiting.delete(id);
    clearTimeout(waiting.timer);
    waiting.done({ ...outcome, text: outcome.text.slice(0, 600), ms: performance.now() - waiting.began });
  }

  #onMessage(text: string): void {
    const response = answer.parse(JSON.parse(text));
    const { i: id, t, p = {} } = response;
    // The start of a stream has no result yet.
    if (t === undefined && p.b === undefined && (p.s ?? 200) < 400 && text.includes('event-stream')) return;
    if (t === 4) return this.#settle(id, { kind: 'stopped', text });
    this.#settle(id, judge(text, response));
    if (t !== undefined && p.e === 'message') this.#stop(id);
  }

  #stop(id: string): void {
    if (this.open) this.#socket.send(JSON.stringify({ i: id, t: 4 }));
  }

  /**
   * Sends a frame, and waits only for the first event of a stream.
   * @param patienceMs the maximum time of the call
   */
  call(id: string, frame: string, patienceMs: number): Promise<Outcome> {
    return new Promise((done) => {
      const timer = setTimeout(() => {
        this.#stop(id);
        this.#settle(id, { kind: 'stopped', text: '' });
      }, patienceMs);
      this.#waiting.set(id, { began: performance.now(), done, timer });
      this.#socket.send(frame);
    });
  }

  close(): void {
    this.#socket.terminate();
  }
}
