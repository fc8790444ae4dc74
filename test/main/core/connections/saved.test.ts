import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import type { Connection, ConnectionDraft } from '../../../../src/shared/connections/connections.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import {
  createConnections,
  type Connections,
  type ConnectionsOptions,
} from '../../../../src/main/core/connections/connections.ts';
import { openProfiles } from '../../../../src/main/core/connections/profiles.ts';
import { createFiles, sourceAt } from '../../../../src/main/core/files/files.ts';
import { makeCertificates } from '../../../support/certificates.ts';
import { useFolders } from '../../../support/folders.ts';
import { testKeychain, type TestKeychain } from '../../../support/keychain.ts';
import { account, loginService } from '../../../support/login-service.ts';
import { useServers } from '../../../support/servers.ts';

const servers = useServers();
const folders = useFolders();
const opened: Connections[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
});

const secret = 'the-secret-key';
const keyOf = (apiKey: string) => ({ method: 'api_key', apiKey }) as const;
const files = createFiles();

/** Connections of a process, over a folder and a keychain that other processes share. */
function start(folder: string, keychain: TestKeychain, more: Partial<ConnectionsOptions> = {}): Connections {
  const connections = createConnections({
    env: {},
    profiles: openProfiles(folder, () => undefined),
    keychain,
    lockFolder: join(folder, 'locks'),
    files,
    ...more,
  });
  opened.push(connections);
  return connections;
}

const draft = (url: string, more: Partial<ConnectionDraft> = {}): ConnectionDraft => ({
  name: 'North Ridge',
  color: 'amber',
  dataUrl: url,
  platformUrl: url,
  credential: keyOf(secret),
  readOnly: false,
  ...more,
});

async function world() {
  const service = await loginService(servers);
  service.state.keys.add(secret);
  const folder = await folders();
  const keychain = testKeychain();
  const onDisk = () => readFile(join(folder, 'connections.json'), 'utf8');
  return { service, folder, keychain, onDisk, first: start(folder, keychain) };
}

const ask = (connections: Connections, id: string) => connections.services(id).data.datasets({});
const onlyConnection = async (connections: Connections): Promise<Connection> => {
  const [only, ...others] = await connections.handlers.list({}, {});
  expect(others).toEqual([]);
  if (!only) throw new Error('there is none');
  return only;
};

