import type { IncomingMessage } from 'node:http';

/**
 * Why a request is turned away before anything looks at it; null: it may go on.
 * `Host` must be ours (a name that was rebound to this machine is not), and a page of another origin, another port of
 * this machine included, may not call us with the person's cookie.
 */
export function foreign(request: IncomingMessage, port: number): string | null {
  const hosts = [`127.0.0.1:${port}`, `localhost:${port}`];
  const { host, origin } = request.headers;
  if (host === undefined || !hosts.includes(host)) return 'This address is not served here.';
  if (origin !== undefined && origin !== `http://${host}`)
    return 'Requests from other sites are not answered.';
  const fetchSite = request.headers['sec-fetch-site'];
  // A link that the person follows; a page of another port may not put ours into a frame.
  const navigation =
    request.headers['sec-fetch-mode'] === 'navigate' &&
    request.headers['sec-fetch-dest'] === 'document' &&
    request.method === 'GET';
  if (fetchSite !== undefined && fetchSite !== 'same-origin' && fetchSite !== 'none' && !navigation)
    return 'Requests from other sites are not answered.';
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
