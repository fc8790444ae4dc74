import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import { makeCertificates } from '../../../../support/certificates.ts';
import { useServers } from '../../../../support/servers.ts';
import { useServices } from '../../../../support/services.ts';

const servers = useServers();
const open = useServices();
const pair = makeCertificates(['data.example', 'platform.example']);
const login = { method: 'login', email: 'me@company.example', password: 'correct horse battery' } as const;

/** Both services over TLS, signed by a private authority, behind a proxy that requires a user and a password. */
async function company() {
  const server = await servers.https(pair, ({ url, headers }, response) => {
    if (url.pathname === '/v1/user_token') return { jwt: 'a-token', refresh_token: 'r', user_id: 1 };
    if (headers.authorization !== 'Bearer a-token') response.statusCode = 401;
    return url.pathname.startsWith('/v2') ? { data: [] } : [];
  });
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on('connect', ({ url = '', headers }: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined);
    if (headers['proxy-authorization'] !== `Basic ${btoa('me:p@ss')}`) {
      socket.end('HTTP/1.1 407 No\r\nproxy-authenticate: Basic realm="corp"\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    tunnels.push(url);
    const through = connect(server.port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(through).pipe(socket);
    });
    through.on('error', () => socket.destroy());
  });
  const { port } = await servers.raw(proxy);
  return { server, tunnels, port };
}
const addresses = { platformUrl: 'https://platform.example', credential: login };

describe('one network policy for every request, including tokens', () => {
  it('sign-in, lists, and records use the same proxy and private authority', async () => {
    const { server, tunnels, port } = await company();
    const env = { HTTPS_PROXY: `http://me:p%40ss@127.0.0.1:${port}` };
    const services = open('https://data.example', { ...addresses, env, authorities: [pair.ca] });
    await Promise.all([services.data.datasets({}), services.platform.list('wells', {})]);
    expect(new Set(tunnels)).toEqual(new Set(['platform.example:443', 'data.example:443']));
    expect(server.seen[0]?.url.pathname).toBe('/v1/user_token');
    expect(server.seen.every(({ headers }) => headers['proxy-authorization'] === undefined)).toBe(true);
  });

  it('neither a password nor a token is sent to an untrusted host, or past the proxy', async () => {
    const { server, port } = await company();
    const through = (login: string) => ({ HTTPS_PROXY: `http://${login}127.0.0.1:${port}` });
    const untrusted = open('https://data.example', { ...addresses, env: through('me:p%40ss@') });
    await expect(untrusted.data.datasets({})).rejects.toMatchObject({ details: { reason: 'tls' } });
    const refused = open('https://data.example', { ...addresses, env: through(''), authorities: [pair.ca] });
    await expect(refused.data.datasets({})).rejects.toMatchObject({
      details: { reason: 'proxy', proxy: { status: 407, asks: ['basic'], gaveLogin: false } },
    });
    expect(server.seen).toEqual([]);
  });
});
