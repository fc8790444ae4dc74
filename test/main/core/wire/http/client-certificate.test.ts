import { createPrivateKey } from 'node:crypto';
import { createServer } from 'node:https';
import { createServer as createProxy, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { ClientCertificate } from '../../../../../src/main/core/wire/http/client-certificate.ts';
import { openNetwork, type NetworkOptions } from '../../../../../src/main/core/wire/http/network.ts';
import { probe, type ProbeStep } from '../../../../../src/main/core/wire/http/probe.ts';
import { get, post } from '../../../../../src/main/core/wire/http/exchange.ts';
import { makeCertificates, makePkcs12 } from '../../../../support/certificates.ts';
import { testClock } from '../../../../support/clock.ts';
import { useServers } from '../../../../support/servers.ts';
import { decode, longTimeouts, useHttp } from './support.ts';

const servers = useServers();
const client = useHttp();
const pair = makeCertificates(['wells.example']);
const authorities = [pair.ca];
const passphrase = 'pass-of-the-key';
const encryptedKey = createPrivateKey(pair.key)
  .export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase })
  .toString();

/**
 * A key, and a passphrase of another that decrypts it to bytes whose padding is right: one passphrase in 256 does. This format
 * is the fastest to try.
 */
function misleadingKey(): { key: string; wrong: string } {
  const key = createPrivateKey(pair.key)
    .export({ type: 'sec1', format: 'pem', cipher: 'aes-256-cbc', passphrase })
    .toString();
  for (let tries = 0; ; tries++) {
    const wrong = `another-${tries}`;
    try {
      createPrivateKey({ key, passphrase: wrong });
    } catch (error) {
      if (!/bad decrypt/.test(String(error))) return { key, wrong };
    }
  }
}

/** A key encrypted by DES, which OpenSSL 3 has in a provider of its own. */
const outdatedKey = `-----BEGIN ENCRYPTED PRIVATE KEY-----
${Buffer.from(`302f301b06092a864886f70d010503300e0408${'01'.repeat(8)}020208000410${'02'.repeat(16)}`, 'hex').toString('base64')}
-----END ENCRYPTED PRIVATE KEY-----
`;

const damagedKey = pair.key.replace(/(?<=KEY-----\n).{40}/, 'A'.repeat(40));

const versions = ['TLSv1.2', 'TLSv1.3'] as const;

/** A gateway that accepts certificates of one authority only. */
async function gateway(version: (typeof versions)[number]) {
  const options = { ...pair, ca: [pair.ca], requestCert: true, rejectUnauthorized: true };
  const server = createServer(
    { ...options, minVersion: version, maxVersion: version },
    (_request, response) => {
      response.end('"fine"');
    },
  );
  const { port } = await servers.raw(server);
  return { port, url: `https://127.0.0.1:${port}` };
}

/** A proxy that opens every tunnel. */
async function openProxy() {
  const server = createProxy();
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined);
    const through = connect(Number(request.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(through).pipe(socket);
    });
    through.on('error', () => socket.destroy());
  });
  return servers.raw(server);
}

function certificateFile(
  content: string | Buffer,
  secret: string | null = null,
  key?: string,
): ClientCertificate {
  const certificate = Buffer.from(content);
  const keyContent = key === undefined ? null : Buffer.from(key);
  return {
    name: 'me.p12',
    read: async () => ({ certificate, key: keyContent, passphrase: secret }),
  };
}

async function steps(url: string, network: Partial<NetworkOptions>): Promise<ProbeStep[]> {
  const opened = openNetwork({ env: {}, timeouts: longTimeouts, tls: true, authorities, ...network });
  try {
    const found: ProbeStep[] = [];
    const { signal } = new AbortController();
    for await (const step of probe({ target: new URL(url), service: 'data', network: opened, signal }))
      found.push(step);
    return found;
  } finally {
    await opened.close();
  }
}

