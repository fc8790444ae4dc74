import { lookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { rootCertificates, connect as connectTls, type TLSSocket } from 'node:tls';
import { X509Certificate } from 'node:crypto';
import type { ShownCertificate } from '../../../../shared/contract/connections.ts';
import { abortable } from '../../../../shared/abort.ts';
import { AppError, type ServiceName } from '../../../../shared/errors/errors.ts';
import { chainOf, summarizeCertificate } from './certificates.ts';
import { classifyFailure, ProxyFailure, WireFailure } from './failures.ts';
import type { Network } from './network.ts';
import { plainHost, portOf, shownProxy, withTimeout, type Route } from './routes.ts';
import { openTunnel } from './tunnel.ts';
import { clearTimeout, elapsedMs, setTimeout, wallMs } from '../../../world/time.ts';

export interface ProbeStep {
  readonly step: 'name' | 'proxy' | 'tcp' | 'tls';
  readonly state: 'ok' | 'failed' | 'skipped';
  readonly ms: number;
  readonly found: string;
  readonly error: AppError | null;
  /** A warning about a step that succeeded. */
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
 * Tests the connection to a service step by step: name, proxy, TCP, TLS. It sends no request. Steps after a
 * failed one are skipped.
 * @throws AppError `cancelled` when the signal aborts
 */
export async function* probe(options: ProbeOptions): AsyncGenerator<ProbeStep> {
  const steps = new Probe(options);
  try {
    yield await steps.name();
    yield await steps.proxy();
    yield await steps.tcp();
    yield await steps.tls();
  } finally {
    steps.end();
  }
}

type StepFindings = Omit<ProbeStep, 'step' | 'ms' | 'error' | 'state'>;

/** A certificate that expires within this many days gets a warning. */
const expiryWarningDays = 21;
/** Servers without sessions say nothing after the handshake, in milliseconds. */
const maxRefusalMs = 1500;

class Probe {
  readonly #options: ProbeOptions;
  readonly #host: string;
  readonly #port: number;
  #route: Route = { kind: 'direct' };
  #socket: Socket | null = null;
  #hasFailed = false;

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
    const [route] = await network.routes(target);
    this.#route = route ?? this.#route;
    if (this.#route.kind !== 'direct') return skipped('name', 'The proxy resolves the name.');
    if (isIP(this.#host) !== 0) return skipped('name', 'The address is an IP address; no name to resolve.');
    return this.#step('name', async () => {
      const addresses = await lookup(this.#host, { all: true });
      return { found: `${this.#host} is ${addresses.map(({ address }) => address).join(', ')}.` };
    });
  }

  async proxy(): Promise<ProbeStep> {
    const route = this.#route;
    if (route.kind === 'direct') return skipped('proxy', `No proxy is used for ${this.#host}.`);
    const { network, signal } = this.#options;
    return this.#step('proxy', async () => {
      if (route.kind === 'socks') throw new ProxyFailure({ proxy: shownProxy(route.address), kind: 'socks' });
      this.#socket = await openTunnel({
        proxy: route.address,
        host: this.#host,
        port: this.#port,
        timeoutMs: network.timeouts.connectMs,
        secureContext: network.secureContext,
        signal,
      });
      return { found: `The proxy ${shownProxy(route.address)} opened a tunnel to ${this.#host}.` };
    });
  }

  async tcp(): Promise<ProbeStep> {
    if (this.#hasFailed) return notReached('tcp');
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
    const tcpSocket = this.#socket;
    if (this.#hasFailed || !tcpSocket) return notReached('tls');
    if (target.protocol === 'http:')
      return skipped('tls', 'The address begins with http://, so TLS isn’t used.');
    let certificate: ShownCertificate | undefined;
    const step = await this.#step('tls', async () => {
      const secureContext = await network.serviceContext();
      const socket = connectTls({
        socket: tcpSocket,
        servername: isIP(this.#host) === 0 ? this.#host : '',
        host: this.#host,
        // The test reports an invalid certificate instead of failing without it; no request is sent.
        rejectUnauthorized: false,
        ALPNProtocols: ['http/1.1'],
        ...(secureContext ? { secureContext } : {}),
      });
      this.#socket = socket;
      await this.#event(socket, 'secureConnect');
      const chain = chainOf(socket);
      certificate = summarizeCertificate(chain);
      if (!socket.authorized) throw untrustedError(socket);
      if (socket.getProtocol() === 'TLSv1.3') await this.#lateRefusal(socket);
      const { clientCertificate: name } = network;
      const shownName = name === undefined ? '' : `; the client certificate is ${name}`;
      const sentence = `${describeCertificate(socket, certificate, chain)}${shownName}.`;
      return { found: sentence, advice: expiryAdvice(certificate) };
    });
    return { ...step, certificate };
  }

  #errorDetails(): { service: ServiceName; host: string } {
    return { service: this.#options.service, host: this.#options.target.host };
  }

  async #step(step: ProbeStep['step'], runStep: () => Promise<StepFindings>): Promise<ProbeStep> {
    const startedAt = elapsedMs();
    const ms = () => Math.round(elapsedMs() - startedAt);
    try {
      const timedOut = () => new AppError('unreachable', { ...this.#errorDetails(), reason: 'timeout' });
      const { network, signal } = this.#options;
      const findings = await withTimeout(abortable(runStep(), signal), network.timeouts.connectMs, timedOut);
      return { step, state: 'ok', ms: ms(), error: null, ...findings };
    } catch (cause) {
      if (this.#options.signal.aborted) throw new AppError('cancelled', {});
      this.#hasFailed = true;
      const { service, host } = this.#errorDetails();
      const rawError = this.#options.network.explain(
        cause instanceof Error ? cause : new Error(String(cause)),
      );
      const error =
        cause instanceof AppError
          ? cause
          : classifyFailure(new WireFailure(false, { kind: 'broken', error: rawError }), service, host).error;
      return { step, state: 'failed', ms: ms(), found: error.message, error };
    }
  }

  /** With TLS 1.3, a server refuses a client certificate after the handshake, instead of sending a session. */
  #lateRefusal(socket: TLSSocket): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(resolve, maxRefusalMs);
      const end = (error?: Error) => {
        clearTimeout(timer);
        if (error) reject(error);
        else resolve();
      };
      socket.once('session', () => end());
      socket.once('error', end);
      socket.once('close', () => end());
    });
  }

  #event(socket: Socket, name: 'connect' | 'secureConnect'): Promise<void> {
    return new Promise((resolve, reject) => {
      socket.once(name, () => resolve());
      // Remains registered, because an unhandled later error would end the process.
      socket.on('error', reject);
      socket.once('close', () => reject(Object.assign(new Error('closed'), { code: 'ECONNRESET' })));
    });
  }
}

