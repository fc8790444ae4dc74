import type { Dispatcher } from 'undici';
import { WireFailure, type FailureCause } from './failures.ts';
import { maxResponseBytes, type Timeouts } from './limits.ts';
import { clearTimeout, elapsedMs, setTimeout } from '../../../world/time.ts';

type Controller = Dispatcher.DispatchController;
export type WireHeaders = Readonly<Record<string, string | string[] | undefined>>;

export interface WireRequest {
  readonly origin: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | null;
}

export interface ExchangeOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * Limit of the body of a 2xx response on the wire, in bytes; other bodies are truncated at the limit of
   * small responses.
   */
  readonly maxBytes?: number | undefined;
}

export interface WireResponse {
  readonly status: number;
  readonly headers: WireHeaders;
  readonly body: Buffer<ArrayBuffer>;
  /** From the start of writing the request to the first byte of the response, in milliseconds. */
  readonly firstByteMs: number;
}

/**
 * Bodies below this size, in bytes, usually arrive in one chunk and need no preallocated buffer. A larger
 * buffer is never allocated because of a header alone.
 */
const smallBodyBytes = 64 * 1024;
const maxPreallocatedBytes = 32 * 1024 * 1024;

/**
 * Sends a request exactly once and reads the whole response. It settles at once when the signal aborts or a
 * timeout expires, in any state of the connection.
 * @throws WireFailure, whose `isStarted` tells whether any byte may have left this computer
 */
