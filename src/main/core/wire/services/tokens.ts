import * as z from 'zod';
import { jsonOf, type HttpResponse, UnreadableResponse, post, type HttpRequest } from '../http/exchange.ts';
import { readBy } from './tolerant.ts';
import { AppError, isAppError } from '../../../../shared/errors/errors.ts';
import { jsonOrNull } from '../../../../shared/json.ts';
import type { Clock, TryResult } from '../http/retry.ts';
import type { Http, SendOutcome } from '../http/http.ts';

/** A pair of tokens with the expiry of the access token by this computer's clock. */
export const tokens = z.object({
  jwt: z.string().min(1),
  /** Null: the service returned none, so only signing in again helps. */
  refreshToken: z.string().nullable(),
  /** Unix milliseconds from which the pair is refreshed; null: only after a 401. */
  renewAt: z.number().nullable(),
  /** Unix milliseconds at which the access token expires; null: unknown. */
  endsAt: z.number().nullable(),
});
export type Tokens = Readonly<z.infer<typeof tokens>>;

/** The store of the pair: memory for the session, the keychain for saved connections. */
export interface TokenStore {
  /** The current pair, also if another process stored it. */
  read(): Promise<Tokens | null>;
  /** Stores the pair, which is used only after this resolves. Null: removes it. */
  write(tokens: Tokens | null): Promise<void>;
  /** Runs work while no other process runs such work for this pair. */
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
 * The pair in a response of the token endpoint.
 * @param now wall time of the response, in Unix milliseconds
 * @throws UnreadableResponse when there is no token in it that a header can hold
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
 * A pair is refreshed before it expires, by a tenth of its lifetime, at most five minutes. The lifetime is the difference of
 * the token's two dates, counted from now, so a wrong clock of this computer doesn't matter.
 */
function renewalTimes(jwt: string, now: number): Pick<Tokens, 'renewAt' | 'endsAt'> {
  const { iat, exp } = readClaims(jwt);
  const lifetime = exp === null ? 0 : exp - (iat ?? now);
  // Without an expiry, or expired at once because of a wrong clock: a 401 triggers the refresh.
  if (lifetime <= 0) return { renewAt: null, endsAt: null };
  return { renewAt: now + lifetime - Math.min(lifetime / 10, 300_000), endsAt: now + lifetime };
}

/** Unix seconds as milliseconds; null: absent or invalid. */
const milliseconds = z
  .number()
  .positive()
  .transform((seconds) => seconds * 1000)
  .nullable()
  .catch(null);
const claims = z.object({ iat: milliseconds, exp: milliseconds }).catch({ iat: null, exp: null });

/** When a JWT was issued and when it expires. The service checks its signature. Never throws. */
function readClaims(jwt: string): z.infer<typeof claims> {
  return claims.parse(jsonOrNull(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString('utf8')));
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
 * Exchanges a refresh token for a new pair. A request that was not sent, or got a 429, is retried as a read; a lost response
 * is retried once, because the service may have invalidated the token.
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
  // A proxy or a gateway without the service answers 403, 404, 407, or 413: the token is still valid.
  const isRefused = error.code === 'not_authenticated' || error.code === 'refused';
  const cause = isRefused ? refusedTokenError(response.status, error) : error;
  return { ok: false, isLost: false, error: cause, canRetry: false };
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
  /** Maximum number of tries while the platform service can't be reached; default: 10. */
  readonly maxTries?: number | undefined;
}

/**
 * Exchanges email and password for a pair of tokens (specification, section 5).
 * @throws AppError `not_authenticated` when they are wrong: they are not sent again
 */
export async function signIn({ http, login, clock, signal, maxTries }: SignInRequest): Promise<Tokens> {
  const { email, password } = login;
  try {
    const readResponse = (response: HttpResponse) => readTokens(response, clock.now());
    const options = { secrets: [password], signal, maxTries };
    return await http.read(tokenRequest({ email, password }), readResponse, options);
  } catch (error) {
    if (!isAppError(error, 'not_authenticated')) throw error;
    throw new AppError('not_authenticated', { ...error.details, why: 'login_wrong' });
  }
}
