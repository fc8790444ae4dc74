import type { Dispatcher } from 'undici';
import { WireFailure, type FailureCause, tooLongProblem } from './failures.ts';
import { clearTimeout, elapsedMs, setTimeout } from '../../../world/time.ts';
import { type ErrorDetails, invalidInput } from '../../../../shared/errors/errors.ts';
import { parseJson, type JsonValue, stringifyJson } from '../../../../shared/json.ts';
import { endOfString, skipSpace, startOfText } from '../../records/json-text.ts';
import { onAbort } from '../../../../shared/abort.ts';
import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip } from 'node:zlib';

/** Names and values; a name may repeat, such as `ids[]`. */
export type Parameters = readonly (readonly [string, string])[];

export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  /**
   * Path below the service's URL: encoded, with a leading slash, and a trailing one where the specification
   * has it.
   */
  readonly path: string;
  readonly parameters?: Parameters;
  /** JSON. */
  readonly body?: Uint8Array;
}

type ParameterValue = string | number | boolean;
export type ParameterValues = Readonly<
  Record<string, ParameterValue | readonly ParameterValue[] | undefined>
>;

/**
 * The parameters of named values. Arrays are sent as repeated `name[]` (specification, section 2.4).
 * @param values without those that are undefined or empty
 */
export function parametersOf(values: ParameterValues): Parameters {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === '') return [];
    if (Array.isArray(value))
      return value.map((item): readonly [string, string] => [`${name}[]`, String(item)]);
    return [[name, String(value)] as const];
  });
}

/** A GET request. @param path below the service’s address */
export function get(path: string, parameters: Parameters = []): HttpRequest {
  return { method: 'GET', path, parameters };
}

/** A POST request with a JSON body. @param path below the service’s address */
export function post(path: string, body: JsonValue): HttpRequest {
  return { method: 'POST', path, body: Buffer.from(stringifyJson(body)) };
}

/** The URL of a request. @throws AppError `invalid_input` when a parameter contains an unpaired surrogate */
export function addressOf(baseUrl: string, { path, parameters = [] }: HttpRequest): URL {
  const query = parameters.map(([name, value]) => `${encodeText(name)}=${encodeText(value)}`).join('&');
  return new URL(`${baseUrl.replace(/(?<!\/)\/+$/, '')}${path}${query === '' ? '' : `?${query}`}`);
}

/** Maximum number of redirects that a read follows. */
export const maxRedirects = 5;

/**
 * The target of a redirect; null for other responses. The target must have the same origin, so credentials
 * never leave it, and a POST must stay a POST.
 * @throws UnreadableResponse for a redirect that must not be followed
 */
export function redirectTarget(from: URL, method: 'GET' | 'POST', response: HttpResponse): URL | null {
  if (![301, 302, 303, 307, 308].includes(response.status)) return null;
  const location = response.header('location');
  if (location === null || !URL.canParse(location, from.href)) {
    throw new UnreadableResponse('it redirects without a target address');
  }
  const to = new URL(location, from);
  if (to.origin !== from.origin) throw new UnreadableResponse(`it redirects to another host, ${to.host}`);
  if (method === 'POST' && response.status < 307)
    throw new UnreadableResponse('it redirects a request that has a body');
  return to;
}

/**
 * Encodes a text for a URL.
 * @param field the input field that the error names
 * @throws AppError `invalid_input` when the text contains an unpaired surrogate
 */
export function encodeText(text: string, field?: string): string {
  if (!text.isWellFormed())
    throw invalidInput(
      `“${text.toWellFormed()}” contains an incomplete character. Type it again.`,
      field === undefined ? undefined : { field },
    );
  return encodeURIComponent(text);
}

/** In characters. Strict proxies refuse a longer one (414), so a read with a longer one is sent as a body if possible. */
export const maxUrlLength = 2000;

/** Limits of a response, in bytes, on the wire and decompressed. */
export const maxResponseBytes = {
  /** Tokens, counts, single resources, insert results, and errors. */
  small: 4 * 1024 * 1024,
  /** Dataset definitions, and a page of a platform list. */
  list: 64 * 1024 * 1024,
  /** A page of records; V8 can't hold a longer one as a string. */
  records: 512 * 1024 * 1024,
} as const;

