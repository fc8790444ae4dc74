import buildConnector from 'undici/lib/core/connect.js';
import { Agent } from '../../../world/http.ts';
import type { SecureContext } from 'node:tls';
import { withExtraAuthorities } from './certificates.ts';
import { readClientCertificate, withCauseOfRefusal, type ClientCertificate } from './client-certificate.ts';
import { ProxyFailure } from './failures.ts';
import { openTunnel } from './tunnel.ts';
import {
  plainHost,
  createRoutes,
  portOf,
  shownProxy,
  type Environment,
  type Route,
  type OwnProxy,
  type ResolveProxy,
  type RouteResolver,
} from './routes.ts';
import { defaultTimeouts, type Timeouts } from './exchange.ts';
import { elapsedMs } from '../../../world/time.ts';

export interface NetworkOptions {
  /** Source of the proxy variables; default: the environment of the process. */
  readonly env?: Environment | undefined;
  /** The system's proxy resolution; default: the proxy variables. */
  readonly resolveProxy?: ResolveProxy | undefined;
  /** The connection's own proxy, which replaces both. */
  readonly proxy?: OwnProxy | undefined;
  readonly timeouts?: Timeouts | undefined;
  /** Further authorities in PEM, beside the bundled ones and the system's. */
  readonly authorities?: readonly string[] | undefined;
  /** Shown to the services, never to a proxy. */
  readonly clientCertificate?: ClientCertificate | undefined;
  /** Whether any URL begins with https; otherwise no certificates are read. */
  readonly tls: boolean;
}

/** The network access that all requests of a connection share: proxies, certificates, and timeouts. */
export type Network = ReturnType<typeof openNetwork>;

/**
 * Opens network access for one connection.
 * @throws AppError `invalid_input` when a proxy variable is malformed
 */
export function openNetwork(options: NetworkOptions) {
  const timeouts = options.timeouts ?? defaultTimeouts;
  const routes = createRoutes(options.env ?? process.env, options.resolveProxy, options.proxy);
  const { authorities = [], clientCertificate } = options;
  const secureContext = options.tls ? withExtraAuthorities(authorities) : undefined;
  let contextWithCertificate: SecureContext | undefined;
  /** Reads the certificate at the first connection: its file, and later its passphrase, may come to be right meanwhile. */
  const serviceContext = async (): Promise<SecureContext | undefined> => {
    if (!options.tls || !clientCertificate) return secureContext;
    contextWithCertificate ??= withExtraAuthorities(
      authorities,
      await readClientCertificate(clientCertificate),
    );
    return contextWithCertificate;
  };
  const explain = (error: Error): Error => withCauseOfRefusal(error, clientCertificate !== undefined);
  const access: Access = { timeouts, routes, secureContext, serviceContext, explain };
  const closing = new AbortController();
  // HTTP/1.1 with one request per connection: otherwise it is uncertain whether a body was sent.
  const dispatcher = new Agent({
    allowH2: false,
    pipelining: 1,
    connectTimeout: timeouts.connectMs,
    connect: createConnector(access, closing.signal),
  });
  return {
    ...access,
    dispatcher,
    /** The name of the client certificate; undefined: none. */
    clientCertificate: clientCertificate?.name,
    /** Closes all connections and fails running requests. */
    close(): Promise<void> {
      closing.abort();
      return dispatcher.destroy();
    },
  };
}

interface Access {
  readonly timeouts: Timeouts;
  readonly routes: RouteResolver;
  /** The trusted authorities; undefined if no URL begins with https. */
  readonly secureContext: SecureContext | undefined;
  /** Those, with the client certificate. @throws AppError `file_unreadable`, `file_unsuitable` */
  readonly serviceContext: () => Promise<SecureContext | undefined>;
  /** An error of TLS with its cause, if it is about the client certificate. */
  readonly explain: (error: Error) => Error;
}
type Target = Parameters<buildConnector.connector>[0];
type ConnectedSocket = NonNullable<Parameters<buildConnector.Callback>[1]>;

/** How long a proxy that can't be reached is tried last, in milliseconds. */
const deadProxyMs = 300_000;

/** Opens connections over the resolved routes; if a proxy can't be reached, the next route is tried. */
function createConnector(
  { timeouts: { connectMs }, routes, secureContext, serviceContext, explain }: Access,
  signal: AbortSignal,
): buildConnector.connector {
  let connector: buildConnector.connector | undefined;
  async function connectService(target: Target): Promise<ConnectedSocket> {
    const context = await serviceContext();
    connector ??= buildConnector({
      ...(context ? { secureContext: context } : {}),
      allowH2: false,
      timeout: connectMs,
    });
    return openSocket(connector, target, explain);
  }
  const deadUntil = new Map<string, number>();
  const isDead = (route: Route): boolean =>
    route.kind !== 'direct' && (deadUntil.get(route.address.host) ?? 0) > elapsedMs();

  async function connectBy(route: Route, target: Target, timeoutMs: number): Promise<ConnectedSocket> {
    if (route.kind === 'direct') return connectService(target);
    if (route.kind === 'socks') throw new ProxyFailure({ proxy: shownProxy(route.address), kind: 'socks' });
    const { protocol, port, hostname } = target;
    const service = { host: plainHost(hostname), port: portOf({ protocol, port }) };
    try {
      const httpSocket = await openTunnel({
        proxy: route.address,
        ...service,
        timeoutMs,
        secureContext,
        signal,
      });
      return protocol === 'https:' ? await connectService({ ...target, httpSocket }) : httpSocket;
    } catch (error) {
      const isUnreachable = error instanceof ProxyFailure && error.response.status === undefined;
      if (isUnreachable) deadUntil.set(route.address.host, elapsedMs() + deadProxyMs);
      throw error;
    }
  }
  async function connectByFirst(target: Target): Promise<ConnectedSocket> {
    const candidates = await routes(new URL(`${target.protocol}//${target.host ?? target.hostname}`));
    const orderedRoutes = [...candidates.filter((route) => !isDead(route)), ...candidates.filter(isDead)];
    let failure: unknown;
    for (const route of orderedRoutes) {
      try {
        return await connectBy(route, target, connectMs / orderedRoutes.length);
      } catch (error) {
        // A response of a proxy is final; only a proxy that can't be reached gives way to the next route.
        if (!(error instanceof ProxyFailure) || error.response.status !== undefined) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }
  async function report(target: Target, done: buildConnector.Callback): Promise<void> {
    let socket: ConnectedSocket;
    try {
      socket = await connectByFirst(target);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), null);
      return;
    }
    done(null, socket);
  }
  return (target, done) => void report(target, done);
}

function openSocket(
  connect: buildConnector.connector,
  target: Target,
  explain: Access['explain'],
): Promise<ConnectedSocket> {
  return new Promise((resolve, reject) => {
    connect(target, (...[error, socket]) => {
      if (error) {
        reject(explain(error));
        return;
      }
      // With TLS 1.3, a server refuses a client certificate after the handshake. undici only sees the end of the connection.
      socket.once('error', (late) => void socket.destroy(explain(late)));
      resolve(socket);
    });
  });
}
