import * as z from 'zod';
import type { Tokens } from '../services/tokens.ts';

const tokens = z.object({
  jwt: z.string().min(1),
  refreshToken: z.string().nullable(),
  renewAt: z.number().nullable(),
  endsAt: z.number().nullable(),
});

const secret = z.discriminatedUnion('method', [
  z.object({ method: z.literal('api_key'), apiKey: z.string().min(1) }),
  z.object({ method: z.literal('login'), tokens }),
]);

/** What proves who asks, as it is kept: a key, or the tokens of a login. A password never is. */
export type Secret = { method: 'api_key'; apiKey: string } | { method: 'login'; tokens: Tokens };

export function secretText(kept: Secret): string {
  return JSON.stringify(kept);
}

/** Null for a text that is not a secret of ours. */
export function secretIn(text: string): Secret | null {
  try {
    return secret.parse(JSON.parse(text));
  } catch {
    return null;
  }
}
