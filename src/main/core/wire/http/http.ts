import {
  AppError,
  isAppError,
  toAppError,
  type ServiceName,
  type ErrorDetails,
  type RefusalReason,
} from '../../../../shared/errors/errors.ts';
import type { ClockNotice, RetryNotice, SkippedNotice } from '../../../../shared/workspace/workspace.ts';
import { skipSpace, startOfText } from '../../records/json-text.ts';
import {
  maxResponseBytes,
  withResponseTimeout,
  exchange,
  type WireHeaders,
  decompress,
  UnreadableResponse,
  type HttpResponse,
  maxRedirects,
  redirectTarget,
  addressOf,
  type HttpRequest,
} from './exchange.ts';
import { systemClock, type Clock, readPolicy, withRetries, type TryResult, retryAfterMs } from './retry.ts';
import { classifyFailure, WireFailure } from './failures.ts';
import type { Network } from './network.ts';
import { randomNumber } from '../../../world/random.ts';
import { onAbort } from '../../../../shared/abort.ts';
import { withoutAdvice } from '../../../../shared/errors/sentences.ts';
import { isObject, parseJson, type JsonValue } from '../../../../shared/json.ts';
import { redact } from './redact.ts';

/** Provides the Authorization header of each request (specification, section 5). */
export interface CredentialSource {
  /**
   * The header for the next request; may sign in or refresh the token first.
   * @throws AppError `not_authenticated` when there are no credentials; `unreachable`, `timed_out`, or
   *   another error of the platform service when signing in fails
   */
  header(signal?: AbortSignal): Promise<string>;
  /**
   * Reports a header that a service answered with 401.
   * @returns whether another header is available, so the request can be retried
   */
  onRefused(header: string): boolean;
  onAccepted?(header: string): void;
  /** Why the credentials were refused, if that can be determined. */
  refusalReason?(): RefusalReason | undefined;
  /** Texts to redact. */
  secrets(): readonly string[];
}

interface StatusContext {
  readonly service: ServiceName;
  readonly host: string;
  /** The resource in words: "the dataset demo/wits". */
  readonly what?: string | undefined;
  readonly secrets: readonly string[];
  readonly refusalReason?: RefusalReason | undefined;
  /** Wall time in Unix milliseconds. */
  readonly now: number;
}

/** The error for a status, and whether a read may be retried (specification, sections 5 and 7). */
interface ClassifiedStatus {
  readonly error: AppError;
  readonly canRetry: boolean;
  readonly retryAfterMs: number | null;
}

function errorFor(response: HttpResponse, context: StatusContext, waitMs: number | null): AppError {
  const { service, host, what } = context;
  const { status } = response;
  const message = errorMessageIn(response.text(), context.secrets);
  const details = message === undefined ? { service, status } : { service, status, said: message };
  const detailsWithResource = what === undefined ? details : { ...details, what };
  if (status < 400)
    return new AppError('bad_answer', { service, status, problem: `its status is ${status}` });
  if (status === 401) return new AppError('not_authenticated', withReason(details, context.refusalReason));
  if (status === 403) return new AppError('forbidden', detailsWithResource);
  if (status === 404) return new AppError('not_found', detailsWithResource);
  if (status === 407) return new AppError('unreachable', { service, host, reason: 'proxy' });
  if (status === 413 || status === 414 || status === 431) return new AppError('too_large', details);
  const wait =
    waitMs === null ? {} : { retryAfterMs: waitMs, until: new Date(context.now + waitMs).toISOString() };
  if (status === 429) return new AppError('too_many_requests', { ...details, ...wait });
  if (status === 408 || status >= 500) return new AppError('service_failed', { ...details, ...wait });
  return new AppError('refused', details);
}

// "Invalid or expired" can mean either.
const saysExpired = /\bexpired\b/i;
const saysOtherwise = /\b(or|invalid|unknown|malformed|missing|wrong)\b/i;

