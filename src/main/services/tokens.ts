import * as z from 'zod';
import { jsonOf, type HttpResponse, UnreadableResponse } from '../http/response.ts';
import { readBy } from './tolerant.ts';
import { AppError, isAppError } from '../../shared/errors/errors.ts';
import type { Clock, TryResult } from '../http/retry.ts';
import type { Http, SendOutcome } from '../http/http.ts';
import { post, type HttpRequest } from '../http/request.ts';

/** A pair of tokens with the time until which the access token is good by our own clock. */
export interface Tokens {
  readonly jwt: string;
  /** Null when the service gave none: then only a new login helps. */
  readonly refreshToken: string | null;
  /** Unix milliseconds from which a new pair is fetched; null: only when a request is refused. */
  readonly renewAt: number | null;
  /** Unix milliseconds from which the access token is of no use; null: not known. */
  readonly endsAt: number | null;
}

/** Where the pair is kept. For the session in memory; the keychain takes this place for saved connections. */
export interface TokenStore {
  /** The pair as it stands now, whichever process put it there. */
  read(): Promise<Tokens | null>;
  /** Resolves when the pair is as safe as it can be; only then it is used. Null: forget it. */
  write(tokens: Tokens | null): Promise<void>;
  /** Does the work while no other process does such work with this pair. */
  withLock<T>(work: () => Promise<T>): Promise<T>;
}

/** A store of tokens in memory, for one process. */
export function memoryTokens(): TokenStore {
  let storedTokens: Tokens | null = null;
  return {
    read: async () => storedTokens,
    write: async (tokens) => {
      storedTokens = tokens;
    },
    withLock: (work) => work(),
  };
}

const tokenResponse = z.looseObject({
  jwt: z.string().optional().catch(undefined),
  auth_key: z.string().optional().catch(undefined),
  refresh_token: z.string().min(1).nullable().optional().catch(null),
});

/**
 * The pair in an answer of the token endpoint.
 * @param now wall time in Unix milliseconds at which it came
 * @throws UnreadableAnswer when there is no token in it that a header can hold
 */
function readTokens(response: HttpResponse, now: number): Tokens {
  const body = readBy(tokenResponse, jsonOf(response), 'the response to a sign-in');
  const jwt = readBy(
    z.string().regex(/^[\x21-\x7e]+$/),
    body.jwt || body.auth_key || '',
    'the response with a token',
  );
  return { jwt, refreshToken: body.refresh_token ?? null, ...renewalTimes(jwt, now) };
}

/**
 * A pair is renewed ahead of its end by a tenth of the lifetime, five minutes at most. The lifetime is taken
 * from the token's own two dates and counted from now, so that a clock that is wrong here does no harm.
 */
function renewalTimes(jwt: string, now: number): Pick<Tokens, 'renewAt' | 'endsAt'> {
  const { issued, expires } = readDates(jwt);
  const lifetime = expires === null ? 0 : expires - (issued ?? now);
  // Without an end, or born expired because a clock is wrong: a 401 will tell.
  if (lifetime <= 0) return { renewAt: null, endsAt: null };
  return { renewAt: now + lifetime - Math.min(lifetime / 10, 300_000), endsAt: now + lifetime };
}

/** The two dates of a token that matter here, in Unix milliseconds; null when the token does not say them. */
interface TokenDates {
  readonly issued: number | null;
  readonly expires: number | null;
}

/** Reads `iat` and `exp` of a JWT without checking its signature: the service does that. Never throws. */
function readDates(jwt: string): TokenDates {
  try {
    const payload: unknown = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8'));
    if (typeof payload !== 'object' || payload === null) return { issued: null, expires: null };
    const claims = payload as Record<string, unknown>;
    return { issued: milliseconds(claims['iat']), expires: milliseconds(claims['exp']) };
  } catch {
    return { issued: null, expires: null };
  }
}

function milliseconds(seconds: unknown): number | null {
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : null;
}

