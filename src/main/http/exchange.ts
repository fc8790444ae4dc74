import type { Dispatcher } from 'undici';
import { WireFailure, type Trouble } from './failures.ts';
import { maxAnswerBytes, type Timeouts } from './limits.ts';

type Controller = Dispatcher.DispatchController;
export type WireHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** A request as it goes over the wire, once. */
export interface WireRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export interface ExchangeOptions {
  readonly signal?: AbortSignal | undefined;
  /** How large the body of a 2xx answer may be, as it comes; any other is cut off where it is larger than a small one. */
  readonly maxBytes?: number | undefined;
}

export interface WireAnswer {
  readonly status: number;
  readonly headers: WireHeaders;
  readonly body: Buffer<ArrayBuffer>;
  /** From the moment that the request began to be written to the first byte of the answer, in milliseconds. */
  readonly firstByteMs: number;
}

/** A shorter body mostly comes in one piece; room for a longer one is not made on the word of a header. */
const smallBody = 64 * 1024;
const largestRoom = 32 * 1024 * 1024;

/**
 * Sends a request exactly once and takes in the whole answer.
 * Settles as soon as the signal aborts or a time is up, whatever the connection is doing then.
 * @throws WireFailure, which says whether anything may have left this machine
 */
export function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  timeouts: Timeouts,
  options: ExchangeOptions = {},
): Promise<WireAnswer> {
  return new Promise((resolve, reject) => {
    const handler = new Exchange(timeouts, options, resolve, reject);
    if (!handler.begin()) return;
    dispatcher.dispatch(
      { ...request, headersTimeout: timeouts.headersMs, bodyTimeout: timeouts.idleMs },
      handler,
    );
  });
}

class Exchange implements Dispatcher.DispatchHandler {
  readonly #timeouts: Timeouts;
  readonly #signal: AbortSignal | undefined;
  readonly #resolve: (answer: WireAnswer) => void;
  readonly #reject: (failure: WireFailure) => void;
  readonly #chunks: Buffer[] = [];
  /** Where the body goes if its length was said: so each piece is garbage as soon as it came. */
  #body: Buffer<ArrayBuffer> | null = null;
  /** The piece that came last, if it is copied and nothing else stands in its memory. */
  #copied: Buffer | null = null;
  #bytes = 0;
  #maxBytes: number;
  #status = 0;
  #started = 0;
  #firstByteMs = 0;
  #headers: WireHeaders = {};
  #controller: Controller | null = null;
  #settled = false;
  #connecting: NodeJS.Timeout | undefined;
  #whole: NodeJS.Timeout | undefined;

  constructor(
    timeouts: Timeouts,
    { signal, maxBytes = maxAnswerBytes.small }: ExchangeOptions,
    resolve: (answer: WireAnswer) => void,
    reject: (failure: WireFailure) => void,
  ) {
    this.#timeouts = timeouts;
    this.#signal = signal;
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** False: it was cancelled before it began. */
  begin(): boolean {
    if (this.#signal?.aborted) {
      this.#fail({ kind: 'cancelled' });
      return false;
    }
    const { connectMs, totalMs } = this.#timeouts;
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#connecting = setTimeout(() => this.#fail({ kind: 'not_connected' }), connectMs);
    this.#whole = setTimeout(() => this.#fail({ kind: 'endless', afterMs: totalMs }), totalMs);
    return true;
  }

  /** Comes right before the first byte is written: until then it is certain that nothing has left. */
  onRequestStart(controller: Controller): void {
    if (this.#settled) {
      controller.abort(new Error('canceled before it was sent'));
      return;
    }
    if (this.#controller) {
      // A client that would write the request a second time: never, it may be an insert.
      this.#fail({ kind: 'broken', error: closedError() });
      controller.abort(closedError());
      return;
    }
    clearTimeout(this.#connecting);
    this.#controller = controller;
    this.#started = performance.now();
  }

  onResponseStart(_controller: Controller, status: number, headers: WireHeaders): void {
    if (status < 200) return;
    this.#firstByteMs = performance.now() - this.#started;
    this.#status = status;
    this.#headers = headers;
    // An error says little: a proxy's page of it is cut off instead of refused, so that its status is known.
    if (status >= 300) this.#maxBytes = maxAnswerBytes.small;
    const length = Number(headers['content-length'] ?? 0);
    if (status < 300 && length > this.#maxBytes) this.#fail({ kind: 'too_big', maxBytes: this.#maxBytes });
    else if (length > smallBody && length <= Math.min(largestRoom, this.#maxBytes))
      this.#body = Buffer.allocUnsafeSlow(length);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    const from = this.#bytes;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      if (this.#status < 300) this.#fail({ kind: 'too_big', maxBytes: this.#maxBytes });
      else this.#endEarly();
    } else if (this.#body && this.#bytes <= this.#body.length) {
      this.#body.set(chunk, from);
      this.#giveBack(chunk);
    } else this.#chunks.push(chunk);
  }

  /**
   * Gives the memory of a piece back when the next one comes: by then nobody reads it any more. Left to the collector,
   * every 64 MB of pieces would cost a whole collection. Only pieces that fill their memory: any other shares it.
   */
  #giveBack(chunk: Buffer): void {
    if (this.#copied?.buffer instanceof ArrayBuffer) this.#copied.buffer.transfer(0);
    this.#copied = chunk.length === chunk.buffer.byteLength ? chunk : null;
  }

  /** Takes what came for the whole, and reads no more. */
  #endEarly(): void {
    this.onResponseEnd();
    this.#controller?.abort(new Error('enough was read'));
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      body: this.#wholeBody(),
      firstByteMs: this.#firstByteMs,
    });
  }

  #wholeBody(): Buffer<ArrayBuffer> {
    const body = this.#body;
    if (!body) return Buffer.concat(this.#chunks);
    return this.#bytes === body.length ? body : Buffer.concat([body, ...this.#chunks], this.#bytes);
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    const code = 'code' in error ? error.code : '';
    // The connection was removed while this ran, or before: nobody waits for it any more.
    if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') this.#fail({ kind: 'cancelled' });
    else if (code !== 'UND_ERR_HEADERS_TIMEOUT' || !this.#controller) this.#fail({ kind: 'broken', error });
    else this.#fail({ kind: 'silent', afterMs: this.#timeouts.headersMs });
  }

  readonly #onAbort = (): void => this.#fail({ kind: 'cancelled' });

  #fail(trouble: Trouble): void {
    if (!this.#settle()) return;
    this.#reject(new WireFailure(this.#controller !== null, trouble));
    this.#chunks.length = 0;
    this.#body = null;
    this.#copied = null;
    this.#controller?.abort(new Error(trouble.kind));
  }

  #settle(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#connecting);
    clearTimeout(this.#whole);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

function closedError(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'UND_ERR_SOCKET' });
}
