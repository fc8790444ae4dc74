import { Agent, EnvHttpProxyAgent, Pool, type Dispatcher, type buildConnector } from 'undici';
import { trustedAuthoritiesAnd } from './certificates.ts';
import { ProxyFailure } from './failures.ts';
import { proxiesFrom } from './proxies.ts';
import { defaultTimeouts, type Timeouts } from './timeouts.ts';

export interface NetworkOptions {
  /** Where the proxy variables are read; the process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly timeouts?: Timeouts;
  /** Further authorities in PEM, beside the bundled and the system's. */
  readonly authorities?: readonly string[];
  /** Whether any address begins with https: only then certificates are read. */
  readonly tls: boolean;
}

/** The way out of this machine, shared by every request of a connection: proxies, certificates, time to connect. */
export interface Network {
  readonly dispatcher: Dispatcher;
  readonly timeouts: Timeouts;
  /** Cuts whatever still runs. */
  close(): Promise<void>;
}

/** @throws AppError `invalid_input` when a proxy variable is malformed */
export function openNetwork(options: NetworkOptions): Network {
  const timeouts = options.timeouts ?? defaultTimeouts;
  const proxies = proxiesFrom(options.env ?? process.env);
  const secure: buildConnector.BuildOptions = options.tls
    ? { secureContext: trustedAuthoritiesAnd(options.authorities ?? []) }
    : {};
  // One request at a time on a connection, and HTTP/1.1 alone: only so is it certain whether a body has left.
  const common = { allowH2: false, pipelining: 1, connectTimeout: timeouts.connectMs };
  const connect = { ...secure, allowH2: false, timeout: timeouts.connectMs };
  const dispatcher: Dispatcher =
    proxies.http === undefined && proxies.https === undefined
      ? new Agent({ ...common, connect })
      : new EnvHttpProxyAgent({
          ...common,
          connect,
          requestTls: { ...secure, allowH2: false },
          proxyTls: { ...secure, allowH2: false },
          httpProxy: proxies.http ?? '',
          httpsProxy: proxies.https ?? '',
          noProxy: proxies.except,
          clientFactory: proxyClient(timeouts),
        });
  return { dispatcher, timeouts, close: () => dispatcher.destroy() };
}

/** Connections to a proxy whose failures can be told from those of the service behind it. */
function proxyClient(timeouts: Timeouts) {
  return (origin: URL, options: Pool.Options): Dispatcher => {
    const connect = options.connect;
    if (typeof connect !== 'function') return new Pool(origin, options);
    return new Pool(origin, {
      ...options,
      headersTimeout: timeouts.connectMs,
      connect: (to, done) =>
        connect(to, (...[error, socket]) =>
          error ? done(new ProxyFailure(error), null) : done(null, socket),
        ),
    });
  };
}