function skipped(step: ProbeStep['step'], found: string): ProbeStep {
  return { step, state: 'skipped', ms: 0, found, error: null };
}

const notReached = (step: ProbeStep['step']): ProbeStep => skipped(step, 'Not reached.');

function untrustedError({ authorizationError }: TLSSocket): Error {
  // The typings say Error; Node sets the code as a string.
  const rawCode: unknown = authorizationError;
  const code = rawCode instanceof Error && 'code' in rawCode ? rawCode.code : rawCode;
  return Object.assign(new Error('the certificate isn’t trusted'), { code: String(code) });
}

const bundledFingerprints = new Set<string>();

function isPublic(root: X509Certificate): boolean {
  if (bundledFingerprints.size === 0)
    for (const pem of rootCertificates) bundledFingerprints.add(new X509Certificate(pem).fingerprint256);
  return bundledFingerprints.has(root.fingerprint256);
}

function describeCertificate(
  socket: TLSSocket,
  certificate: ShownCertificate | undefined,
  chain: readonly X509Certificate[],
): string {
  const protocol = socket.getProtocol() ?? 'TLS';
  if (!certificate) return `${protocol}; the server sent no certificate`;
  const top = chain.at(-1);
  const authority =
    top && !isPublic(top)
      ? 'an authority of this company or computer, so HTTPS traffic may be inspected'
      : 'a public authority';
  return `${protocol}; the certificate of ${certificate.subject} was signed by ${certificate.issuer} (${authority}), and expires on ${certificate.until.slice(0, 10)}`;
}

function expiryAdvice(certificate: ShownCertificate | undefined): string | undefined {
  const days = certificate ? (Date.parse(certificate.until) - wallMs()) / 86_400_000 : expiryWarningDays + 1;
  return days > expiryWarningDays ? undefined : 'The certificate expires soon. Tell the service’s operator.';
}
