import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const secret = (): string => randomBytes(32).toString('base64url');

function isEqual(actual: string | undefined | null, expected: string): boolean {
  const a = Buffer.from(actual ?? '');
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The one session of a browser host: tokens that open it once each, and the cookie they are exchanged for. */
export interface Session {
  /** A new query string that opens the session once: `?token=…`. Revokes the last one. */
  issue(): string;
  /** The key of `wellbench open` for new links. */
  readonly linkKey: string;
  /** Whether a request proves itself with {@link linkKey}: `Authorization: Bearer …`. */
  mayIssue(request: IncomingMessage): boolean;
  /** The Set-Cookie header when the token is right and unused; null otherwise. Uses it up. */
  redeem(token: string | null): string | null;
  holds(request: IncomingMessage): boolean;
}

/**
 * @param port makes the cookie's name its own: cookies ignore ports, and another instance must not overwrite ours
 */
export function createSession(port: number): Session {
  const name = `wellbench-${port}`;
  const cookie = secret();
  const linkKey = secret();
  let token: string | null = null;
  return {
    issue() {
      token = secret();
      return `?token=${token}`;
    },
    linkKey,
    mayIssue: ({ headers }) => isEqual(headers.authorization, `Bearer ${linkKey}`),
    redeem(actual) {
      if (token === null || !isEqual(actual, token)) return null;
      token = null;
      return `${name}=${cookie}; HttpOnly; SameSite=Strict; Path=/`;
    },
    holds(request) {
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
      return pairs.some(([key, value]) => key === name && isEqual(value, cookie));
    },
  };
}
