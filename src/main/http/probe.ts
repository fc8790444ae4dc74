import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { rootCertificates, connect as connectTls, type TLSSocket } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import { AppError, toAppError, type ServiceName } from '../../shared/errors/errors.ts';
import { chainOf, shownCertificate, type ShownCertificate } from './certificates.ts';
import { judge, WireFailure } from './failures.ts';
import type { Network } from './network.ts';
import { plainHost } from './proxies.ts';
import { portOf, shownProxy, type Hop } from './routes.ts';
import { openTunnel } from './tunnel.ts';

/** One step of the way to a service, looked at by itself. */
export interface ProbeStep {
  readonly step: 'name' | 'proxy' | 'tcp' | 'tls';
  readonly state: 'ok' | 'failed' | 'skipped';
  readonly ms: number;
  readonly found: string;
  readonly error: AppError | null;
  /** What to look out for although nothing failed. */
  readonly advice?: string | undefined;
  readonly certificate?: ShownCertificate | undefined;
}

export interface ProbeOptions {
  readonly target: URL;
  readonly service: ServiceName;
  readonly network: Network;
  readonly signal: AbortSignal;
}

/**
 * Goes the way to a service step by step as a request would: name, proxy, TCP, TLS. Nothing is sent to the service.
 * What comes after a step that failed is skipped.
 * @throws AppError `cancelled` alone
 */
export async function* probe(options: ProbeOptions): AsyncGenerator<ProbeStep> {
  const walk = new Walk(options);
  try {
    yield await walk.name();
    yield await walk.proxy();
    yield await walk.tcp();
    yield await walk.tls();
  } finally {
    walk.end();
  }
}

type Look = Omit<ProbeStep, 'step' | 'ms' | 'error' | 'state'>;

/** Days before its end at which a certificate is worth a word. */
const soon = 21;

class Walk {
  readonly #options: ProbeOptions;
  readonly #host: string;
  readonly #port: number;
  #hop: Hop = { kind: 'direct' };
  #socket: Socket | null = null;
  #failed = false;

  constructor(options: ProbeOptions) {
    this.#options = options;
    this.#host = plainHost(options.target.hostname);
    this.#port = portOf(options.target);
  }

  end(): void {
    this.#socket?.destroy();
  }

  async name(): Promise<ProbeStep> {
    const { network, target } = this.#options;
    const [hop] = await network.routes(target);
    this.#hop = hop ?? this.#hop;
    if (this.#hop.kind !== 'direct') return skipped('name', 'The proxy resolves the name.');
    if (isIP(this.#host) !== 0) return skipped('name', 'The address is an IP address; no name to resolve.');
    return this.#step('name', async () => {
      const found = await lookup(this.#host, { all: true });
      return { found: `${this.#host} is ${found.map(({ address }) => address).join(', ')}.` };
    });
  }

  async proxy(): Promise<ProbeStep> {
    const hop = this.#hop;
    if (hop.kind === 'direct') return skipped('proxy', `No proxy is used for ${this.#host}.`);
    if (hop.kind === 'socks') {
      const proxy = { proxy: shownProxy(hop.address), kind: 'socks' as const };
      const error = new AppError('unreachable', { ...this.#about(), reason: 'proxy', proxy });
      return this.#step('proxy', () => Promise.reject(error));
    }
    const { network, signal } = this.#options;
    return this.#step('proxy', async () => {
      this.#socket = await openTunnel({
        proxy: hop.address,
        host: this.#host,
        port: this.#port,
        timeoutMs: network.timeouts.connectMs,
        secureContext: network.secureContext,
        signal,
      });
      return { found: `The proxy ${shownProxy(hop.address)} opened a tunnel to ${this.#host}.` };
    });
  }

