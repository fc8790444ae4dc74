import { exceptionsIn, isThisMachine, proxiesFrom, type Environment } from './proxies.ts';

/** A proxy on the way. Its address may hold a user and a password: to be shown by {@link shownProxy} alone. */
export type Hop = { readonly kind: 'direct' } | { readonly kind: 'proxy' | 'socks'; readonly address: URL };

/**
 * How the system reaches an address, in the words of proxy configuration files: `PROXY host:port; DIRECT`. What
 * Electron's `session.resolveProxy` gives.
 */
export type ResolveProxy = (url: string) => Promise<string>;

/** The proxy of one connection, in the place of the system's. */
export interface OwnProxy {
  readonly address: string;
  readonly user?: string | undefined;
  /** Null: there is none. */
  readonly password: () => Promise<string | null>;
}

async function addressOf({ address, user, password }: OwnProxy): Promise<URL> {
  const url = new URL(address);
  if (user === undefined) return url;
  url.username = encodeURIComponent(user);
  url.password = encodeURIComponent((await password()) ?? '');
  return url;
}

/** The ways to an address, the first to be tried first; never empty. */
export type Routes = (target: URL) => Promise<readonly Hop[]>;

/** How long the system may think about the way, in milliseconds: its script may hang on the network itself. */
const patienceMs = 5000;

const direct: readonly Hop[] = [{ kind: 'direct' }];

/**
 * Which way leads to an address: the connection's own proxy, else what the system says where there is somebody to ask, else the proxy variables. This
 * machine is always reached directly.
 * @throws AppError `invalid_input` when a proxy variable is malformed
 */
export function createRoutes(
  env: Environment,
  resolveProxy?: ResolveProxy,
  thinkMs = patienceMs,
  own?: OwnProxy,
): Routes {
  const proxies = proxiesFrom(env);
  const isException = exceptionsIn(proxies.except);
  const byVariables = (target: URL): readonly Hop[] => {
    const proxy = target.protocol === 'https:' ? proxies.https : proxies.http;
    if (proxy === undefined || isException(target.hostname, portOf(target))) return direct;
    return [{ kind: 'proxy', address: new URL(proxy) }];
  };
  const known = [proxies.https, proxies.http].flatMap((proxy) => (proxy ? [new URL(proxy)] : []));
  return async (target) => {
    if (isThisMachine(target.hostname)) return direct;
    if (own) return [{ kind: 'proxy', address: await addressOf(own) }];
    if (!resolveProxy) return byVariables(target);
    try {
      const said = await inTime(resolveProxy(target.origin), thinkMs);
      return hopsIn(said).map((hop) => withLogin(hop, known));
    } catch {
      return byVariables(target);
    }
  };
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new Error('timed out')), ms);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** The port of an address, the usual one of its scheme where it names none. */
export function portOf({ protocol, port }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

/** Name and port of a proxy, without what proves who asks. */
export function shownProxy(address: URL): string {
  return `${address.hostname}:${portOf(address)}`;
}

const schemes: Readonly<Record<string, string>> = { PROXY: 'http', HTTP: 'http', HTTPS: 'https' };

/** The hops in `PROXY a:8080; SOCKS5 b:1080; DIRECT`; direct when nothing in it is understood. */
export function hopsIn(answer: string): readonly Hop[] {
  const hops = answer.split(';').flatMap((part): Hop[] => {
    const [word = '', place = ''] = part.trim().split(/\s+/);
    const name = word.toUpperCase();
    if (name === 'DIRECT') return [{ kind: 'direct' }];
    const kind = name.startsWith('SOCKS') ? 'socks' : 'proxy';
    const scheme = kind === 'socks' ? 'http' : schemes[name];
    const address = `${scheme}://${place}`;
    return scheme !== undefined && place !== '' && URL.canParse(address)
      ? [{ kind, address: new URL(address) }]
      : [];
  });
  return hops.length > 0 ? hops : direct;
}

/** The system knows no passwords: where a variable names the same proxy with one, it is taken from there. */
function withLogin(hop: Hop, known: readonly URL[]): Hop {
  if (hop.kind !== 'proxy') return hop;
  const same = known.find((proxy) => shownProxy(proxy) === shownProxy(hop.address) && proxy.username !== '');
  if (!same) return hop;
  const address = new URL(hop.address);
  address.username = same.username;
  address.password = same.password;
  return { kind: 'proxy', address };
}