export function exchange(
  dispatcher: Dispatcher,
  request: WireRequest,
  timeouts: Timeouts,
  options: ExchangeOptions = {},
): Promise<WireResponse> {
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
  readonly #resolve: (response: WireResponse) => void;
  readonly #reject: (failure: WireFailure) => void;
  readonly #chunks: Buffer[] = [];
  /** Receives the body if its length is known, so each chunk can be freed as soon as it arrives. undici ends at that length. */
  #body: Buffer<ArrayBuffer> | null = null;
  /** The last chunk, if it was copied and owns its whole buffer. */
  #copiedChunk: Buffer | null = null;
  #bytes = 0;
  #maxBytes: number;
  #status = 0;
  #startedAt = 0;
  #firstByteMs = 0;
  #headers: WireHeaders = {};
  #controller: Controller | null = null;
  #isSettled = false;
  #connectTimer: NodeJS.Timeout | undefined;
  #totalTimer: NodeJS.Timeout | undefined;
  #progressTimer: NodeJS.Timeout | undefined;
  /** That of undici starts again with each 1xx status. */
  #headersTimer: NodeJS.Timeout | undefined;

  constructor(
    timeouts: Timeouts,
    { signal, maxBytes = maxResponseBytes.small }: ExchangeOptions,
    resolve: (response: WireResponse) => void,
    reject: (failure: WireFailure) => void,
  ) {
    this.#timeouts = timeouts;
    this.#signal = signal;
    this.#maxBytes = maxBytes;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  /** Returns false if the request was canceled before it began. */
  begin(): boolean {
    if (this.#signal?.aborted) {
      this.#fail({ kind: 'cancelled' });
      return false;
    }
    const { connectMs, totalMs } = this.#timeouts;
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true });
    this.#connectTimer = setTimeout(() => this.#fail({ kind: 'not_connected' }), connectMs);
    this.#totalTimer = setTimeout(() => this.#fail({ kind: 'endless', afterMs: totalMs }), totalMs);
    return true;
  }

  /** Called right before the first byte is written: before it, nothing has left this computer. */
  onRequestStart(controller: Controller): void {
    if (this.#isSettled) {
      controller.abort(new Error('canceled before it was sent'));
      return;
    }
    if (this.#controller) {
      // undici would write the request a second time. It may be an insert, so it fails instead.
      this.#fail({ kind: 'broken', error: closedError() });
      controller.abort(closedError());
      return;
    }
    clearTimeout(this.#connectTimer);
    this.#controller = controller;
    this.#startedAt = elapsedMs();
    const { headersMs } = this.#timeouts;
    this.#headersTimer = setTimeout(() => this.#fail({ kind: 'silent', afterMs: headersMs }), headersMs);
  }

  onResponseStart(_controller: Controller, status: number, headers: WireHeaders): void {
    if (status < 200) return;
    clearTimeout(this.#headersTimer);
    this.#firstByteMs = elapsedMs() - this.#startedAt;
    this.#status = status;
    this.#headers = headers;
    this.#watchProgress(0);
    // The body of an error is only informative, so it is truncated instead of refused and the status is kept.
    if (status >= 300) this.#maxBytes = maxResponseBytes.small;
    const length = Number(headers['content-length'] ?? 0);
    if (status < 300 && length > this.#maxBytes) this.#fail({ kind: 'too_big', maxBytes: this.#maxBytes });
    else if (length > smallBodyBytes && length <= Math.min(maxPreallocatedBytes, this.#maxBytes))
      this.#body = Buffer.allocUnsafeSlow(length);
  }

  /** Ends the request if too little of the body arrives in time. */
  #watchProgress(bytes: number): void {
    const { idleMs, minBytes = 0 } = this.#timeouts;
    this.#progressTimer = setTimeout(() => {
      if (this.#bytes - bytes < minBytes) this.#fail({ kind: 'silent', afterMs: idleMs });
      else this.#watchProgress(this.#bytes);
    }, idleMs);
  }

  onResponseData(_controller: Controller, chunk: Buffer): void {
    const from = this.#bytes;
    this.#bytes += chunk.length;
    if (this.#bytes > this.#maxBytes) {
      if (this.#status < 300) this.#fail({ kind: 'too_big', maxBytes: this.#maxBytes });
      else this.#endEarly();
    } else if (this.#body) {
      this.#body.set(chunk, from);
      this.#releaseChunk(chunk);
    } else this.#chunks.push(chunk);
  }

  /**
   * Detaches a chunk's buffer when the next chunk arrives. Left to the garbage collector, every 64 MB of
   * chunks would cost a full collection. Chunks that share a buffer are left alone.
   */
  #releaseChunk(chunk: Buffer): void {
    if (this.#copiedChunk?.buffer instanceof ArrayBuffer) this.#copiedChunk.buffer.transfer(0);
    this.#copiedChunk = chunk.length === chunk.buffer.byteLength ? chunk : null;
  }

  /** Ends with what arrived so far and stops reading. */
  #endEarly(): void {
    this.onResponseEnd();
    this.#controller?.abort(new Error('enough was read'));
  }

  onResponseEnd(): void {
    if (!this.#settle()) return;
    this.#resolve({
      status: this.#status,
      headers: this.#headers,
      body: this.#body?.subarray(0, this.#bytes) ?? Buffer.concat(this.#chunks),
      firstByteMs: this.#firstByteMs,
    });
  }

  onResponseError(_controller: Controller | null, error: Error): void {
    const code = 'code' in error ? error.code : '';
    // The connection was removed while the request ran, or before it.
    if (code === 'UND_ERR_DESTROYED' || code === 'UND_ERR_CLOSED') this.#fail({ kind: 'cancelled' });
    else if (code !== 'UND_ERR_HEADERS_TIMEOUT' || !this.#controller)
      this.#fail({ kind: 'broken', error, isCut: this.#status !== 0 });
    else this.#fail({ kind: 'silent', afterMs: this.#timeouts.headersMs });
  }

  readonly #onAbort = (): void => this.#fail({ kind: 'cancelled' });

  #fail(cause: FailureCause): void {
    if (!this.#settle()) return;
    this.#reject(new WireFailure(this.#controller !== null, cause));
    this.#chunks.length = 0;
    this.#body = null;
    this.#copiedChunk = null;
    this.#controller?.abort(new Error(cause.kind));
  }

  #settle(): boolean {
    if (this.#isSettled) return false;
    this.#isSettled = true;
    clearTimeout(this.#connectTimer);
    clearTimeout(this.#totalTimer);
    clearTimeout(this.#progressTimer);
    clearTimeout(this.#headersTimer);
    this.#signal?.removeEventListener('abort', this.#onAbort);
    return true;
  }
}

function closedError(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'UND_ERR_SOCKET' });
}
