import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { ProxyAnswer } from '../../shared/errors/errors.ts';
import { ProxyFailure } from './failures.ts';
import { portOf, shownProxy } from './routes.ts';

export interface TunnelOptions {
  readonly proxy: URL;
  /** Name and port at the other end. */
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  readonly secureContext: SecureContext | undefined;
  readonly signal: AbortSignal;
}

/**
 * Asks a proxy for a tunnel: what goes through it, TLS included, is between us and the service.
 * @throws ProxyFailure, which says what the proxy answered
 */
export function openTunnel(options: TunnelOptions): Promise<Socket> {
  const { proxy, timeoutMs, signal } = options;
  return new Promise((resolve, reject) => {
    const request = ask(options);
    const timer = setTimeout(() => request.destroy(new Error('the proxy didn’t respond')), timeoutMs);
    const giveUp = (): void => void request.destroy(new Error('closed'));
    signal.addEventListener('abort', giveUp, { once: true });
    const fail = (answer: Omit<ProxyAnswer, 'proxy'>): void =>
      reject(new ProxyFailure({ proxy: shownProxy(proxy), ...answer }));
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', giveUp);
    };
    request.once('error', () => {
      done();
      fail({});
    });
    const answered = (answer: IncomingMessage, socket: Socket, head: Buffer): void => {
      done();
      if (answer.statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      fail(refusalIn(answer, proxy.username !== ''));
    };
    request.once('connect', answered);
    // A proxy that answers CONNECT like any other request is none.
    request.once('response', (answer) => answered(answer, answer.socket, Buffer.alloc(0)));
    request.end();
  });
}

function ask({ proxy, host, port, secureContext }: TunnelOptions): ClientRequest {
  const place = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const login = loginOf(proxy);
  const options = {
    agent: false,
    host: proxy.hostname.replace(/^\[(.+)\]$/, '$1'),
    port: portOf(proxy),
    method: 'CONNECT',
    path: place,
    headers: {
      host: place,
      'user-agent': 'Wellbench',
      ...(login === null ? {} : { 'proxy-authorization': login }),
    },
  };
  if (proxy.protocol === 'http:') return httpRequest(options);
  return httpsRequest({ ...options, ...(secureContext ? { secureContext } : {}) });
}

function loginOf({ username, password }: URL): string | null {
  if (username === '') return null;
  const pair = [username, password].map(decoded).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

/** A password with a sign that is no escape, such as `100%`, is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function refusalIn(answer: IncomingMessage, gaveLogin: boolean): Omit<ProxyAnswer, 'proxy'> {
  const status = answer.statusCode ?? 0;
  if (status !== 407) return { status };
  const { rawHeaders } = answer;
  const challenges = rawHeaders.filter(
    (_text, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'proxy-authenticate',
  );
  return { status, asks: [...new Set(challenges.flatMap(schemesIn))], gaveLogin };
}

/** `Negotiate, NTLM, Basic realm="x"` asks for three. */
function schemesIn(challenge: string): string[] {
  const found = challenge.matchAll(/(?:^|,)\s*([a-z][\w-]{0,30})(?=\s*,|\s*$|\s+[^\s=,])/gi);
  return [...found].map(([, scheme = '']) => scheme.toLowerCase());
}