  async tcp(): Promise<ProbeStep> {
    if (this.#failed) return notReached('tcp');
    if (this.#socket) return skipped('tcp', 'Covered by the proxy’s tunnel.');
    return this.#step('tcp', async () => {
      const socket = connectTcp({ host: this.#host, port: this.#port });
      this.#socket = socket;
      await this.#event(socket, 'connect');
      return { found: `Connected to ${socket.remoteAddress ?? this.#host}, port ${this.#port}.` };
    });
  }

  async tls(): Promise<ProbeStep> {
    const { target, network } = this.#options;
    if (this.#failed || !this.#socket) return notReached('tls');
    if (target.protocol === 'http:')
      return skipped('tls', 'The address begins with http://: there is no TLS.');
    const socket = connectTls({
      socket: this.#socket,
      servername: isIP(this.#host) === 0 ? this.#host : '',
      host: this.#host,
      // What is wrong with a certificate is to be told, with the certificate; nothing is sent.
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
      ...(network.secureContext ? { secureContext: network.secureContext } : {}),
    });
    this.#socket = socket;
    let certificate: ShownCertificate | undefined;
    const step = await this.#step('tls', async () => {
      await this.#event(socket, 'secureConnect');
      const chain = chainOf(socket);
      certificate = shownCertificate(chain);
      if (!socket.authorized) throw refusedBy(socket);
      return { found: inWords(socket, certificate, chain), advice: endsSoon(certificate) };
    });
    return { ...step, certificate };
  }

  #about(): { service: ServiceName; host: string } {
    return { service: this.#options.service, host: this.#options.target.host };
  }

  async #step(step: ProbeStep['step'], look: () => Promise<Look>): Promise<ProbeStep> {
    const began = performance.now();
    const ms = () => Math.round(performance.now() - began);
    try {
      return { step, state: 'ok', ms: ms(), error: null, ...(await this.#inTime(look())) };
    } catch (thrown) {
      if (this.#options.signal.aborted) throw new AppError('cancelled', {});
      this.#failed = true;
      const { service, host } = this.#about();
      const broken = thrown instanceof Error ? thrown : new Error(String(thrown));
      const error =
        thrown instanceof AppError
          ? thrown
          : judge(new WireFailure(false, { kind: 'broken', error: broken }), service, host).error;
      return { step, state: 'failed', ms: ms(), found: toAppError(error).message, error };
    }
  }

  async #inTime<T>(work: Promise<T>): Promise<T> {
    const { network, signal } = this.#options;
    const { promise, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(new AppError('unreachable', { ...this.#about(), reason: 'timeout' }));
    }, network.timeouts.connectMs);
    const leave = (): void => reject(new AppError('cancelled', {}));
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      return await Promise.race([work, promise]);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', leave);
    }
  }

  #event(socket: Socket, name: 'connect' | 'secureConnect'): Promise<void> {
    return new Promise((resolve, reject) => {
      socket.once(name, () => resolve());
      // Stays for errors that come later: nobody waits for them.
      socket.on('error', reject);
      socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    });
  }
}

function skipped(step: ProbeStep['step'], found: string): ProbeStep {
  return { step, state: 'skipped', ms: 0, found, error: null };
}

const notReached = (step: ProbeStep['step']): ProbeStep => skipped(step, 'Not reached.');

/** Why TLS does not trust the other side, as an error with the code of it. */
function refusedBy({ authorizationError }: TLSSocket): Error {
  // The typings say Error; what comes is the code of it.
  const said: unknown = authorizationError;
  const code = said instanceof Error && 'code' in said ? said.code : said;
  return Object.assign(new Error('the certificate isn’t trusted'), { code: String(code) });
}

const bundled = new Set<string>();

function isPublic(root: X509Certificate): boolean {
  if (bundled.size === 0)
    for (const pem of rootCertificates) bundled.add(new X509Certificate(pem).fingerprint256);
  return bundled.has(root.fingerprint256);
}

function inWords(
  socket: TLSSocket,
  shown: ShownCertificate | undefined,
  chain: readonly X509Certificate[],
): string {
  const protocol = socket.getProtocol() ?? 'TLS';
  if (!shown) return `${protocol}; no certificate was shown.`;
  const top = chain.at(-1);
  const whose =
    top && !isPublic(top)
      ? 'an authority of this company or computer, so HTTPS traffic may be inspected'
      : 'a public authority';
  return `${protocol}; the certificate of ${shown.subject} was signed by ${shown.issuer} (${whose}), and expires on ${shown.until.slice(0, 10)}.`;
}

function endsSoon(shown: ShownCertificate | undefined): string | undefined {
  const days = shown ? (Date.parse(shown.until) - Date.now()) / 86_400_000 : soon + 1;
  if (days > soon) return undefined;
  return `The certificate expires in ${Math.max(0, Math.floor(days))} days. Tell the service's operator.`;
}
