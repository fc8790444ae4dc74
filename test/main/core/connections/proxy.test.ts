import { createServer, type IncomingMessage } from 'node:http';
import { readFile, writeFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import type { ConnectionDraft } from '../../../../src/shared/connections/connections.ts';
import { createConnections, type Connections } from '../../../../src/main/core/connections/connections.ts';
import { openProfiles } from '../../../../src/main/core/connections/profiles.ts';
import { createFiles, sourceAt } from '../../../../src/main/core/files/files.ts';
import { makeCertificates } from '../../../support/certificates.ts';
import { useFolders } from '../../../support/folders.ts';
import { testKeychain } from '../../../support/keychain.ts';
import { useServers } from '../../../support/servers.ts';

const servers = useServers();
const folders = useFolders();
const opened: Connections[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
});

const password = 'p@ss wörd%40';
const right = `Basic ${Buffer.from(`me:${password}`).toString('base64')}`;

/** A proxy that forwards authorized clients to one port, and logs all of them. */
async function proxyTo(port: number) {
  const seen: (string | undefined)[] = [];
  const server = createServer();
  server.on('connect', ({ headers }: IncomingMessage, socket: Socket) => {
    socket.on('error', () => undefined);
    seen.push(headers['proxy-authorization']);
    if (headers['proxy-authorization'] !== right) {
      socket.end('HTTP/1.1 407 No\r\nproxy-authenticate: Basic realm="x"\r\ncontent-length: 0\r\n\r\n');
      return;
    }
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(through).pipe(socket);
    });
    through.on('error', () => socket.destroy());
  });
  const { port: own } = await servers.raw(server);
  return { address: `127.0.0.1:${own}`, seen };
}

async function world() {
  const pair = makeCertificates(['wells.example']);
  const service = await servers.https(pair, ({ url }) =>
    url.pathname.startsWith('/v2') ? { data: [] } : [],
  );
  const proxy = await proxyTo(service.port);
  const folder = await folders();
  const keychain = testKeychain();
  const files = createFiles();
  const path = join(folder, 'corp.pem');
  await writeFile(path, pair.ca);
  const { token } = await files.grantSource(sourceAt(path));
  const start = (): Connections => {
    const profiles = openProfiles(folder, () => undefined);
    const lockFolder = join(folder, 'locks');
    const connections = createConnections({ env: {}, profiles, keychain, lockFolder, files });
    opened.push(connections);
    return connections;
  };
  const draft = (given: string | undefined): ConnectionDraft => ({
    name: 'North Ridge',
    color: 'blue',
    dataUrl: 'https://wells.example',
    platformUrl: 'https://wells.example',
    credential: { method: 'api_key', apiKey: 'the-secret-key' },
    readOnly: false,
    caFile: token,
    proxy: {
      address: `http://${proxy.address}`,
      user: 'me',
      ...(given === undefined ? {} : { password: given }),
    },
  });
  return { service, proxy, folder, keychain, start, draft, caFile: token };
}

