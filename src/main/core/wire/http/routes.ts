import { clearTimeout, setTimeout } from '../../../world/time.ts';
import { invalidInput } from '../../../../shared/errors/errors.ts';
import { BlockList, isIP } from 'node:net';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Reads HTTP_PROXY, HTTPS_PROXY, and NO_PROXY, lower case first as curl does. An address without a scheme
 * means http.
 * @returns `except`: hosts without a proxy beside this computer, as {@link parseExceptions} reads them
 * @throws AppError `invalid_input` with the name of the variable, never its value, which may contain a
 *   password
 */
export function proxiesFrom(env: Environment) {
  return {
    http: proxyAddress(env, 'HTTP_PROXY'),
    https: proxyAddress(env, 'HTTPS_PROXY'),
    except: env['no_proxy'] ?? env['NO_PROXY'] ?? '',
  };
}

function proxyAddress(env: Environment, name: string): string | undefined {
  const value = (env[name.toLowerCase()] || env[name])?.trim();
  if (!value) return undefined;
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw invalidInput('This isn’t a proxy address. Use the form http://host:port.', { field: name });
  }
  return text;
}

const localNames = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|::1)$/;

/** A host without brackets and trailing dot, in lower case. */
export function plainHost(hostname: string): string {
  return hostname
    .replace(/^\[(.+)\]$/, '$1')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();
}

/** Whether a host is this computer; it never uses a proxy. */
export function isThisMachine(hostname: string): boolean {
  return localNames.test(plainHost(hostname));
}

interface Exception {
  /** 0 means any. */
  readonly port: number;
  readonly matches: (host: string) => boolean;
}

/**
 * Parses NO_PROXY as curl does: names with their subdomains (`.example.com`, `*.example.com`, `example.com`),
 * IP addresses, CIDR ranges (`10.0.0.0/8`), and `*` for everything, each with an optional port, separated by
 * commas or spaces.
 * @returns whether a host needs no proxy
 */
export function parseExceptions(text: string): (hostname: string, port: number) => boolean {
  const exceptions = text
    .split(/[,\s]+/)
    .filter((entry) => entry !== '')
    .map(parseException);
  return (hostname, port) => {
    const host = plainHost(hostname);
    return (
      isThisMachine(host) ||
      exceptions.some(
        (exception) => (exception.port === 0 || exception.port === port) && exception.matches(host),
      )
    );
  };
}

function parseException(entry: string): Exception {
  const range = parseRange(entry);
  if (range) return { port: 0, matches: range };
  const [, name = entry, digits = '0'] = /^(\[[^\]]+\]|[^:]+):(\d+)$/.exec(entry) ?? [];
  const port = Number(digits);
  if (name === '*') return { port, matches: () => true };
  const domain = plainHost(name.replace(/^\*?\./, ''));
  // `*.example.com` matches subdomains, not example.com itself.
  const isSubdomainOnly = name.startsWith('*');
  return { port, matches: (host) => (!isSubdomainOnly && host === domain) || host.endsWith(`.${domain}`) };
}

/** A matcher for a CIDR range such as `10.0.0.0/8` or `fd00::/8`; null for anything else. */
function parseRange(entry: string): ((host: string) => boolean) | null {
  const [, network, digits = ''] = /^\[?([0-9a-f.:]+)\]?\/(\d{1,3})$/i.exec(entry) ?? [];
  // The first call of isIP compiles patterns, which would slow down each start.
  if (network === undefined) return null;
  const version = isIP(network);
  const bits = Number(digits);
  if (version === 0 || bits > (version === 4 ? 32 : 128)) return null;
  const type = version === 4 ? 'ipv4' : 'ipv6';
  const list = new BlockList();
  list.addSubnet(network, bits, type);
  return (host) => isIP(host) === version && list.check(host, type);
}

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
      const timedOut = () => new Error('timed out');
      const pacResult = await withTimeout(resolveProxy(target.origin), resolutionMs, timedOut);
      return parseRoutes(pacResult).map((route) => withCredentials(route, variableProxies));
    } catch {
      return routesByVariables(target);
    }
  };
}

/** The value of a promise. @throws what `timedOut` returns if it takes longer; what the promise rejects with */
export async function withTimeout<T>(work: Promise<T>, ms: number, timedOut: () => Error): Promise<T> {
  const deadline = Promise.withResolvers<never>();
  const timer = setTimeout(() => deadline.reject(timedOut()), ms);
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
