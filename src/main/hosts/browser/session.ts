import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const secret = (): string => randomBytes(32).toString('base64url');

function isEqual(actual: string | undefined | null, expected: string): boolean {
  const a = Buffer.from(actual ?? '');
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The one session of a browser host: tokens that open it once each, and the cookie they are exchanged for. */
export type Session = ReturnType<typeof createSession>;

/**
 * @param port makes the cookie's name its own: cookies ignore ports, and another instance must not overwrite ours
 */
export function createSession(port: number) {
  const name = `wellbench-${port}`;
  const cookie = secret();
  const linkKey = secret();
  let token: string | null = null;
  return {
    /** A new query string that opens the session once: `?token=…`. Revokes the last one. */
    issue(): string {
      token = secret();
      return `?token=${token}`;
    },
    /** The key of `wellbench open` for new links. */
    linkKey,
    /** Whether a request proves itself with {@link linkKey}: `Authorization: Bearer …`. */
    mayIssue: ({ headers }: IncomingMessage): boolean => isEqual(headers.authorization, `Bearer ${linkKey}`),
    /** The Set-Cookie header when the token is right and unused; null otherwise. Uses it up. */
    redeem(actual: string | null): string | null {
      if (token === null || !isEqual(actual, token)) return null;
      token = null;
      return `${name}=${cookie}; HttpOnly; SameSite=Strict; Path=/`;
    },
    holds(request: IncomingMessage): boolean {
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
      return pairs.some(([key, value]) => key === name && isEqual(value, cookie));
    },
  };
}