/** Limits of the phases of a request, in milliseconds; used for every request, including those for tokens. */
export interface Timeouts {
  /** Until the request can be written: name, proxy, TCP, and TLS together. */
  readonly connectMs: number;
  /** From the request to the first byte of the response. */
  readonly headersMs: number;
  /** Between two chunks of the body: a slow link may continue, a dead one may not. */
  readonly idleMs: number;
  /** Fewer bytes of the body in each `idleMs` than these end the request: one byte at a time isn't progress. */
  readonly minBytes?: number;
  /** The whole request, which also ends a response that never finishes. */
  readonly totalMs: number;
}

export const defaultTimeouts: Timeouts = {
  connectMs: 10_000,
  headersMs: 60_000,
  idleMs: 30_000,
  minBytes: 1000,
  totalMs: 900_000,
};

/**
 * The timeouts with another limit for the first byte; a body may not be silent for longer.
 * @param headersMs milliseconds; undefined keeps the default
 */
export function withResponseTimeout(timeouts: Timeouts, headersMs: number | undefined): Timeouts {
  if (headersMs === undefined) return timeouts;
  const idleMs = Math.min(timeouts.idleMs, headersMs);
  const minBytes = Math.ceil(((timeouts.minBytes ?? 0) * idleMs) / timeouts.idleMs);
  return { ...timeouts, headersMs, idleMs, minBytes, totalMs: Math.max(timeouts.totalMs, headersMs * 2) };
}

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
    dispatcher.dispatch({ ...request, headersTimeout: 0, bodyTimeout: timeouts.idleMs }, handler);
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
  #stopListening = (): void => undefined;
  #connectTimer: NodeJS.Timeout | undefined;
  #totalTimer: NodeJS.Timeout | undefined;
  #progressTimer: NodeJS.Timeout | undefined;
  /** Instead of that of undici, which starts again with each 1xx status. */
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
    const { connectMs, totalMs } = this.#timeouts;
    this.#connectTimer = setTimeout(() => this.#fail({ kind: 'not_connected' }), connectMs);
    this.#totalTimer = setTimeout(() => this.#fail({ kind: 'endless', afterMs: totalMs }), totalMs);
    this.#stopListening = onAbort(this.#signal, () => this.#fail({ kind: 'cancelled' }));
    return !this.#isSettled;
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
    else this.#fail({ kind: 'broken', error, isCut: this.#status !== 0 });
  }

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
    this.#stopListening();
    return true;
  }
}

function closedError(): Error {
  return Object.assign(new Error('the connection was closed'), { code: 'UND_ERR_SOCKET' });
}

/** A complete response with its body decompressed. */
export interface HttpResponse {
  readonly status: number;
  readonly bytes: Buffer<ArrayBuffer>;
  /** The value of a header, by its lower-case name. */
  header(name: string): string | null;
  text(): string;
}

/** A response that can't be read. `partial`: its end is missing, so a read can be retried, or it is too large. */
export class UnreadableResponse extends Error {
  override readonly name = 'UnreadableResponse';
  readonly problem: string;
  readonly partial: ErrorDetails<'bad_answer'>['partial'];

  constructor(problem: string, partial?: ErrorDetails<'bad_answer'>['partial']) {
    super(problem);
    this.problem = problem;
    this.partial = partial;
  }
}

/**
 * Decompresses the body of a response. An error status keeps its status even if its body can't be
 * decompressed. Text of another charset becomes UTF-8.
 * @param maxBytes limit of the decompressed body, in bytes
 * @throws UnreadableResponse when the body of a 2xx response has an unknown encoding or charset, is damaged, or
 *   exceeds `maxBytes`
 */
export async function decompress(wire: WireResponse, maxBytes: number): Promise<HttpResponse> {
  const header = (name: string): string | null => {
    const value = wire.headers[name];
    return (Array.isArray(value) ? value[0] : value) ?? null;
  };
  const decompressed = decompressBody(wire.body, header('content-encoding'), maxBytes).then((content) =>
    inUtf8(content, header('content-type')),
  );
  const bytes = await (wire.status < 300 ? decompressed : decompressed.catch(() => Buffer.alloc(0)));
  let text: string | undefined;
  return {
    status: wire.status,
    bytes,
    header,
    text: () => (text ??= withoutByteOrderMark(bytes.toString('utf8'))),
  };
}

