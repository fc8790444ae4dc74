import * as z from 'zod';
import { jsonOf, type Answer } from '../http/answer.ts';
import { datesIn } from './jwt.ts';
import { readBy } from './tolerant.ts';

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
  alone<T>(work: () => Promise<T>): Promise<T>;
}

export function memoryTokens(): TokenStore {
  let kept: Tokens | null = null;
  return {
    read: async () => kept,
    write: async (tokens) => {
      kept = tokens;
    },
    alone: (work) => work(),
  };
}

const answerShape = z.looseObject({
  jwt: z.string().optional().catch(undefined),
  auth_key: z.string().optional().catch(undefined),
  refresh_token: z.string().min(1).nullable().optional().catch(null),
});

/**
 * The pair in an answer of the token endpoint.
 * @param now wall time in Unix milliseconds at which it came
 * @throws UnreadableAnswer when there is no token in it that a header can hold
 */
export function readTokens(answer: Answer, now: number): Tokens {
  const said = readBy(answerShape, jsonOf(answer), 'the answer to a login');
  const jwt = readBy(
    z.string().regex(/^[\x21-\x7e]+$/),
    said.jwt || said.auth_key || '',
    'an answer with a token',
  );
  return { jwt, refreshToken: said.refresh_token ?? null, ...timesOf(jwt, now) };
}

/**
 * A pair is renewed ahead of its end by a tenth of the lifetime, five minutes at most. The lifetime is taken
 * from the token's own two dates and counted from now, so that a clock that is wrong here does no harm.
 */
function timesOf(jwt: string, now: number): Pick<Tokens, 'renewAt' | 'endsAt'> {
  const { issued, expires } = datesIn(jwt);
  const lifetime = expires === null ? 0 : expires - (issued ?? now);
  // Without an end, or born expired because a clock is wrong: a 401 will tell.
  if (lifetime <= 0) return { renewAt: null, endsAt: null };
  return { renewAt: now + lifetime - Math.min(lifetime / 10, 300_000), endsAt: now + lifetime };
}