describe('a saved connection', () => {
  it('exists after a restart, with its credentials in the keychain and nowhere else', async () => {
    const { service, folder, keychain, onDisk, first } = await world();
    const added = await first.handlers.add(draft(service.url, { readOnly: true }), {});
    expect(added).toMatchObject({ name: 'North Ridge', color: 'amber', secret: 'keychain', saved: true });
    await first.close();
    const second = start(folder, keychain);
    await second.load();
    expect(second.get(added.id)).toEqual(added);
    // Listing connections doesn't access the keychain, which may prompt the user.
    const before = keychain.asked;
    expect(await onlyConnection(second)).toEqual(added);
    expect(keychain.asked).toBe(before);
    await ask(second, added.id);
    expect(service.seen.at(-1)?.headers.authorization).toBe(`API ${secret}`);
    expect(await onDisk()).not.toContain(secret);
  });

  it('with a locked keychain is used in this session, and requires its credentials in the next', async () => {
    const { service, folder, keychain, first } = await world();
    keychain.trouble = 'absent';
    const { id, secret: place, keychain: why } = await first.handlers.add(draft(service.url), {});
    expect([place, why]).toEqual(['session', 'absent']);
    await ask(first, id);
    await first.close();
    const second = start(folder, keychain);
    expect(await onlyConnection(second)).toMatchObject({ id, secret: 'missing' });
    await expect(ask(second, id)).rejects.toMatchObject({ code: 'keychain_unavailable' });
    keychain.trouble = null;
    await expect(ask(second, id)).rejects.toMatchObject({ details: { why: 'secret_missing' } });
    await second.handlers.authenticate({ connection: id, credential: keyOf(secret) }, {});
    expect(await onlyConnection(second)).toMatchObject({ secret: 'keychain' });
    await ask(second, id);
  });

  it('never sends its earlier credentials to a new address that has new ones', async () => {
    const { service, first } = await world();
    const other = await loginService(servers);
    other.state.keys.add('the-other-key');
    const { id } = await first.handlers.add(draft(service.url), {});
    await ask(first, id);
    // What follows the connection asks as soon as it has another address.
    const asks = (async () => {
      while (other.seen.length < 3) {
        await ask(first, id).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve));
      }
    })();
    const addresses = { dataUrl: other.url, platformUrl: other.url };
    await first.handlers.change({ connection: id, ...addresses, credential: keyOf('the-other-key') }, {});
    await asks;
    expect(other.seen.map(({ headers }) => headers.authorization)).not.toContain(`API ${secret}`);
  });

  it('never sends them there in another process either, nor where the keychain refuses the new ones', async () => {
    const { service, folder, keychain, first } = await world();
    const other = await loginService(servers);
    other.state.keys.add('the-other-key');
    const { id } = await first.handlers.add(draft(service.url), {});
    const addresses = { dataUrl: other.url, platformUrl: other.url };
    const change = { connection: id, ...addresses, credential: keyOf('the-other-key') };
    keychain.trouble = 'denied';
    await expect(first.handlers.change(change, {})).rejects.toMatchObject({ code: 'keychain_unavailable' });
    keychain.trouble = null;
    const second = start(folder, keychain);
    await second.load();
    expect(await onlyConnection(second)).toMatchObject({ dataUrl: service.url, secret: 'keychain' });
    // A keychain that takes no new entry, and a process that looks at the moment of the new address.
    const { setPassword } = keychain;
    const refusals: unknown[] = [];
    keychain.setPassword = async () => {
      const third = start(folder, keychain);
      await third.load();
      refusals.push(await ask(third, id).catch((error: unknown) => error));
      throw new AppError('keychain_unavailable', { trouble: 'denied' });
    };
    await first.handlers.change(change, {});
    expect(refusals).toEqual([
      expect.objectContaining({ details: expect.objectContaining({ why: 'secret_missing' }) as unknown }),
    ]);
    keychain.setPassword = setPassword;
    const later = start(folder, keychain);
    await later.load();
    await expect(ask(later, id)).rejects.toMatchObject({ details: { why: 'secret_missing' } });
    expect(other.seen.map(({ headers }) => headers.authorization)).not.toContain(`API ${secret}`);
  });

  it('stays at its address while the keychain keeps earlier credentials that it couldn’t replace', async () => {
    const { service, folder, keychain, first } = await world();
    const other = await loginService(servers);
    for (const key of ['the-second-key', 'the-other-key']) other.state.keys.add(key);
    service.state.keys.add('the-second-key');
    const { id } = await first.handlers.add(draft(service.url), {});
    keychain.trouble = 'denied';
    await first.handlers.authenticate({ connection: id, credential: keyOf('the-second-key') }, {});
    const addresses = { dataUrl: other.url, platformUrl: other.url };
    const change = { connection: id, ...addresses, credential: keyOf('the-other-key') };
    await expect(first.handlers.change(change, {})).rejects.toMatchObject({ code: 'keychain_unavailable' });
    keychain.trouble = null;
    const later = start(folder, keychain);
    await later.load();
    await ask(later, id);
    expect(other.seen.map(({ headers }) => headers.authorization)).not.toContain(`API ${secret}`);
  });

  it('has the changes of two processes, of which neither saw the other’s', async () => {
    const { service, folder, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    const second = start(folder, keychain);
    await second.load();
    const proxy = { address: 'http://127.0.0.1:9' };
    await first.handlers.change({ connection: id, proxy, credential: keyOf(secret), saveAnyway: true }, {});
    await second.handlers.change({ connection: id, readOnly: true }, {});
    await second.handlers.change({ connection: id, name: 'South Ridge' }, {});
    await first.load();
    expect(await onlyConnection(first)).toMatchObject({ name: 'South Ridge', readOnly: true, proxy });
    expect(await onlyConnection(second)).toMatchObject({ name: 'South Ridge', readOnly: true, proxy });
  });

  it('inserts nothing once it is read-only in another process', async () => {
    const { service, folder, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    const second = start(folder, keychain);
    await second.load();
    await second.handlers.change({ connection: id, readOnly: true }, {});
    const insert = first.services(id).data.insert({ provider: 'p', dataset: 'd' }, Buffer.from('[{}]'), 1);
    await expect(insert).rejects.toMatchObject({ code: 'connection_read_only' });
  });

  it('inserts while a change waits for the keychain', async () => {
    const { service, folder, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    const [asked, unlocked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const setPassword = () => {
      asked.resolve();
      return unlocked.promise;
    };
    const second = start(folder, { ...keychain, setPassword });
    await second.load();
    const duplicating = second.handlers.duplicate({ connection: id }, {});
    await asked.promise;
    const insert = second.services(id).data.insert({ provider: 'p', dataset: 'd' }, Buffer.from('[{}]'), 1);
    await expect(insert).resolves.toBeDefined();
    unlocked.resolve();
    await duplicating;
  });

  it('is duplicated with its key and all settings; a session is not, because both would renew the same tokens', async () => {
    const { service, keychain, first } = await world();
    const addedConnection = await first.handlers.add(draft(service.url, { readOnly: true }), {});
    const copy = await first.handlers.duplicate({ connection: addedConnection.id }, {});
    expect(copy).toMatchObject({ name: 'North Ridge (2)', readOnly: true, secret: 'keychain' });
    expect(copy.id).not.toBe(addedConnection.id);
    expect(keychain.secrets.get(copy.id)).toBe(keychain.secrets.get(addedConnection.id));
    await ask(first, copy.id);
    expect(service.seen.at(-1)?.headers.authorization).toBe(`API ${secret}`);
    const { id } = await first.handlers.add(draft(service.url, { credential: account }), {});
    expect(await first.handlers.duplicate({ connection: id }, {})).toMatchObject({ secret: 'missing' });
  });

  it('can keep its credentials for the session only', async () => {
    const { service, folder, keychain, first } = await world();
    const added = await first.handlers.add(draft(service.url, { remember: false }), {});
    expect(added.secret).toBe('session');
    expect(keychain.secrets.size).toBe(0);
    await ask(first, added.id);
    expect(await onlyConnection(start(folder, keychain))).toMatchObject({ id: added.id, secret: 'missing' });
  });

  it('is changed and removed for all processes', async () => {
    const { service, folder, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    const second = start(folder, keychain);
    await onlyConnection(second);
    await first.handlers.change({ connection: id, name: 'South', color: 'red' }, {});
    expect(await onlyConnection(second)).toMatchObject({ name: 'South', color: 'red' });
    await second.handlers.remove({ connection: id }, {});
    expect(await first.handlers.list({}, {})).toEqual([]);
    expect(keychain.secrets.size).toBe(0);
    expect(() => first.services(id)).toThrow(expect.objectContaining({ code: 'connection_unknown' }));
  });

  it('leaves nothing of its credentials behind when it is removed, in the keychain and in memory', async () => {
    const { service, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    await ask(first, id);
    expect(first.secrets()).toContain(secret);
    await first.handlers.remove({ connection: id }, {});
    expect(keychain.secrets.size).toBe(0);
    expect(first.secrets()).not.toContain(secret);
  });

  it('keeps its credentials if it can’t be removed from the list of connections', async () => {
    const { service, folder, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    const error = new AppError('disk_full', { file: 'connections.json', writtenBytes: 0 });
    const profiles = { ...openProfiles(folder, () => undefined), change: () => Promise.reject(error) };
    const onFullDisk = start(folder, keychain, { profiles });
    await onFullDisk.load();
    await expect(onFullDisk.handlers.remove({ connection: id }, {})).rejects.toMatchObject({
      code: 'disk_full',
    });
    expect(keychain.secrets.size).toBe(1);
    await ask(first, id);
  });

  it('is not removed while its credentials can’t be deleted, unless the user confirms', async () => {
    const { service, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    keychain.trouble = 'locked';
    await expect(first.handlers.remove({ connection: id }, {})).rejects.toMatchObject({
      code: 'keychain_unavailable',
    });
    expect((await onlyConnection(first)).id).toBe(id);
    await first.handlers.remove({ connection: id, leaveSecret: true }, {});
    expect(await first.handlers.list({}, {})).toEqual([]);
  });

  it('without credentials in the keychain is removed even when the keychain is not accessible', async () => {
    const { service, keychain, first } = await world();
    keychain.trouble = 'off';
    const { id } = await first.handlers.add(draft(service.url), {});
    await first.handlers.remove({ connection: id }, {});
    expect(await first.handlers.list({}, {})).toEqual([]);
  });

  it('notifies the window of each change', async () => {
    const { service, first } = await world();
    const stop = new AbortController();
    const seen: string[] = [];
    const watching = (async () => {
      for await (const list of first.watch(stop.signal)) {
        seen.push(list.map(({ name, secret: place }) => `${name} ${place}`).join());
        if (seen.length === 3) stop.abort();
      }
    })();
    await expect.poll(() => seen).toEqual(['']);
    const { id } = await first.handlers.add(draft(service.url), {});
    await expect.poll(() => seen).toEqual(['', 'North Ridge keychain']);
    await first.handlers.change({ connection: id, name: 'South' }, {});
    await watching;
    expect(seen.at(-1)).toBe('South keychain');
  });
});

describe('a connection with its own certificate authority', () => {
  it('trusts its CA file, starting with the test; another connection does not', async () => {
    const { folder, keychain, onDisk, first } = await world();
    const pair = makeCertificates(['a.example']);
    const server = await servers.https(pair, ({ url }) =>
      url.pathname.startsWith('/v2') ? { data: [] } : [],
    );
    const path = join(folder, 'corp.pem');
    await writeFile(path, pair.ca);
    const { token: caFile } = await files.grantSource(sourceAt(path));
    const wanted = draft(server.url, { caFile });
    expect(await first.handlers.test({ draft: wanted }, {})).toMatchObject({ data: { ok: true } });
    const { id, authorities } = await first.handlers.add(wanted, {});
    expect(authorities).toEqual([{ name: 'Private test authority', ends: '2120-01-01T00:00:00.000Z' }]);
    const plain = await first.handlers.add(draft(server.url, { saveAnyway: true }), {});
    const second = start(folder, keychain);
    await second.load();
    await expect(ask(second, id)).resolves.toEqual([]);
    await expect(ask(second, plain.id)).rejects.toMatchObject({ details: { reason: 'tls' } });
    await second.handlers.change({ connection: id, caFile: null }, {});
    await expect(ask(second, id)).rejects.toMatchObject({ details: { reason: 'tls' } });
    await second.handlers.change({ connection: id, caFile }, {});
    await expect(ask(second, id)).resolves.toEqual([]);
    expect(await onDisk()).toContain('BEGIN CERTIFICATE');
  });

  it('reports an unreadable CA file, and is not saved', async () => {
    const { folder, first } = await world();
    const path = join(folder, 'corp.pem');
    await writeFile(path, 'no certificate');
    const { token: caFile } = await files.grantSource(sourceAt(path));
    const adding = first.handlers.add(draft('https://a.example', { caFile }), {});
    await expect(adding).rejects.toMatchObject({ code: 'file_unsuitable', details: { file: 'corp.pem' } });
    expect(await first.handlers.list({}, {})).toEqual([]);
  });
});

describe('a saved session', () => {
  it('stores the tokens and not the password; the next process does not sign in', async () => {
    const { service, folder, keychain, onDisk, first } = await world();
    const added = await first.handlers.add(draft(service.url, { credential: account }), {});
    expect(added).toMatchObject({ method: 'login', email: account.email, secret: 'keychain' });
    const second = start(folder, keychain);
    await second.load();
    await Promise.all([ask(first, added.id), ask(second, added.id)]);
    expect(service.state.auths).toEqual([{ email: account.email, password: account.password }]);
    const everything = [...keychain.secrets.values()].join('') + (await onDisk()) + inspect(added);
    expect(everything).not.toContain(account.password);
    expect(await onDisk()).not.toContain('refresh-secret');
  });

  it('is not saved with a wrong password', async () => {
    const { service, keychain, first } = await world();
    const credential = { ...account, password: 'wrong one' };
    const error: unknown = await first.handlers
      .add(draft(service.url, { credential }), {})
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'not_authenticated', details: { why: 'login_wrong' } });
    expect(inspect(error, { depth: 9 })).not.toContain('wrong one');
    expect(await first.handlers.list({}, {})).toEqual([]);
    expect(keychain.secrets.size).toBe(0);
    expect(service.state.auths).toHaveLength(1);
  });

  it('is renewed once for 50 calls of two processes, and the new pair is in the keychain', async () => {
    const { service, folder, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url, { credential: account }), {});
    const second = start(folder, keychain);
    await second.load();
    await Promise.all([ask(first, id), ask(second, id)]);
    service.state.good.clear();
    const calls = Array.from({ length: 25 }, () => [ask(first, id), ask(second, id)]);
    await Promise.all(calls.flat());
    expect(service.state.auths).toHaveLength(2);
    expect(keychain.secrets.get(id)).toContain('refresh-secret-2');
  });

  it('that another process replaced by an API key ends there, and the key stays', async () => {
    const { service, folder, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url, { credential: account }), {});
    const second = start(folder, keychain);
    await second.load();
    await ask(second, id);
    await first.handlers.authenticate({ connection: id, credential: keyOf(secret) }, {});
    service.state.good.clear();
    service.state.refresh = 'revoked';
    await expect(ask(second, id)).rejects.toMatchObject({ code: 'not_authenticated' });
    expect(keychain.secrets.get(id)).toContain(secret);
    expect(await onlyConnection(first)).toMatchObject({ method: 'api_key', secret: 'keychain' });
    await ask(first, id);
  });

  it('that was revoked requires a sign-in; waiting requests continue after it, in the same services', async () => {
    const { service, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url, { credential: account }), {});
    const services = first.services(id);
    await services.data.datasets({});
    service.state.good.clear();
    service.state.refresh = 'revoked';
    await expect(services.data.datasets({})).rejects.toMatchObject({ details: { why: 'login_needed' } });
    await expect(services.data.datasets({})).rejects.toMatchObject({ code: 'not_authenticated' });
    expect(service.state.auths).toHaveLength(2);
    expect(await onlyConnection(first)).toMatchObject({ secret: 'missing' });
    expect(keychain.secrets.size).toBe(0);
    const job = (async () => {
      await services.waitForSignIn?.();
      return services.data.datasets({});
    })();
    await first.handlers.authenticate({ connection: id, credential: account }, {});
    await expect(job).resolves.toEqual([]);
    expect(await onlyConnection(first)).toMatchObject({ secret: 'keychain' });
  });

  it('wakes waiting requests of this process after a sign-in in another process', async () => {
    const { service, folder, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url, { credential: account }), {});
    const second = start(folder, keychain, { pollIntervalMs: 20 });
    await second.load();
    const services = second.services(id);
    service.state.good.clear();
    service.state.refresh = 'revoked';
    await expect(services.data.datasets({})).rejects.toMatchObject({ details: { why: 'login_needed' } });
    const job = services.waitForSignIn?.().then(() => services.data.datasets({}));
    await first.handlers.authenticate({ connection: id, credential: account }, {});
    await expect(job).resolves.toEqual([]);
  });

  it('of a connection added here wakes waiting requests here after a sign-in in another process', async () => {
    const { service, folder, keychain, first } = await world();
    const adding = start(folder, keychain, { pollIntervalMs: 20 });
    const { id } = await adding.handlers.add(draft(service.url, { credential: account }), {});
    await first.load();
    const services = adding.services(id);
    service.state.good.clear();
    service.state.refresh = 'revoked';
    await expect(services.data.datasets({})).rejects.toMatchObject({ details: { why: 'login_needed' } });
    const job = services.waitForSignIn?.().then(() => services.data.datasets({}));
    await first.handlers.authenticate({ connection: id, credential: account }, {});
    await expect(job).resolves.toEqual([]);
  });

  it('is restored in this process by a sign-in in another', async () => {
    const { service, folder, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url, { credential: account, remember: false }), {});
    const second = start(folder, keychain);
    const third = start(folder, keychain);
    expect(await onlyConnection(second)).toMatchObject({ secret: 'missing' });
    await third.load();
    await third.handlers.authenticate({ connection: id, credential: account }, {});
    expect(await onlyConnection(second)).toMatchObject({ secret: 'keychain' });
  });

  it('continues in this process when the keychain rejects the renewed pair, with a warning', async () => {
    const { service, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url, { credential: account }), {});
    await ask(first, id);
    service.state.good.clear();
    // It locks after the pair was read under the lock, before the new one is written.
    const { setPassword } = keychain;
    keychain.setPassword = (...call) => {
      keychain.trouble = 'locked';
      return setPassword(...call);
    };
    await ask(first, id);
    await ask(first, id);
    expect(service.state.auths).toHaveLength(2);
    expect(await onlyConnection(first)).toMatchObject({ secret: 'session', keychain: 'locked' });
    keychain.setPassword = setPassword;
    keychain.trouble = null;
    service.state.good.clear();
    await ask(first, id);
    expect(service.state.auths).toHaveLength(3);
    expect(await onlyConnection(first)).toMatchObject({ secret: 'keychain' });
  });
});

