import type { Answer } from './answer.ts';
import { UnreadableAnswer } from './answer.ts';

/** A read follows so many redirects, no more. */
export const mostRedirects = 5;

/**
 * Where a redirect of a read leads; null when the answer is none. Only within the same origin, so that no
 * secret leaves it, and a POST only where it stays a POST.
 * @throws UnreadableAnswer for a redirect that must not be followed
 */
export function redirectTarget(from: URL, method: 'GET' | 'POST', answer: Answer): URL | null {
  if (![301, 302, 303, 307, 308].includes(answer.status)) return null;
  const location = answer.header('location');
  if (location === null || !URL.canParse(location, from.href)) {
    throw new UnreadableAnswer('it redirects, but does not say where to');
  }
  const to = new URL(location, from);
  if (to.origin !== from.origin) throw new UnreadableAnswer(`it redirects to another place, ${to.host}`);
  if (method === 'POST' && answer.status < 307)
    throw new UnreadableAnswer('it redirects a request that has a body');
  return to;
}