/** A service's "expired" overrides the reason that follows from whether the key was ever accepted. */
function withReason(
  details: ErrorDetails<'not_authenticated'>,
  reason: RefusalReason | undefined,
): ErrorDetails<'not_authenticated'> {
  if (reason === undefined) return details;
  const isKeyReason = reason === 'key_unknown' || reason === 'key_ended';
  const { said = '' } = details;
  const isExpired = isKeyReason && saysExpired.test(said) && !saysOtherwise.test(said);
  return { ...details, why: isExpired ? 'key_expired' : reason };
}

const maxMessageLength = 300;

/**
 * The message in an error body, in one line of up to 300 characters without secrets. The specification
 * promises no shape (section 7), so several are supported: `{code, message}`, `{status}`, `{errors: {field:
 * […]}}`, `{error}`, `{detail}`, plain text, and the title of an HTML page.
 * @param secrets texts to redact
 * @returns undefined when the body has no message
 */
export function errorMessageIn(body: string, secrets: readonly string[] = []): string | undefined {
  // The message is short, so only the start of a large page is searched.
  const text = body.slice(0, 20_000).trim();
  const words = text.startsWith('<') ? pageWords(text) : (jsonWords(text) ?? text);
  const line = redact(words, secrets)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  if (line === '') return undefined;
  return line.length > maxMessageLength ? `${line.slice(0, maxMessageLength - 1)}…` : line;
}

function pageWords(html: string): string {
  const title = /<title\b[^<>]*>([^<]*)<\/title>/i.exec(html)?.[1]?.trim();
  if (title) return title;
  return html
    .replace(/<(?:script|style)\b[\s\S]*?(?:<\/(?:script|style)>|$)/gi, ' ')
    .replace(/<[^<>]*>/g, ' ')
    .trim();
}

function jsonWords(text: string): string | undefined {
  try {
    return wordsOf(parseJson(text), 0);
  } catch {
    return undefined;
  }
}

const messageKeys = ['message', 'error', 'errors', 'detail', 'details', 'title', 'status', 'reason', 'msg'];

function wordsOf(value: JsonValue, depth: number): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || depth > 4) return '';
  if (Array.isArray(value)) return joinParts(value.slice(0, 10).map((item) => wordsOf(item, depth + 1)));
  if (!isObject(value)) return '';
  for (const key of messageKeys) {
    const part = value[key];
    const words = part === undefined ? '' : key === 'errors' ? fieldWords(part) : wordsOf(part, depth + 1);
    if (words !== '') return words;
  }
  return '';
}

/** `{login: ["is wrong"]}` becomes "login is wrong". */
function fieldWords(errors: JsonValue): string {
  if (!isObject(errors)) return wordsOf(errors, 1);
  return joinParts(
    Object.entries(errors)
      .slice(0, 10)
      .map(([field, value]) => `${field} ${wordsOf(value, 2)}`.trim()),
  );
}

function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('; ');
}

/** A permit to run one request; released once, with the outcome. */
export interface Permit {
  /** @param firstByteMs time to the first byte of the response, in milliseconds */
  release(outcome: 'ok' | 'throttled' | 'failed', firstByteMs?: number): void;
}

/** Rising latency doesn't lower the limit below this. */
const minLatencyLimit = 2;

/**
 * Limits the concurrent requests to one service. A 429 halves the limit, rising latency lowers it by a fifth,
 * and each full round of successes raises it by one (additive increase, multiplicative decrease, as in TCP).
 * @param limits the initial and the highest limit
 */
