import { AppError, isAppError, toAppError, type ServiceName } from '../../shared/errors/errors.ts';
import type { RetryNotice } from '../../shared/workspace/workspace.ts';
import { maxAnswerBytes, withAnswerTime } from './limits.ts';
import { unpack, UnreadableAnswer, type Answer } from './answer.ts';
import { systemClock, type Clock, readPolicy, retrying, type Try } from './retry.ts';
import type { CredentialSource } from './credential-source.ts';
import { exchange } from './exchange.ts';
import { judge, WireFailure } from './failures.ts';
import { createLimiter, type Limiter, type Slot } from './limiter.ts';
import type { Network } from './network.ts';
import { mostRedirects, redirectTarget, addressOf, type HttpRequest } from './request.ts';
import { judgeStatus, type JudgedStatus } from './status.ts';

export interface HttpOptions {
  readonly service: ServiceName;
  readonly baseUrl: string;
  readonly network: Network;
  /** Null: requests go without an Authorization header, as those for a token do. */
  readonly credential: CredentialSource | null;
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  readonly clock?: Clock | undefined;
  readonly random?: (() => number) | undefined;
  readonly limiter?: Limiter | undefined;
}

export interface RequestOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long the service may take to begin its answer, in milliseconds. */
  readonly timeoutMs?: number | undefined;
  /** What is asked for, in words: "the dataset demo/wits". */
  readonly what?: string | undefined;
  /** How large the answer may be, unpacked; default: a small one (`limits.ts`). */
  readonly maxBytes?: number | undefined;
  /** Secrets that the request itself holds, beside those of the credential. */
  readonly secrets?: readonly string[] | undefined;
}

export interface ReadOptions extends RequestOptions {
  readonly onRetry?: ((notice: RetryNotice) => void) | undefined;
  /** How often it is tried at most. */
  readonly tries?: number | undefined;
  /** Of which failures it is not tried again, although that might help. */
  readonly isFinal?: ((error: AppError) => boolean) | undefined;
}

/** What became of a request that is sent once. */
export type Sent =
  /** The service answered; `error` puts a status other than 2xx into words. */
  | {
      readonly kind: 'answered';
      readonly answer: Answer;
      readonly error: AppError | null;
      readonly retryAfterMs: number | null;
    }
  /** Nothing of it left this machine. */
  | { readonly kind: 'not_sent'; readonly error: AppError }
  /** It left, at least in part, and no whole answer came. */
  | { readonly kind: 'lost'; readonly error: AppError };

export type Http = Pick<HttpClient, keyof HttpClient>;

const always = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': 'Wellbench' };

export function openHttp(options: HttpOptions): Http {
  return new HttpClient(options);
}

/** The client of one service: every request of the application goes through one of these. */
class HttpClient {
  readonly host: string;
  readonly #options: HttpOptions;
  readonly #clock: Clock;
  readonly #limiter: Limiter;

  constructor(options: HttpOptions) {
    this.#options = options;
    this.host = new URL(options.baseUrl).host;
    this.#clock = options.clock ?? systemClock;
    this.#limiter = options.limiter ?? createLimiter();
  }

  /** A request as it goes out: its whole address, and its headers but for the one that proves who asks. */
  outgoing(request: HttpRequest): { address: URL; headers: Record<string, string> } {
    return {
      address: addressOf(this.#options.baseUrl, request),
      headers: { ...always, ...(request.body ? { 'content-type': 'application/json' } : {}) },
    };
  }

  /**
   * A request that only reads: it is tried again as section 7 of the specification says.
   * @throws AppError the last try's; `cancelled` at any moment
   */
  read<T>(request: HttpRequest, decode: (answer: Answer) => T, options: ReadOptions = {}): Promise<T> {
    // A header that was refused is renewed once; a second 401 stands.
    const renewal = { left: 1 };
    return this.retrying(() => this.#try(request, decode, options, renewal), options);
  }

  /** Tries anything by the policy of reads, with its notices: for requests that judge for themselves what may go again. */
  retrying<T>(once: () => Promise<Try<T>>, options: ReadOptions = {}): Promise<T> {
    return retrying(once, {
      policy: { ...readPolicy, tries: options.tries ?? readPolicy.tries },
      clock: this.#clock,
      random: this.#options.random ?? Math.random,
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
          cause: error.message,
        } as const;
        onRetry?.(notice);
        options.onRetry?.(notice);
      },
    });
  }

