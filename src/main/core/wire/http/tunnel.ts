import { onAbort } from '../../../../shared/abort.ts';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { SecureContext } from 'node:tls';
import type { ProxyResponse } from '../../../../shared/errors/errors.ts';
import { ProxyFailure } from './failures.ts';
import { plainHost, portOf, shownProxy } from './routes.ts';
import { decodePart } from './redact.ts';
import { clearTimeout, setTimeout } from '../../../world/time.ts';

export interface TunnelOptions {
  readonly proxy: URL;
  /** Host and port of the service. */
  readonly host: string;
  readonly port: number;
  readonly timeoutMs: number;
  readonly secureContext: SecureContext | undefined;
  readonly signal: AbortSignal;
}

/**
 * Opens a tunnel through a proxy (CONNECT). TLS runs inside it, end to end.
 * @throws ProxyFailure with the proxy's response
 */
export function openTunnel(options: TunnelOptions): Promise<Socket> {
  const { proxy, timeoutMs, signal } = options;
  return new Promise((resolve, reject) => {
    const request = sendConnect(options);
    const timer = setTimeout(() => request.destroy(new Error('the proxy didn’t respond')), timeoutMs);
    const stop = onAbort(signal, () => void request.destroy(new Error('closed')));
    const fail = (response: Omit<ProxyResponse, 'proxy'>): void =>
      reject(new ProxyFailure({ proxy: shownProxy(proxy), ...response }));
    const cleanUp = (): void => {
      clearTimeout(timer);
      stop();
    };
    request.once('error', () => {
      cleanUp();
      fail({});
    });
    const onResponse = (response: IncomingMessage, socket: Socket, head: Buffer): void => {
      cleanUp();
      if (response.statusCode === 200) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
        return;
      }
      socket.destroy();
      fail(readRefusal(response, proxy.username !== ''));
    };
    request.once('connect', onResponse);
    // A proxy that sends an ordinary response to CONNECT opened no tunnel.
    request.once('response', (response) => onResponse(response, response.socket, Buffer.alloc(0)));
    request.end();
  });
}

function sendConnect({ proxy, host, port, secureContext }: TunnelOptions): ClientRequest {
  const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  const authorization = authorizationOf(proxy);
  const options = {
    agent: false,
    host: plainHost(proxy.hostname),
    port: portOf(proxy),
    method: 'CONNECT',
    path: target,
    headers: {
      host: target,
      'user-agent': 'Wellbench',
      ...(authorization === null ? {} : { 'proxy-authorization': authorization }),
    },
  };
  // Not imported: Node would load all that `node:http` has, its own fetch included, and each start would feel that.
  if (proxy.protocol === 'http:') return process.getBuiltinModule('node:http').request(options);
  const { request } = process.getBuiltinModule('node:https');
  return request({ ...options, ...(secureContext ? { secureContext } : {}) });
}

function authorizationOf({ username, password }: URL): string | null {
  if (username === '') return null;
  const pair = [username, password].map(decodePart).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}

function readRefusal(response: IncomingMessage, gaveLogin: boolean): Omit<ProxyResponse, 'proxy'> {
  const status = response.statusCode ?? 0;
  if (status !== 407) return { status };
  const { rawHeaders } = response;
  const challenges = rawHeaders.filter(
    (_text, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === 'proxy-authenticate',
  );
  return { status, asks: [...new Set(challenges.flatMap(parseSchemes))], gaveLogin };
}

/** `Negotiate, NTLM, Basic realm="x"` has three schemes. */
function parseSchemes(challenge: string): string[] {
  const matches = challenge.matchAll(/(?:^|,)\s*([a-z][\w-]{0,30})(?=\s*,|\s*$|\s+[^\s=,])/gi);
  return [...matches].map(([, scheme = '']) => scheme.toLowerCase());
}