interface RefreshOptions {
  readonly http: Http;
  /** The refresh token; a service takes each one once. */
  readonly token: string;
  readonly clock: Clock;
  readonly maxTries?: number | undefined;
}

/** A request of the token endpoint (specification, section 5). */
function tokenRequest(auth: Record<string, string>): HttpRequest {
  return post('/v1/user_token', { auth });
}

/**
 * Exchanges a refresh token for a new pair. What was not sent, or was answered 429, goes again by the policy
 * of reads; a lost answer goes again once, because the service may have used the token up already.
 * @throws AppError `not_authenticated` when the service refused the token: it must not be sent again
 */
export async function refreshTokens({ http, token, clock, maxTries }: RefreshOptions): Promise<Tokens> {
  const request = tokenRequest({ refresh_token: token });
  let lostTries = 0;
  const runOnce = async (): Promise<TryResult<Tokens>> => {
    const outcome = await http.send(request, { secrets: [token] });
    const result = classifyOutcome(outcome, clock);
    if (result.isLost) lostTries += 1;
    return result.ok ? result : { ...result, canRetry: result.canRetry && lostTries <= 1 };
  };
  return http.withRetries(runOnce, { maxTries });
}

type TokenTryResult = TryResult<Tokens> & { readonly isLost: boolean };

function classifyOutcome(outcome: SendOutcome, clock: Clock): TokenTryResult {
  if (outcome.kind === 'not_sent') return { ok: false, isLost: false, error: outcome.error, canRetry: true };
  if (outcome.kind === 'lost') return { ok: false, isLost: true, error: outcome.error, canRetry: true };
  const { response, error, retryAfterMs } = outcome;
  if (!error) return readSafely(() => readTokens(response, clock.now()));
  if (response.status === 429) return { ok: false, isLost: false, error, canRetry: true, retryAfterMs };
  if (response.status === 408 || response.status >= 500)
    return { ok: false, isLost: true, error, canRetry: true, retryAfterMs };
  if (response.status < 400) return { ok: false, isLost: true, error, canRetry: false };
  // Whatever 4xx it is: this token will not become good again.
  return { ok: false, isLost: false, error: refusedTokenError(response.status, error), canRetry: false };
}

function readSafely(read: () => Tokens): TokenTryResult {
  try {
    return { ok: true, isLost: false, value: read() };
  } catch (error) {
    if (!(error instanceof UnreadableResponse)) throw error;
    const { problem } = error;
    return {
      ok: false,
      isLost: true,
      error: new AppError('bad_answer', { service: 'platform', problem }),
      canRetry: true,
    };
  }
}

function refusedTokenError(status: number, { details }: AppError): AppError {
  const message = 'said' in details ? details.said : undefined;
  const refusal = { service: 'platform', status, why: 'login_needed' } as const;
  return new AppError('not_authenticated', message === undefined ? refusal : { ...refusal, said: message });
}

export interface SignInDetails {
  readonly email: string;
  readonly password: string;
}

interface SignInRequest {
  /** A client of the platform service without a credential. */
  readonly http: Http;
  readonly login: SignInDetails;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** How often it is tried at most while the platform is not to be reached; default 10. */
  readonly maxTries?: number | undefined;
}

/**
 * Exchanges email and password for a pair of tokens (specification, section 5).
 * @throws AppError `not_authenticated` when they are wrong: they are not sent again
 */
export async function signIn({ http, login, clock, signal, maxTries }: SignInRequest): Promise<Tokens> {
  const { email, password } = login;
  try {
    return await http.read(
      tokenRequest({ email, password }),
      (response) => readTokens(response, clock.now()),
      {
        secrets: [password],
        signal,
        maxTries,
      },
    );
  } catch (error) {
    if (!isAppError(error, 'not_authenticated')) throw error;
    throw new AppError('not_authenticated', { ...error.details, why: 'login_wrong' });
  }
}
