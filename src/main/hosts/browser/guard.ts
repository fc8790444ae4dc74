import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { policyHeaders } from '../policy.ts';

/**
 * Why a request is turned away before anything looks at it; null: it may go on.
 * `Host` must be ours (a name that was rebound to this machine is not), and a page of another origin, another port of
 * this machine included, may not call us with the person's cookie.
 */
export function foreign(request: IncomingMessage, port: number): string | null {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.includes(host)) return 'This address isn’t served here.';
  if (origin !== undefined && origin !== `http://${host}`) return 'Requests from other sites are refused.';
  const fetchSite = request.headers['sec-fetch-site'];
  // A link that the person follows; a page of another port may not put ours into a frame.
  const navigation =
    request.headers['sec-fetch-mode'] === 'navigate' &&
    request.headers['sec-fetch-dest'] === 'document' &&
    request.method === 'GET';
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none' && !navigation)
    return 'Requests from other sites are refused.';
  return null;
}

/** A WebSocket always says its origin; one without it is no page of ours. */
export const hasOrigin = (request: IncomingMessage): boolean => request.headers.origin !== undefined;

/** What a request asks for, as text: anybody can send what is no address, and nothing may throw over it. */
export interface Target {
  readonly path: string;
  readonly parameters: URLSearchParams;
}

export function targetOf({ url = '' }: IncomingMessage): Target {
  const end = url.indexOf('?');
  const [path, query] = end === -1 ? [url, ''] : [url.slice(0, end), url.slice(end)];
  return { path, parameters: new URLSearchParams(query) };
}

/** Bounds of connections that have not shown the session's cookie. */
export interface ConnectionLimits {
  /** How many there are at once; one more ends the oldest. Default: 64. */
  readonly maxUnauthenticated?: number;
  /** How long each lasts, in milliseconds. Default: 10 s. */
  readonly unauthenticatedMs?: number;
}

/** All connections, windows included: each window needs two sockets, and a browser opens six more. */
const maxConnections = 512;

/**
 * Ends connections that do not authenticate: anybody on this machine, a page of any site included, can open some.
 * @returns what lifts the limits from a connection that showed the session's cookie
 */
export function limitConnections(
  server: Server,
  { maxUnauthenticated = 64, unauthenticatedMs = 10_000 }: ConnectionLimits,
): (socket: Duplex) => void {
  const timers = new Map<Duplex, NodeJS.Timeout>();
  const forget = (socket: Duplex): void => {
    clearTimeout(timers.get(socket));
    timers.delete(socket);
  };
  server.maxConnections = maxConnections;
  server.on('connection', (socket) => {
    timers.set(
      socket,
      setTimeout(() => socket.destroy(), unauthenticatedMs),
    );
    socket.once('close', () => forget(socket));
    const [oldest] = timers.keys();
    if (timers.size > maxUnauthenticated) oldest?.destroy();
  });
  return forget;
}

/** Headers of every answer: the policy that all hosts share, this host's socket, and nothing that may be kept. */
export function securityHeaders(port: number): Record<string, string> {
  return {
    ...policyHeaders([`ws://127.0.0.1:${port}`, `ws://localhost:${port}`]),
    'Cache-Control': 'no-store',
  };
}

/** Answers with a short page in plain words. */
export function answerPage(response: ServerResponse, status: number, sentence: string): void {
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8' }).end(`${sentence}\n`);
}

/** Leads a browser that has just signed in to the page, by a navigation of our own. */
export function answerOnward(response: ServerResponse): void {
  response
    .writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' })
    .end('<!doctype html><meta http-equiv="refresh" content="0; url=/">\n');
}

/** The page of a browser that is not signed in: what is wrong, and how to get a sign-in link. No script, no secret. */
export function answerSignIn(response: ServerResponse, status: 401 | 403, heading: string): void {
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
