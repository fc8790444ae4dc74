import { parseExceptions, isThisMachine, proxiesFrom, type Environment } from './proxies.ts';
import { clearTimeout, setTimeout } from '../../../world/time.ts';

/**
 * A route to a service: direct or over a proxy. The address may contain credentials: use {@link shownProxy}
 * for display.
 */
export type Route = { readonly kind: 'direct' } | { readonly kind: 'proxy' | 'socks'; readonly address: URL };

/**
 * The system's proxy resolution, in PAC syntax: `PROXY host:port; DIRECT`. Electron's `session.resolveProxy`
 * returns this.
 */
export type ResolveProxy = (url: string) => Promise<string>;

/** The proxy of a connection, which replaces the system's. */
export interface OwnProxy {
  readonly address: string;
  readonly user?: string | undefined;
  /** Null if there is none. */
  readonly password: () => Promise<string | null>;
}

async function addressWithLogin({ address, user, password }: OwnProxy): Promise<URL> {
  const url = new URL(address);
  if (user === undefined) return url;
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent((await password()) ?? '');
  return url;
}

/** The routes to a URL in order of preference; never empty. */
export type RouteResolver = (target: URL) => Promise<readonly Route[]>;

/** Limit of the system's proxy resolution, in milliseconds: a PAC script may wait for the network. */
const proxyResolutionMs = 5000;

const direct: readonly Route[] = [{ kind: 'direct' }];

/**
 * Creates the route resolver: the connection's own proxy, else the system's proxy resolution, else the proxy
 * variables. This computer is always reached directly.
 * @param resolutionMs limit of the system's proxy resolution, in milliseconds
 * @throws AppError `invalid_input` when a proxy variable is malformed
 */
export function createRoutes(
  env: Environment,
  resolveProxy?: ResolveProxy,
  ownProxy?: OwnProxy,
  resolutionMs = proxyResolutionMs,
): RouteResolver {
  const proxies = proxiesFrom(env);
  const isException = parseExceptions(proxies.except);
  const routesByVariables = (target: URL): readonly Route[] => {
    const proxy = target.protocol === 'https:' ? proxies.https : proxies.http;
    if (proxy === undefined || isException(target.hostname, portOf(target))) return direct;
    return [{ kind: 'proxy', address: new URL(proxy) }];
  };
  const variableProxies = [proxies.https, proxies.http].flatMap((proxy) => (proxy ? [new URL(proxy)] : []));
  return async (target) => {
    if (isThisMachine(target.hostname)) return direct;
    if (ownProxy) return [{ kind: 'proxy', address: await addressWithLogin(ownProxy) }];
    if (!resolveProxy) return routesByVariables(target);
    try {
      const pacResult = await withTimeout(resolveProxy(target.origin), resolutionMs);
      return parseRoutes(pacResult).map((route) => withCredentials(route, variableProxies));
    } catch {
      return routesByVariables(target);
    }
  };
}

async function withTimeout<T>(work: Promise<T>, ms: number): Promise<T> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(new Error('timed out')), ms);
  try {
    return await Promise.race([work, deadline.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The port of a URL, or the default of its scheme. */
export function portOf({ protocol, port }: Pick<URL, 'protocol' | 'port'>): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** Host and port of a proxy, without credentials. */
export function shownProxy(address: URL): string {
  return `${address.hostname}:${portOf(address)}`;
}

const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' };

/** Parses `PROXY a:8080; SOCKS5 b:1080; DIRECT`; direct if no part is valid. */
export function parseRoutes(pacResult: string): readonly Route[] {
  const routes = pacResult.split(';').flatMap((part): Route[] => {
    const [word = '', hostAndPort = ''] = part.trim().split(/\s+/);
    const name = word.toUpperCase();
    if (name === 'DIRECT') return [{ kind: 'direct' }];
    const kind = name.startsWith('SOCKS') ? 'socks' : 'proxy';
    const scheme = kind === 'socks' ? 'http' : schemes[name];
    const address = `${scheme}://${hostAndPort}`;
    return scheme !== undefined && hostAndPort !== '' && URL.canParse(address)
      ? [{ kind, address: new URL(address) }]
      : [];
  });
  return routes.length > 0 ? routes : direct;
}

/** The system provides no passwords; a proxy variable for the same proxy may. */
function withCredentials(route: Route, variableProxies: readonly URL[]): Route {
  if (route.kind !== 'proxy') return route;
  const match = variableProxies.find(
    (proxy) => shownProxy(proxy) === shownProxy(route.address) && proxy.username !== '',
  );
  if (!match) return route;
  const address = new URL(route.address);
  address.username = match.username;
  address.password = match.password;
  return { kind: 'proxy', address };
}