describe('a connection with its own proxy', () => {
  it('uses it with user and password, even after a restart', async () => {
    const { service, folder, keychain, start, draft } = await world();
    const first = start();
    const added = await first.handlers.add(draft(password), {});
    expect(added.proxy).toEqual({ address: expect.stringContaining('127.0.0.1'), user: 'me' });
    expect(service.seen.length).toBeGreaterThan(0);
    await first.close();
    const second = start();
    await second.load();
    await expect(second.services(added.id).data.datasets({})).resolves.toEqual([]);
    expect(second.secrets()).toContain(password);
    // In the keychain, and neither on disk nor in the data for the window.
    expect([...keychain.secrets.values()]).toContain(password);
    const onDisk = await readFile(join(folder, 'connections.json'), 'utf8');
    for (const text of [onDisk, inspect(await second.handlers.list({}, {}), { depth: 9 })])
      expect(text).not.toContain(password);
    await second.handlers.remove({ connection: added.id }, {});
    expect(keychain.secrets.size).toBe(0);
    expect(second.secrets()).not.toContain(password);
  });

  it('isn’t sent to the proxy without the password that the keychain doesn’t give', async () => {
    const { proxy, keychain, start, draft } = await world();
    const { id } = await start().handlers.add(draft(password), {});
    const second = start();
    await second.load();
    const before = proxy.seen.length;
    const { getPassword } = keychain;
    keychain.getPassword = async (service, account) => {
      if (account.endsWith('proxy')) throw new AppError('keychain_unavailable', { trouble: 'denied' });
      return getPassword(service, account);
    };
    const code = { code: 'keychain_unavailable' };
    await expect(second.services(id).data.datasets({})).rejects.toMatchObject(code);
    await expect(second.handlers.duplicate({ connection: id }, {})).rejects.toMatchObject(code);
    expect(proxy.seen).toHaveLength(before);
    keychain.getPassword = getPassword;
    await expect(second.services(id).data.datasets({})).resolves.toEqual([]);
  });

  it('whose key is missing keeps the password that is entered with another one', async () => {
    const { keychain, start, draft } = await world();
    const { id } = await start().handlers.add({ ...draft(undefined), saveAnyway: true }, {});
    keychain.secrets.clear();
    const second = start();
    await second.load();
    await second.handlers.test({ connection: id }, {});
    const { proxy, credential } = draft(password);
    await second.handlers.change({ connection: id, proxy, credential }, {});
    const third = start();
    await third.load();
    await expect(third.services(id).data.datasets({})).resolves.toEqual([]);
  });

  it('says that the keychain didn’t take a password, and stores it with the next credentials', async () => {
    const { keychain, start, draft } = await world();
    const { handlers } = start();
    const added = await handlers.add({ ...draft(undefined), saveAnyway: true }, {});
    expect(added).toMatchObject({ secret: 'keychain' });
    expect(added.extraKeychain).toBeUndefined();
    keychain.trouble = 'locked';
    const { proxy, credential } = draft(password);
    const changed = await handlers.change({ connection: added.id, proxy }, {});
    expect(changed).toMatchObject({ secret: 'keychain', extraKeychain: 'locked' });
    // The key itself can be read.
    expect(changed.keychain).toBeUndefined();
    keychain.trouble = null;
    const { extraKeychain: trouble } = await handlers.authenticate({ connection: added.id, credential }, {});
    expect(trouble).toBeUndefined();
    expect([...keychain.secrets.values()]).toContain(password);
  });

  it('for this session only stores no password that is entered later', async () => {
    const { keychain, start, draft } = await world();
    const { handlers } = start();
    const { id } = await handlers.add({ ...draft(undefined), remember: false, saveAnyway: true }, {});
    const { proxy, credential } = draft(password);
    await handlers.change({ connection: id, proxy, credential }, {});
    expect(keychain.secrets.size).toBe(0);
  });

  it('with a wrong password stores nothing, and names the setting to correct', async () => {
    const { keychain, start, draft } = await world();
    const { handlers } = start();
    const adding = handlers.add(draft('wrong one'), {});
    await expect(adding).rejects.toMatchObject({ code: 'unreachable', details: { reason: 'proxy' } });
    await expect(adding).rejects.not.toThrow(/wrong one/);
    expect(await handlers.list({}, {})).toEqual([]);
    expect(keychain.secrets.size).toBe(0);
  });

  it('doesn’t send its key through a new proxy that could read it unless the user enters the key again', async () => {
    const { service, start, draft, caFile } = await world();
    const other = await proxyTo(service.port);
    const { handlers } = start();
    const { id } = await handlers.add(draft(password), {});
    const proxy = { address: `http://${other.address}` };
    const refused = { code: 'invalid_input', details: { issues: [{ place: { field: 'credential' } }] } };
    // With a certificate that the connection already trusts, and in the other order, in two steps.
    await expect(handlers.change({ connection: id, proxy }, {})).rejects.toMatchObject(refused);
    await expect(handlers.test({ change: { connection: id, proxy } }, {})).rejects.toMatchObject(refused);
    await handlers.change({ connection: id, proxy, caFile: null }, {});
    await expect(handlers.change({ connection: id, caFile }, {})).rejects.toMatchObject(refused);
    await handlers.change({ connection: id, proxy: null }, {});
    await handlers.change({ connection: id, caFile }, {});
    await expect(handlers.change({ connection: id, proxy }, {})).rejects.toMatchObject(refused);
    expect(other.seen).toEqual([]);
  });

  it('keeps the password while proxy and user stay the same, and sends it to no other proxy', async () => {
    const { service, keychain, proxy, start, draft } = await world();
    const other = await proxyTo(service.port);
    const { handlers } = start();
    const { id } = await handlers.add(draft(password), {});
    const same = { address: `http://${proxy.address}`, user: 'me' };
    await handlers.change({ connection: id, name: 'South', proxy: same }, {});
    expect([...keychain.secrets.values()]).toContain(password);
    const credential = { method: 'api_key', apiKey: 'the-secret-key' } as const;
    const otherProxy = { address: `http://${other.address}`, user: 'me' };
    await handlers.change({ connection: id, proxy: otherProxy, credential, saveAnyway: true }, {});
    const { data } = await handlers.test({ connection: id }, {});
    expect(data).toMatchObject({ ok: false, code: 'unreachable' });
    expect(other.seen).not.toContain(right);
    expect([...keychain.secrets.values()]).not.toContain(password);
    await expect(handlers.change({ connection: id, proxy: null }, {})).resolves.toMatchObject({
      proxy: undefined,
    });
  });
});
