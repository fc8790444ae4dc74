import { Agent, buildConnector } from 'undici';
import type { SecureContext } from 'node:tls';
import { trustedAuthoritiesAnd } from './certificates.ts';
import { ProxyFailure } from './failures.ts';
import { openTunnel } from './tunnel.ts';
import {
  createRoutes,
  shownProxy,
  type Hop,
  type OwnProxy,
  type ResolveProxy,
  type Routes,
} from './routes.ts';
import { defaultTimeouts, type Timeouts } from './limits.ts';

export interface NetworkOptions {
  /** Where the proxy variables are read; the process's own by default. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Asks the system for the way to an address; the proxy variables say it by default. */
  readonly resolveProxy?: ResolveProxy | undefined;
  /** The connection's own, in the place of both. */
  readonly proxy?: OwnProxy | undefined;
  readonly timeouts?: Timeouts;
  /** Further authorities in PEM, beside the bundled and the system's. */
  readonly authorities?: readonly string[];
  /** Whether any address begins with https: only then certificates are read. */
  readonly tls: boolean;
}

/** The way out of this machine, shared by every request of a connection: proxies, certificates, time to connect. */
export type Network = ReturnType<typeof openNetwork>;

/** @throws AppError `invalid_input` when a proxy variable is malformed */
export function openNetwork(options: NetworkOptions) {
  const timeouts = options.timeouts ?? defaultTimeouts;
  const routes = createRoutes(options.env ?? process.env, options.resolveProxy, undefined, options.proxy);
  const secureContext = options.tls ? trustedAuthoritiesAnd(options.authorities ?? []) : undefined;
  const closing = new AbortController();
  // One request at a time on a connection, and HTTP/1.1 alone: only so is it certain whether a body has left.
  const dispatcher = new Agent({
    allowH2: false,
    pipelining: 1,
    connectTimeout: timeouts.connectMs,
    connect: connectorOver({ routes, secureContext, connectMs: timeouts.connectMs, signal: closing.signal }),
  });
  return {
    dispatcher,
    timeouts,
    routes,
    /** What certificates are checked against; undefined where no address begins with https. */
    secureContext,
    /** Cuts whatever still runs. */
    close(): Promise<void> {
      closing.abort();
      return dispatcher.destroy();
    },
  };
}

interface Connecting {
  readonly routes: Routes;
  readonly secureContext: SecureContext | undefined;
  readonly connectMs: number;
  readonly signal: AbortSignal;
}
type Place = Parameters<buildConnector.connector>[0];
type Connected = NonNullable<Parameters<buildConnector.Callback>[1]>;

/** How long a proxy that could not be reached is left for last, in milliseconds. */
const memoryMs = 300_000;

/** Opens connections by the ways that the routes name; where the first way is dead, the next one is tried. */
function connectorOver({ routes, secureContext, connectMs, signal }: Connecting): buildConnector.connector {
  const connect = buildConnector({
    ...(secureContext ? { secureContext } : {}),
    allowH2: false,
    timeout: connectMs,
  });
  const deadUntil = new Map<string, number>();
  const isDead = (hop: Hop): boolean =>
    hop.kind !== 'direct' && (deadUntil.get(hop.address.host) ?? 0) > performance.now();

  async function by(hop: Hop, place: Place, timeoutMs: number): Promise<Connected> {
    if (hop.kind === 'direct') return connectedBy(connect, place);
    if (hop.kind === 'socks') throw new ProxyFailure({ proxy: shownProxy(hop.address), kind: 'socks' });
    const port = Number(place.port || (place.protocol === 'https:' ? 443 : 80));
    const host = place.hostname.replace(/^\[(.+)\]$/, '$1');
    const tunnel = { proxy: hop.address, host, port, timeoutMs, secureContext, signal };
    try {
      const httpSocket = await openTunnel(tunnel);
      return place.protocol === 'https:' ? await connectedBy(connect, { ...place, httpSocket }) : httpSocket;
    } catch (error) {
      const unreached = error instanceof ProxyFailure && error.answer.status === undefined;
      if (unreached) deadUntil.set(hop.address.host, performance.now() + memoryMs);
      throw error;
    }
  }
  async function byFirst(place: Place): Promise<Connected> {
    const hops = await routes(new URL(`${place.protocol}//${place.host ?? place.hostname}`));
    const ordered = [...hops.filter((hop) => !isDead(hop)), ...hops.filter(isDead)];
    let failure: unknown;
    for (const hop of ordered) {
      try {
        return await by(hop, place, connectMs / ordered.length);
      } catch (error) {
        // What a proxy answers stands; only one that can't be used gives way to the next.
        if (!(error instanceof ProxyFailure) || error.answer.status !== undefined) throw error;
        failure ??= error;
      }
    }
    throw failure;
  }
  async function tell(place: Place, done: buildConnector.Callback): Promise<void> {
    let socket: Connected;
    try {
      socket = await byFirst(place);
    } catch (error) {
      done(error instanceof Error ? error : new Error(String(error)), null);
      return;
    }
    done(null, socket);
  }
  return (place, done) => void tell(place, done);
}

function connectedBy(connect: buildConnector.connector, place: Place): Promise<Connected> {
  return new Promise((resolve, reject) => {
    connect(place, (...[error, socket]) => (error ? reject(error) : resolve(socket)));
  });
}
