import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

const secret = (): string => randomBytes(32).toString('base64url');

function same(given: string | undefined | null, wanted: string): boolean {
  const a = Buffer.from(given ?? '');
  const b = Buffer.from(wanted);
  return a.length === b.length && timingSafeEqual(a, b);
}

/** The one session of a browser host: a token that opens it once, and the cookie it is exchanged for. */
export interface Session {
  /** The query string that opens the session: `?token=…`, good for one use. */
  readonly search: string;
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
  const token = secret();
  let unused = true;
  return {
    search: `?token=${token}`,
    redeem(given) {
      if (!unused || !same(given, token)) return null;
      unused = false;
      return `${name}=${cookie}; HttpOnly; SameSite=Strict; Path=/`;
    },
    holds(request) {
      const pairs = (request.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
      return pairs.some(([key, value]) => key === name && same(value, cookie));
    },
  };
}