async function decompressBody(
  body: Buffer<ArrayBuffer>,
  encoding: string | null,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer>> {
  if (encoding === null || encoding === 'identity' || body.length === 0) return body;
  if (!/^(x-)?gzip$/i.test(encoding))
    throw new UnreadableResponse(`its compression ${encoding.slice(0, 20)} isn’t supported`);
  const bytes = await gunzipWithin(body, maxBytes).catch(() => {
    throw new UnreadableResponse('its compressed data is damaged', 'cut');
  });
  if (bytes === null) throw new UnreadableResponse(tooLongProblem(maxBytes), 'too_large');
  return bytes;
}

const charsetParameter = /;\s*charset\s*=\s*"?([^\s";]+)/i;

/** @throws UnreadableResponse for an unknown charset, or bytes that aren't valid in it */
function inUtf8(bytes: Buffer<ArrayBuffer>, contentType: string | null): Buffer<ArrayBuffer> {
  const charset = charsetParameter.exec(contentType ?? '')?.[1];
  if (charset === undefined || /^utf-?8$/i.test(charset) || bytes.length === 0) return bytes;
  const shown = charset.slice(0, 20);
  const decoder = decoderOf(charset);
  if (!decoder) throw new UnreadableResponse(`its charset ${shown} isn’t supported`);
  // Servers send UTF-8 under the name of their default charset, and Latin-1 that is valid UTF-8 is hardly ever a text.
  if (decoder.encoding === 'utf-8' || (decoder.encoding === 'windows-1252' && isUtf8(bytes))) return bytes;
  try {
    return Buffer.from(decoder.decode(bytes));
  } catch {
    throw new UnreadableResponse(`it has bytes that aren’t valid in its charset ${shown}`);
  }
}

function decoderOf(charset: string) {
  try {
    return new TextDecoder(charset, { fatal: true });
  } catch {
    return null;
  }
}

/**
 * Checks that a text is UTF-8: replacement characters would be stored in place of what the service sent.
 * @throws UnreadableResponse with the place of the first byte that isn't valid, unless the text was cut off there
 */
export function checkUtf8(bytes: Buffer): void {
  if (isUtf8(bytes)) return;
  const decoded = Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes));
  let at = 0;
  while (bytes[at] === decoded[at]) at += 1;
  if (at >= bytes.length - 3) return;
  const before = decoded.toString('utf8', Math.max(0, at - 40), at).replace(/^\uFFFD+/, '');
  const hex = (bytes[at] ?? 0).toString(16).toUpperCase();
  throw new UnreadableResponse(
    `byte ${at + 1}, ${hex} (hexadecimal), isn’t valid UTF-8, and the service names no other charset; the text before it is “${before}”`,
  );
}

function withoutByteOrderMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * Parses the body as JSON; integers beyond 2^53 become bigint.
 * @throws UnreadableResponse when the body isn't JSON
 */
export function jsonOf(response: HttpResponse): JsonValue {
  const text = response.text();
  try {
    return parseJson(text);
  } catch {
    throw notJsonError(response);
  }
}

/** Why a body isn't JSON: empty, a web page (of a proxy or captive portal), truncated, or other text. */
export function notJsonError(response: HttpResponse): UnreadableResponse {
  const start = response.text().slice(0, 200).trimStart();
  if (start === '') return new UnreadableResponse('it is empty', 'cut');
  if (start.startsWith('<')) return new UnreadableResponse('it is a web page instead of JSON');
  if (!outlineJson(response.bytes).isComplete) return new UnreadableResponse('it was cut off', 'cut');
  return new UnreadableResponse('it is not JSON');
}

/**
 * Up to this size, in bytes, gzip is decompressed in one call; larger bodies are measured first, so a bomb
 * never fills memory.
 */
