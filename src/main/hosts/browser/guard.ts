import { randomBytes } from 'node:crypto';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { policyHeaders } from '../policy.ts';

/**
 * The name in sign-in links. A page that was at a port before keeps its service workers, which would get the token of a link to
 * the same name; so a port that is used again has a new name each time. Browsers look up names below `localhost` themselves.
 * @param requestedPort 0: any free port, which no page was at
 */
export const linkHostName = (requestedPort: number): string =>
  requestedPort === 0 ? '127.0.0.1' : `${randomBytes(10).toString('hex')}.localhost`;

/** The names under which this host is served, with its port. */
export const servedHosts = (linkName: string, port: number): readonly string[] =>
  [...new Set([linkName, '127.0.0.1', 'localhost'])].map((name) => `${name}:${port}`);

/**
 * Why a request is refused before it is handled; null: it is allowed. `Host` must be this host (protects
 * against DNS rebinding), and a page of another origin, other ports included, must not use the session's
 * cookie.
 * @param hosts those of {@link servedHosts}
 */
export function refusalReason(request: IncomingMessage, hosts: readonly string[]): string | null {
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.includes(host)) return 'This address isn’t served here.';
  if (origin !== undefined && origin !== `http://${host}`) return 'Requests from other sites are refused.';
  const fetchSite = request.headers['sec-fetch-site'];
  // A link that the user follows; other origins can't frame this page.
  const navigation =
    request.headers['sec-fetch-mode'] === 'navigate' &&
    request.headers['sec-fetch-dest'] === 'document' &&
    request.method === 'GET';
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none' && !navigation)
    return 'Requests from other sites are refused.';
  return null;
}

/** The target of a request as text; clients can send anything, and nothing may throw. */
export interface Target {
  readonly path: string;
  readonly parameters: URLSearchParams;
}

/** The path and the parameters of a request. */
export function parseTarget({ url = '' }: IncomingMessage): Target {
  const end = url.indexOf('?');
  const [path, query] = end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  return { path, parameters: new URLSearchParams(query) };
}

/** Bounds of connections that have not shown the session's cookie. */
export interface ConnectionLimits {
  /** Maximum number of unauthenticated connections; the oldest is closed for a new one. Default: 64. */
  readonly maxUnauthenticated?: number;
  /** How long each lasts, in milliseconds. Default: 10 s. */
  readonly unauthenticatedMs?: number;
}

/** All connections, windows included: each window needs two sockets, and a browser opens six more. */
const maxConnections = 512;

/**
 * Closes connections that don't authenticate: any local user and any web page can open some.
 * @returns removes the limits from a connection that sent the session's cookie
 */
export function limitConnections(
  server: Server,
  { maxUnauthenticated = 64, unauthenticatedMs = 10_000 }: ConnectionLimits,
): (socket: Duplex) => void {
  const timers = new Map<Duplex, NodeJS.Timeout>();
  const untrack = (socket: Duplex): void => {
    clearTimeout(timers.get(socket));
    timers.delete(socket);
  };
  server.maxConnections = maxConnections;
  server.on('connection', (socket) => {
    timers.set(
      socket,
      setTimeout(() => socket.destroy(), unauthenticatedMs),
    );
    socket.once('close', () => untrack(socket));
    const [oldest] = timers.keys();
    if (timers.size > maxUnauthenticated) oldest?.destroy();
  });
  return untrack;
}

/** Headers of every response: the common policy, this host's socket, and no caching. @param hosts those of {@link servedHosts} */
export function securityHeaders(hosts: readonly string[]): Record<string, string> {
  return {
    ...policyHeaders(hosts.map((host) => `ws://${host}`)),
    'Cache-Control': 'no-store',
  };
}

/** Responds with a short page. */
export function sendPage(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${sentence}\n`);
}

/** Leads a browser that has just signed in to the page, by a navigation of our own. */
export function sendRedirectPage(response: ServerResponse): void {
  response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    .end('<!doctype html><meta http-equiv="refresh" content="0; url=/">\n');
}

/** The page of a browser that is not signed in: what is wrong, and how to get a sign-in link. No script, no secret. */
export function sendSignInPage(response: ServerResponse, status: 401 | 403, heading: string): void {
  response.writeHead(status, { 'Content-Type': 'text/html; charset=utf-8' }).end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${heading}</title>
<style>
  body { max-width: 36rem; margin: 12vh auto; padding: 0 1.5rem; font: 1rem/1.5 system-ui, sans-serif; }
  h1 { font-size: 1.375rem; line-height: 1.25; }
  li { margin: 0.5rem 0; }
  code { padding: 0.1em 0.3em; border: 1px solid color-mix(in srgb, currentColor 30%, transparent); border-radius: 4px; }
</style>
<main>
  <h1>${heading}</h1>
  <p>A sign-in link works once, and the sign-in ends when the browser is closed. Your work and jobs are kept.</p>
  <ol>
    <li>Get a new link: press <kbd>Enter</kbd> in the terminal where <code>wellbench serve</code> runs, or run
      <code>wellbench open</code> in any terminal.</li>
    <li>Open the link in this browser.</li>
  </ol>
  <p>Signed in in another tab? <a href="/">Open Wellbench</a></p>
</main>
</html>
`);
}