export function createLimiter({
  startLimit = 8,
  maxLimit = 16,
}: { startLimit?: number; maxLimit?: number } = {}) {
  const waiters: ((permit: Permit) => void)[] = [];
  let limit = startLimit;
  let running = 0;
  let successes = 0;
  // Requests of one round share one congestion event: only the first 429 of a round counts.
  let round = 0;
  const latency = createLatencyMonitor();

  function createPermit(): Permit {
    const startRound = round;
    let isHeld = true;
    running += 1;
    return {
      release(outcome, firstByteMs) {
        if (!isHeld) return;
        isHeld = false;
        running -= 1;
        if (outcome === 'throttled' && startRound === round) lowerLimit(1, limit / 2);
        if (outcome === 'ok') {
          const hasSlowed = firstByteMs !== undefined && latency.hasSlowedDown(firstByteMs, limit);
          // At the lowest limits, a slow response isn't caused by our own requests.
          if (!hasSlowed || limit < minLatencyLimit) raiseLimit();
          else if (limit > minLatencyLimit) lowerLimit(minLatencyLimit, limit * 0.8);
        }
        while (running < limit && waiters.length > 0) waiters.shift()?.(createPermit());
      },
    };
  }
  function lowerLimit(min: number, to: number): void {
    limit = Math.max(min, Math.floor(to));
    successes = 0;
    round += 1;
  }
  function raiseLimit(): void {
    successes += 1;
    if (successes < limit) return;
    successes = 0;
    limit = Math.min(maxLimit, limit + 1);
  }
  function queue(signal: AbortSignal | undefined): Promise<Permit> {
    const { promise, resolve, reject } = Promise.withResolvers<Permit>();
    waiters.push(resolve);
    const stop = onAbort(signal, () => {
      if (waiters.includes(resolve)) waiters.splice(waiters.indexOf(resolve), 1);
      reject(new AppError('cancelled', {}));
    });
    return promise.finally(stop);
  }
  return {
    get limit(): number {
      return limit;
    },
    /** @throws AppError `cancelled` when the signal aborts */
    async acquire(signal?: AbortSignal): Promise<Permit> {
      if (signal?.aborted) throw new AppError('cancelled', {});
      return running < limit && waiters.length === 0 ? createPermit() : queue(signal);
    },
  };
}

/**
 * A round is slow beyond this factor of the usual latency and this many milliseconds above it. Smaller
 * differences are noise.
 */
const slowFactor = 2.5;
const slowMarginMs = 100;
/** Number of rounds after which a changed latency counts as usual. */
const memoryRounds = 20;

function createLatencyMonitor() {
  let usualMs = Number.POSITIVE_INFINITY;
  let quickestMs = Number.POSITIVE_INFINITY;
  let responses = 0;
  return {
    /**
     * Records the latency of one response.
     * @param ms time to the first byte, in milliseconds
     * @param round number of responses in a round: the current limit
     * @returns true once for each round in which the service slowed down
     */
    hasSlowedDown(ms: number, round: number): boolean {
      quickestMs = Math.min(quickestMs, ms);
      responses += 1;
      if (responses < round) return false;
      const roundMs = quickestMs;
      responses = 0;
      quickestMs = Number.POSITIVE_INFINITY;
      const isSlow = roundMs > usualMs * slowFactor && roundMs > usualMs + slowMarginMs;
      usualMs = roundMs < usualMs ? roundMs : usualMs + (roundMs - usualMs) / memoryRounds;
      return isSlow;
    },
  };
}