describe.each(versions)('a gateway that requires a client certificate, by %s', (version) => {
  it.each<[string, () => ClientCertificate]>([
    ['PKCS#12', () => certificateFile(makePkcs12(pair, passphrase), passphrase)],
    ['PEM with its key', () => certificateFile(`${pair.cert}${pair.key}`)],
    [
      'PEM and an encrypted key in a file of its own',
      () => certificateFile(pair.cert, passphrase, encryptedKey),
    ],
  ])('gets one in %s, directly and through a proxy, in requests and in diagnostics', async (_form, file) => {
    const { url } = await gateway(version);
    const proxy = await openProxy();
    const clientCertificate = file();
    for (const env of [{}, { HTTPS_PROXY: proxy.url }]) {
      const network = { authorities, clientCertificate, env };
      const http = client(url, {}, network);
      await expect(http.read(get('/'), decode)).resolves.toBe('fine');
      await expect(http.read(post('/list/', {}), decode)).resolves.toBe('fine');
      expect((await steps(url, network)).find(({ step }) => step === 'tls')).toMatchObject({ state: 'ok' });
    }
  });

  it('is named if it gets none, and isn’t tried again, directly and through a proxy', async () => {
    const { url } = await gateway(version);
    const proxy = await openProxy();
    for (const env of [{}, { HTTPS_PROXY: proxy.url }]) {
      const clock = testClock();
      const http = client(url, { clock }, { authorities, env });
      const required = {
        code: 'unreachable',
        details: { reason: 'tls', certificate: 'CLIENT_CERTIFICATE_REQUIRED' },
      };
      await expect(http.read(get('/'), decode)).rejects.toMatchObject(required);
      expect(clock.waits).toEqual([]);
      expect(await http.send({ method: 'POST', path: '/', body: Buffer.from('[{}]') })).toMatchObject({
        error: required,
      });
      expect((await steps(url, { env })).find(({ step }) => step === 'tls')).toMatchObject({
        state: 'failed',
        error: required,
      });
    }
  });
});

describe('a client certificate that can’t be used', () => {
  const old = makeCertificates(['old.example'], { until: 2021 });
  const other = makeCertificates(['other.example']);
  it.each<[string, () => ClientCertificate]>([
    ['the passphrase is wrong', () => certificateFile(makePkcs12(pair, passphrase), 'another')],
    ['it needs a passphrase', () => certificateFile(makePkcs12(pair, passphrase))],
    ['the passphrase is wrong', () => certificateFile(pair.cert, 'another', encryptedKey)],
    ['it needs a passphrase', () => certificateFile(pair.cert, null, encryptedKey)],
    [
      'the passphrase is wrong',
      () => {
        const { key, wrong } = misleadingKey();
        return certificateFile(pair.cert, wrong, key);
      },
    ],
    ['its encryption is outdated', () => certificateFile(pair.cert, passphrase, outdatedKey)],
    ['it contains no private key', () => certificateFile(pair.cert)],
    ['it contains no certificate', () => certificateFile(pair.key)],
    ['its key belongs to another certificate', () => certificateFile(pair.cert, null, other.key)],
    ['its certificate expired on 2021-01-01', () => certificateFile(`${old.cert}${old.key}`)],
    ['it contains no readable certificate', () => certificateFile(pair.cert, null, damagedKey)],
    ['it contains no readable certificate', () => certificateFile('a letter')],
    ['it contains no readable certificate', () => certificateFile('')],
  ])('is refused before anything is sent: %s', async (reason, file) => {
    const { url } = await gateway('TLSv1.3');
    const clientCertificate = file();
    const clock = testClock();
    const refusal = {
      code: 'file_unsuitable',
      message: expect.stringContaining(reason),
      details: { file: 'me.p12', wanted: 'client_certificate' },
    };
    const http = client(url, { clock }, { authorities, clientCertificate });
    await expect(http.read(get('/'), decode)).rejects.toMatchObject(refusal);
    expect(clock.waits).toEqual([]);
    const found = await steps(url, { clientCertificate });
    expect(found.find(({ step }) => step === 'tls')).toMatchObject({ state: 'failed', error: refusal });
  });
});