describe('a new key', () => {
  it('replaces the old one when it is accepted; running requests continue with it', async () => {
    const { service, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    const services = first.services(id);
    await services.data.datasets({});
    service.state.keys.add('the-next-key');
    await first.handlers.authenticate({ connection: id, credential: keyOf('API the-next-key') }, {});
    service.state.keys.delete(secret);
    await expect(services.data.datasets({})).resolves.toEqual([]);
    expect(first.services(id)).toBe(services);
    expect(keychain.secrets.get(id)).toContain('the-next-key');
    expect(keychain.secrets.get(id)).not.toContain(secret);
  });

  it('is requested when the services reject the old one, until the new one is accepted', async () => {
    const { service, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    await ask(first, id);
    expect((await onlyConnection(first)).refused).toBeUndefined();
    service.state.keys.clear();
    await expect(ask(first, id)).rejects.toMatchObject({ details: { why: 'key_ended' } });
    expect(await onlyConnection(first)).toMatchObject({ refused: 'key_ended', secret: 'keychain' });
    service.state.keys.add('another-key');
    const lists: Connection[][] = [];
    const stop = new AbortController();
    const watching = (async () => {
      for await (const list of first.watch(stop.signal)) lists.push(list);
    })();
    await expect.poll(() => lists).toHaveLength(1);
    await first.handlers.authenticate({ connection: id, credential: keyOf('another-key') }, {});
    expect((await onlyConnection(first)).refused).toBeUndefined();
    // A window would reload its lists twice.
    await expect.poll(() => lists.at(-1)?.[0]?.replacedAt).toBeDefined();
    expect(lists.flat().filter(({ refused, replacedAt }) => refused && replacedAt)).toEqual([]);
    stop.abort();
    await watching.catch(() => undefined);
  });

  it('that is rejected, or can’t be tested, leaves the old one', async () => {
    const { service, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    const authenticate = (apiKey: string) =>
      first.handlers.authenticate({ connection: id, credential: keyOf(apiKey) }, {});
    await expect(authenticate('a-wrong-key')).rejects.toMatchObject({
      code: 'not_authenticated',
      details: { why: 'key_unknown' },
    });
    await expect(authenticate('two words')).rejects.toMatchObject({ code: 'invalid_input' });
    expect(keychain.secrets.get(id)).toContain(secret);
    await expect(ask(first, id)).resolves.toEqual([]);
  });

  it('that is saved untested isn’t taken for an accepted one, here and in other processes', async () => {
    const { service, folder, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    await ask(first, id);
    const second = start(folder, keychain);
    await second.load();
    await ask(second, id);
    await first.handlers.change({ connection: id, credential: keyOf('a-wrong-key'), saveAnyway: true }, {});
    await expect(ask(first, id)).rejects.toMatchObject({ details: { why: 'key_unknown' } });
    await second.handlers.list({}, {});
    await expect(ask(second, id)).rejects.toMatchObject({ details: { why: 'key_unknown' } });
  });

  it('reaches other processes, which distinguish an expired key from a wrong one', async () => {
    const { service, folder, keychain, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    await ask(first, id);
    await first.close();
    const second = start(folder, keychain);
    const third = start(folder, keychain);
    await Promise.all([second.load(), third.load()]);
    await ask(third, id);
    service.state.keys.clear();
    await expect(ask(third, id)).rejects.toMatchObject({ details: { why: 'key_ended' } });
    service.state.keys.add('the-next-key');
    await second.handlers.authenticate({ connection: id, credential: keyOf('the-next-key') }, {});
    await third.handlers.list({}, {});
    await expect(ask(third, id)).resolves.toEqual([]);
  });
});

describe('a change', () => {
  it('of name, color, and read-only leaves running services unchanged', async () => {
    const { service, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    const services = first.services(id);
    await first.handlers.change({ connection: id, readOnly: true, name: 'Careful' }, {});
    expect(first.services(id)).toBe(services);
    const insert = () => services.data.insert({ provider: 'p', dataset: 'd' }, Buffer.from('[{}]'), 1);
    await expect(insert()).rejects.toMatchObject({
      code: 'connection_read_only',
      details: { connection: 'Careful' },
    });
    await first.handlers.change({ connection: id, readOnly: false }, {});
    await expect(insert()).resolves.toMatchObject({ kind: 'unknown' });
  });

  it('of the host requires credentials again; a change of the path does not', async () => {
    const { service, first } = await world();
    const other = await loginService(servers);
    const { id } = await first.handlers.add(draft(service.url), {});
    const otherHost = { connection: id, dataUrl: other.url, platformUrl: other.url };
    await expect(first.handlers.change(otherHost, {})).rejects.toMatchObject({
      code: 'invalid_input',
      details: { issues: [{ place: { field: 'credential' } }] },
    });
    expect(other.seen).toEqual([]);
    other.state.keys.add('their-key');
    await first.handlers.change({ ...otherHost, credential: keyOf('their-key') }, {});
    await ask(first, id);
    expect(other.seen.at(-1)?.headers.authorization).toBe('API their-key');
    const below = await first.handlers.change({ connection: id, dataUrl: `${other.url}/below` }, {});
    expect(below.dataUrl).toBe(`${other.url}/below`);
  });

  it('is tested with the stored credentials before it is saved; those aren’t sent to another host', async () => {
    const { service, first } = await world();
    const { id } = await first.handlers.add(draft(service.url), {});
    const below = `${service.url}/elsewhere`;
    const test = (change: object) => first.handlers.test({ change: { connection: id, ...change } }, {});
    expect(await test({ dataUrl: below })).toMatchObject({ data: { ok: true }, platform: { ok: true } });
    expect(service.seen.at(-1)?.headers.authorization).toBe(`API ${secret}`);
    expect(await test({ credential: keyOf('wrong') })).toMatchObject({
      data: { ok: false, code: 'not_authenticated' },
    });
    await expect(test({ dataUrl: 'http://localhost:1' })).rejects.toMatchObject({
      details: { issues: [{ place: { field: 'credential' } }] },
    });
    const now = first.get(id);
    expect([now.dataUrl, now.refused]).toEqual([service.url, undefined]);
  });

  it('is not possible for the sample workspace, nor for the connection of the environment', async () => {
    const env = {
      WELLBENCH_DATA_URL: 'https://d',
      WELLBENCH_PLATFORM_URL: 'https://p',
      WELLBENCH_API_KEY: 'k3y4',
    };
    const connections = start(await folders(), testKeychain(), { env });
    const { id } = await connections.fromEnvironment();
    await expect(connections.handlers.change({ connection: id, name: 'x' }, {})).rejects.toMatchObject({
      code: 'invalid_input',
    });
  });
});

describe('exported profiles', () => {
  it('are imported into another folder without credentials, and accept new ones there', async () => {
    const { service, first } = await world();
    await first.handlers.add(draft(service.url), {});
    const { suggestedName, text } = await first.handlers.exportProfiles({}, {});
    expect(suggestedName).toBe('North Ridge.wellbench.json');
    expect(text).not.toContain(secret);
    const there = start(await folders(), testKeychain());
    const { added, problems } = await there.handlers.importProfiles({ text }, {});
    expect(problems).toEqual([]);
    expect(added).toMatchObject([{ name: 'North Ridge', secret: 'missing' }]);
    expect(await there.handlers.importProfiles({ text }, {})).toMatchObject({
      added: [],
      problems: ['“North Ridge” already exists.'],
    });
    const id = added[0]?.id ?? '';
    await there.handlers.authenticate({ connection: id, credential: keyOf(secret) }, {});
    await expect(ask(there, id)).resolves.toEqual([]);
  });
});

describe('the keychain', () => {
  it('is checked before the user enters credentials, so that the user can see where they will be stored', async () => {
    const { keychain, first } = await world();
    expect(await first.handlers.keychain({}, {})).toEqual({ trouble: null });
    keychain.trouble = 'locked';
    expect(await first.handlers.keychain({}, {})).toEqual({ trouble: 'locked' });
  });
});