/** What the clients of a connection have in common, beside its network. */
export interface ClientOptions {
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  readonly onSkipped?: ((notice: SkippedNotice) => void) | undefined;
  /** Called with each response whose time differs from this computer's by more than a minute. */
  readonly onClock?: ((notice: ClockNotice) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
}

export interface HttpOptions extends ClientOptions {
  readonly service: ServiceName;
  readonly baseUrl: string;
  readonly network: Network;
  /** Null: requests have no Authorization header, as those for a token. */
  readonly credential: CredentialSource | null;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Limit for the first byte of the response, in milliseconds; default 60,000. */
  readonly timeoutMs?: number | undefined;
  /** Called before each wait for another try. */
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** Maximum number of tries of a read; default 10. */
  readonly maxTries?: number | undefined;
  /** Errors that end the retries of a read although they are retryable: the caller decides how to retry. */
  readonly isFinal?: ((error: AppError) => boolean) | undefined;
  /** Limit of the decompressed body, in bytes; default: 512 MB for records, otherwise `maxResponseBytes.small`. */
  readonly maxBytes?: number | undefined;
}

interface RequestOptions extends CallOptions {
  /** The resource in words, for errors: "the dataset demo/wits". */
  readonly what?: string | undefined;
  /** Further texts to redact, beside those of the credentials. */
  readonly secrets?: readonly string[] | undefined;
}

/** The outcome of a request that is sent once. */
export type SendOutcome =
  /** The service responded; `error` is null for a 2xx status. */
  | {
      readonly kind: 'answered';
      readonly response: HttpResponse;
      readonly error: AppError | null;
      readonly retryAfterMs: number | null;
    }
  /** Nothing left this computer. */
  | { readonly kind: 'not_sent'; readonly error: AppError }
  /** At least a part left this computer, and there is no complete response. */
  | { readonly kind: 'lost'; readonly error: AppError };

export type Http = Pick<HttpClient, keyof HttpClient>;

/** Smaller differences between clocks aren't reported, in milliseconds. */
const maxClockDriftMs = 60_000;
/** How long a time of the service is used without another response, in milliseconds. */
const freshTimeMs = 600_000;

const commonHeaders = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'Wellbench' };

/** Opens the client of one service. */
export function openHttp(options: HttpOptions): Http {
  return new HttpClient(options);
}