  /**
   * A request that is sent once and never again.
   * @throws AppError `cancelled` alone, and only if nothing has left
   */
  async send(request: HttpRequest, options: RequestOptions = {}): Promise<Sent> {
    let header: string | null;
    try {
      header = (await this.#options.credential?.header(options.signal)) ?? null;
    } catch (error) {
      if (isAppError(error, 'cancelled')) throw error;
      return { kind: 'not_sent', error: toAppError(error) };
    }
    try {
      const answer = await this.#exchange(this.#address(request), request, header, options);
      if (answer.status >= 200 && answer.status < 300) {
        return { kind: 'answered', answer, error: null, retryAfterMs: null };
      }
      if (answer.status === 401 && header !== null) this.#options.credential?.refused(header);
      return { kind: 'answered', answer, ...this.#judgeStatus(answer, options) };
    } catch (error) {
      if (error instanceof WireFailure) {
        const judged = judge(error, this.#options.service, this.host);
        if (error.started) return { kind: 'lost', error: judged.error };
        if (error.trouble.kind === 'cancelled') throw judged.error;
        return { kind: 'not_sent', error: judged.error };
      }
      if (isAppError(error, 'cancelled')) throw error;
      return { kind: 'lost', error: this.#unreadable(error) };
    }
  }

  async #try<T>(
    request: HttpRequest,
    decode: (answer: Answer) => T,
    options: ReadOptions,
    renewal: { left: number },
  ): Promise<Try<T>> {
    const { credential, service } = this.#options;
    const header = credential ? await credential.header(options.signal) : null;
    try {
      const answer = await this.#follow(request, header, options);
      if (answer.status >= 200 && answer.status < 300) return { ok: true, value: decode(answer) };
      if (answer.status === 401 && header !== null && renewal.left > 0 && credential?.refused(header)) {
        renewal.left -= 1;
        return await this.#try(request, decode, options, renewal);
      }
      return { ok: false, ...this.#judgeStatus(answer, options) };
    } catch (error) {
      if (error instanceof WireFailure) return { ok: false, ...judge(error, service, this.host) };
      if (error instanceof UnreadableAnswer)
        return { ok: false, error: this.#unreadable(error), again: error.cutOff };
      throw error;
    }
  }

  async #follow(request: HttpRequest, header: string | null, options: ReadOptions): Promise<Answer> {
    let address = this.#address(request);
    for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
      const answer = await this.#exchange(address, request, header, options);
      const target = redirectTarget(address, request.method, answer);
      if (target === null) return answer;
      address = target;
    }
    throw new UnreadableAnswer('it redirects again and again');
  }

  async #exchange(
    address: URL,
    request: HttpRequest,
    header: string | null,
    { signal, timeoutMs, maxBytes = maxAnswerBytes.small }: RequestOptions,
  ): Promise<Answer> {
    const { network } = this.#options;
    const { method, body } = request;
    const headers = {
      ...this.outgoing(request).headers,
      ...(header === null ? {} : { authorization: header }),
    };
    const wire = {
      origin: address.origin,
      path: address.pathname + address.search,
      method,
      headers,
      body: body ?? null,
    };
    const slot = await this.#limiter.acquire(signal);
    let outcome: Parameters<Slot['release']> = ['failed'];
    try {
      const answer = await exchange(network.dispatcher, wire, withAnswerTime(network.timeouts, timeoutMs), {
        signal,
        maxBytes,
      });
      if (answer.status === 429) outcome = ['throttled'];
      else if (answer.status < 500) outcome = ['ok', answer.firstByteMs];
      // Only one that was let in is answered so.
      if (header !== null && (answer.status === 200 || answer.status === 403))
        this.#options.credential?.accepted?.(header);
      return await unpack(answer, answer.status < 300 ? maxBytes : maxAnswerBytes.small);
    } finally {
      slot.release(...outcome);
    }
  }

  #address(request: HttpRequest): URL {
    return this.outgoing(request).address;
  }

  #judgeStatus(answer: Answer, { what, secrets = [] }: RequestOptions): JudgedStatus {
    const { service, credential } = this.#options;
    const all = [...secrets, ...(credential?.secrets() ?? [])];
    const why = credential?.whyRefused?.();
    return judgeStatus(answer, { service, host: this.host, what, secrets: all, why, now: this.#clock.now() });
  }

  #unreadable(error: unknown): AppError {
    if (!(error instanceof UnreadableAnswer)) return toAppError(error);
    return new AppError('bad_answer', { service: this.#options.service, problem: error.problem });
  }
}