const maxUnmeasuredBytes = 32 * 1024 * 1024;

/**
 * @param maxBytes limit of the result, in bytes
 * @returns null if the result exceeds `maxBytes`
 * @throws Error from zlib when the data is damaged
 */
export async function gunzipWithin(
  compressed: Buffer<ArrayBuffer>,
  maxBytes: number,
): Promise<Buffer<ArrayBuffer> | null> {
  // The length field of the last gzip member, modulo 2^32. It is a hint and can be wrong.
  const claimedBytes = compressed.length < 4 ? 0 : compressed.readUInt32LE(compressed.length - 4);
  const unmeasuredLimit = Math.min(maxBytes, maxUnmeasuredBytes);
  if (claimedBytes <= unmeasuredLimit) {
    try {
      return await promisify(gunzip)(compressed, { maxOutputLength: unmeasuredLimit });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }
  let size = 0;
  for await (const chunk of decompressStream(compressed)) {
    size += chunk.length;
    if (size > maxBytes) return null;
  }
  const whole = Buffer.allocUnsafeSlow(size);
  let at = 0;
  for await (const chunk of decompressStream(compressed)) at += chunk.copy(whole, at);
  return whole;
}

async function* decompressStream(compressed: Buffer): AsyncGenerator<Buffer> {
  const stream = Readable.from([compressed]).pipe(createGunzip({ chunkSize: 1 << 16 }));
  for await (const chunk of stream) if (Buffer.isBuffer(chunk)) yield chunk;
}

/** The outline of a JSON text, found without parsing it. */
export interface JsonOutline {
  /** False when a bracket or a string isn't closed, as in a truncated text. */
  readonly isComplete: boolean;
  readonly kind: 'array' | 'object' | 'other';
  /** Number of items in the outermost array or object. */
  readonly items: number;
  /** Whether a character outside strings is invalid in JSON, such as the `N` of `NaN`. */
  readonly hasInvalidCharacter: boolean;
}

const byteClass = { plain: 0, quote: 1, open: 2, close: 3, comma: 4, invalid: 5 } as const;
const classes = new Uint8Array(256).fill(byteClass.invalid);
for (const char of 'truefalsn0123456789+-.eE: \t\r\n') classes[char.charCodeAt(0)] = byteClass.plain;
for (const char of '[{') classes[char.charCodeAt(0)] = byteClass.open;
for (const char of ']}') classes[char.charCodeAt(0)] = byteClass.close;
classes[0x22] = byteClass.quote;
classes[0x2c] = byteClass.comma;

/**
 * Scans the UTF-8 bytes of a JSON text for completeness and the number of items of the outermost array. It
 * takes about half the time of parsing and allocates nothing: 7 ms instead of 12 ms for a page of 10,000
 * records.
 */
export function outlineJson(bytes: Uint8Array): JsonOutline {
  const { length } = bytes;
  const start = skipSpace(bytes, startOfText(bytes));
  const first = bytes[start];
  const kind = first === 0x5b ? 'array' : first === 0x7b ? 'object' : 'other';
  let depth = 0;
  let commas = 0;
  let hasInvalid = false;
  let i = start;
  while (i < length) {
    const type = classes[bytes[i] ?? 0];
    if (type === byteClass.plain) {
      i += 1;
      continue;
    }
    if (type === byteClass.quote) {
      i = endOfString(bytes, i) - 1;
      // A string that isn't closed reaches beyond the end.
      if (i < 0) i = length;
    } else if (type === byteClass.open) depth += 1;
    else if (type === byteClass.close) depth -= 1;
    else if (type === byteClass.invalid) hasInvalid = true;
    else if (depth === 1) commas += 1;
    i += 1;
    if (depth <= 0 && kind !== 'other') break;
  }
  const isEmpty = classes[bytes[skipSpace(bytes, start + 1)] ?? 0] === byteClass.close;
  const isClosed = depth === 0 && i <= length;
  return {
    isComplete: first !== undefined && isClosed,
    kind,
    items: isEmpty ? 0 : commas + 1,
    hasInvalidCharacter: hasInvalid || (isClosed && skipSpace(bytes, i) < length),
  };
}