/** The client of one service. Every request of the application passes through it. */
class HttpClient {
  readonly host: string;
  readonly #options: HttpOptions;
  readonly #clock: Clock;
  readonly #limiter = createLimiter();
  /** The last time that the service named, and when it did by both clocks of this computer; null: it named none. */
  #serviceTime: { readonly ms: number; readonly at: number; readonly wallAt: number } | null = null;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.host = new URL(options.baseUrl).host;
    this.#clock = options.clock ?? systemClock;
  }

  /** The URL and headers of a request, without Authorization. */
  describe(request: HttpRequest): { address: URL; headers: Record<string, string> } {
    return {
      address: addressOf(this.#options.baseUrl, request),
      headers: { ...commonHeaders, ...(request.body ? { 'content-type': 'application/json' } : {}) },
    };
  }

  /**
   * Whether the service has named its time in the last minutes, and this computer neither slept nor changed its clock
   * since.
   */
  get hasServiceTime(): boolean {
    if (this.#serviceTime === null) return false;
    const { at, wallAt } = this.#serviceTime;
    const elapsed = this.#clock.elapsed() - at;
    return elapsed < freshTimeMs && Math.abs(this.#clock.now() - wallAt - elapsed) < maxClockDriftMs;
  }

  /** The service's clock in Unix milliseconds, by the `Date` of its last response; this computer's if it sent none. */
  serviceNow(): number {
    if (this.#serviceTime === null) return this.#clock.now();
    return Math.round(this.#serviceTime.ms + this.#clock.elapsed() - this.#serviceTime.at);
  }

  /**
   * Sends a request that only reads, with retries (specification, section 7).
   * @param decode converts the response; an `UnreadableResponse` that it throws becomes `bad_answer`
   * @throws AppError the error of the last try; `cancelled` when the signal aborts
   */
  read<T>(
    request: HttpRequest,
    decode: (response: HttpResponse) => T,
    options: RequestOptions = {},
  ): Promise<T> {
    // A refused header is renewed once; a second 401 is final.
    const renewal = { left: 1 };
    return this.withRetries(() => this.#try(request, decode, options, renewal), options);
  }

  /**
   * Runs any operation with the retry policy of reads and its notices.
   * @param runOnce one try; decides itself whether its error is retryable
   * @throws AppError the error of the last try; `cancelled` when the signal aborts
   */
  withRetries<T>(runOnce: () => Promise<TryResult<T>>, options: RequestOptions = {}): Promise<T> {
    return withRetries(runOnce, {
      policy: { ...readPolicy, maxTries: options.maxTries ?? readPolicy.maxTries },
      clock: this.#clock,
      random: this.#options.random ?? randomNumber,
      signal: options.signal,
      isFinal: options.isFinal,
      onWait: (attempt, nextTryMs, error) => {
        const { service, onRetry } = this.#options;
        const notice = {
          kind: 'retry',
          service,
          host: this.host,
          attempt,
          nextTryMs,
          cause: withoutAdvice(error.message),
        } as const;
        onRetry?.(notice);
        options.onRetry?.(notice);
      },
    });
  }

  /**
   * Reports that entries of a list could not be read.
   * @param what the list in words: "the list of datasets"
   * @param count number of entries; 0 isn't reported
   */
  reportSkipped(what: string, count: number): void {
    const { service, onSkipped } = this.#options;
    if (count > 0) onSkipped?.({ kind: 'skipped', service, host: this.host, what, count });
  }

  /**
   * Sends a request once, without retries.
   * @throws AppError `cancelled`, only if nothing left this computer
   */
  async send(request: HttpRequest, options: RequestOptions = {}): Promise<SendOutcome> {
    let header: string | null;
    try {
      header = (await this.#options.credential?.header(options.signal)) ?? null;
    } catch (error) {
      if (isAppError(error, 'cancelled')) throw error;
      return { kind: 'not_sent', error: toAppError(error) };
    }
    try {
      const response = await this.#exchange(this.describe(request).address, request, header, options);
      this.#reportAccepted(response, header);
      if (response.status >= 200 && response.status < 300)
        return { kind: 'answered', response, error: null, retryAfterMs: null };
      if (response.status === 401 && header !== null) this.#options.credential?.onRefused(header);
      return { kind: 'answered', response, ...this.#classifyStatus(response, options) };
    } catch (error) {
      if (error instanceof WireFailure) {
        const classified = classifyFailure(error, this.#options.service, this.host);
        if (error.isStarted) return { kind: 'lost', error: classified.error };
        if (error.reason.kind === 'cancelled') throw classified.error;
        return { kind: 'not_sent', error: classified.error };
      }
      if (isAppError(error, 'cancelled')) throw error;
      return { kind: 'lost', error: this.#unreadable(error) };
    }
  }

  async #try<T>(
    request: HttpRequest,
    decode: (response: HttpResponse) => T,
    options: RequestOptions,
    renewal: { left: number },
  ): Promise<TryResult<T>> {
    const { credential, service } = this.#options;
    const header = credential ? await credential.header(options.signal) : null;
    try {
      const response = await this.#follow(request, header, options);
      this.#reportAccepted(response, header);
      if (response.status >= 200 && response.status < 300)
        return { ok: true, value: this.#decode(response, decode) };
      if (
        response.status === 401 &&
        header !== null &&
        credential?.onRefused(header) === true &&
        renewal.left > 0
      ) {
        renewal.left -= 1;
        return await this.#try(request, decode, options, renewal);
      }
      return { ok: false, ...this.#classifyStatus(response, options) };
    } catch (error) {
      if (error instanceof WireFailure) return { ok: false, ...classifyFailure(error, service, this.host) };
      if (error instanceof UnreadableResponse)
        return { ok: false, error: this.#unreadable(error), canRetry: error.partial === 'cut' };
      throw error;
    }
  }

  /** @throws UnreadableResponse also where `decode` fails in another way, such as for a value that is nested too deep */
  #decode<T>(response: HttpResponse, decode: (response: HttpResponse) => T): T {
    try {
      return decode(response);
    } catch (error) {
      if (error instanceof AppError || error instanceof UnreadableResponse) throw error;
      throw new UnreadableResponse('it has an unexpected form');
    }
  }

  async #follow(request: HttpRequest, header: string | null, options: RequestOptions): Promise<HttpResponse> {
    let { address } = this.describe(request);
    for (let redirects = 0; redirects <= maxRedirects; redirects += 1) {
      const response = await this.#exchange(address, request, header, options);
      const target = redirectTarget(address, request.method, response);
      if (target === null) return response;
      address = target;
    }
    throw new UnreadableResponse('it redirects too many times');
  }

  async #exchange(
    address: URL,
    request: HttpRequest,
    header: string | null,
    { signal, timeoutMs, maxBytes = maxResponseBytes.small }: RequestOptions,
  ): Promise<HttpResponse> {
    const { network } = this.#options;
    const { method, body } = request;
    const headers = {
      ...this.describe(request).headers,
      ...(header === null ? {} : { authorization: header }),
    };
    const wire = {
      origin: address.origin,
      path: address.pathname + address.search,
      method,
      headers,
      body: body ?? null,
    };
    const permit = await this.#limiter.acquire(signal);
    let outcome: Parameters<Permit['release']> = ['failed'];
    try {
      const timeouts = withResponseTimeout(network.timeouts, timeoutMs);
      const response = await exchange(network.dispatcher, wire, timeouts, { signal, maxBytes });
      this.#readClock(response.headers['date'], response.headers['age']);
      if (response.status === 429) outcome = ['throttled'];
      else if (response.status < 500) outcome = ['ok', response.firstByteMs];
      return await decompress(response, response.status < 300 ? maxBytes : maxResponseBytes.small);
    } finally {
      permit.release(...outcome);
    }
  }

  /** Only an authenticated request gets 200 or 403 with JSON; others can be a web page of a captive portal. */
  #reportAccepted(response: HttpResponse, header: string | null): void {
    if (header === null || (response.status !== 200 && response.status !== 403)) return;
    const first = skipSpace(response.bytes, startOfText(response.bytes));
    if (/^[[{"\d-]/.test(response.bytes.toString('latin1', first, first + 1)))
      this.#options.credential?.onAccepted?.(header);
  }

  /** @param age seconds since the date, where a proxy responds from its cache */
  #readClock(date: WireHeaders[string], age: WireHeaders[string]): void {
    const ms = typeof date === 'string' ? Date.parse(date) + 1000 * (Number(age ?? 0) || 0) : Number.NaN;
    if (Number.isNaN(ms)) return;
    const wallAt = this.#clock.now();
    this.#serviceTime = { ms, at: this.#clock.elapsed(), wallAt };
    const { service, onClock } = this.#options;
    const aheadMs = wallAt - ms;
    if (Math.abs(aheadMs) > maxClockDriftMs) onClock?.({ kind: 'clock', service, host: this.host, aheadMs });
  }

  /** Converts a status other than 2xx into an error. No other function does this. */
  #classifyStatus(response: HttpResponse, { what, secrets = [] }: RequestOptions): ClassifiedStatus {
    const { service, credential } = this.#options;
    const context = {
      service,
      host: this.host,
      what,
      secrets: [...secrets, ...(credential?.secrets() ?? [])],
      refusalReason: credential?.refusalReason?.(),
      now: this.serviceNow(),
    };
    const waitMs = retryAfterMs(response.header('retry-after'), context.now);
    const canRetry = response.status === 429 || response.status === 408 || response.status >= 500;
    return { error: errorFor(response, context, waitMs), canRetry, retryAfterMs: canRetry ? waitMs : null };
  }

  #unreadable(error: unknown): AppError {
    if (!(error instanceof UnreadableResponse)) return toAppError(error);
    const { problem, partial } = error;
    return new AppError('bad_answer', {
      service: this.#options.service,
      problem,
      ...(partial ? { partial } : {}),
    });
  }
}
