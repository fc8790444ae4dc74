import { createServer } from 'node:https';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ConnectionChange, ConnectionDraft } from '../../../../src/shared/connections/connections.ts';
import type { DiagnosisEvent } from '../../../../src/shared/contract/connections.ts';
import { createConnections, type Connections } from '../../../../src/main/core/connections/connections.ts';
import { openProfiles } from '../../../../src/main/core/connections/profiles.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { createFiles, sourceAt } from '../../../../src/main/core/files/files.ts';
import { makeCertificates, makePkcs12 } from '../../../support/certificates.ts';
import { useFolders } from '../../../support/folders.ts';
import { testKeychain } from '../../../support/keychain.ts';
import { useServers } from '../../../support/servers.ts';

const servers = useServers();
const folders = useFolders();
const opened: Connections[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connections) => connections.close()));
});

const passphrase = 'pass-of-the-key';

/** Both services behind a gateway that requires a client certificate, and a computer that has one. */
async function world() {
  const pair = makeCertificates(['wells.example']);
  const options = { ...pair, ca: [pair.ca], requestCert: true, rejectUnauthorized: true };
  const server = createServer(options, ({ url = '' }, response) => {
    response.end(url.startsWith('/v2') ? '{"data":[]}' : '[]');
  });
  const { port } = await servers.raw(server);
  const url = `https://127.0.0.1:${port}`;
  const folder = await folders();
  const [ca, certificate] = [join(folder, 'corp.pem'), join(folder, 'me.p12')];
  await writeFile(ca, pair.ca);
  await writeFile(certificate, makePkcs12(pair, passphrase));
  const keychain = testKeychain();
  const files = createFiles();
  const tokenOf = async (path: string) => (await files.grantSource(sourceAt(path))).token;
  /** A file as a browser passes it. */
  const copyOf = async (name: string, content: string | Buffer) => {
    const path = join(await folders(), name);
    await writeFile(path, content);
    const { token } = await files.grantSource({ place: 'spooled', path, name });
    return { token, path };
  };
  const draft = async (given: string | null): Promise<ConnectionDraft> => ({
    name: 'North Ridge',
    color: 'blue',
    dataUrl: url,
    platformUrl: url,
    credential: { method: 'api_key', apiKey: 'the-secret-key' },
    readOnly: false,
    caFile: await tokenOf(ca),
    ...(given === null ? {} : { clientCertificate: { file: await tokenOf(certificate), passphrase: given } }),
  });
  const start = (env: Record<string, string> = {}): Connections => {
    const profiles = openProfiles(folder, () => undefined);
    const lockFolder = join(folder, 'locks');
    const connections = createConnections({ env, profiles, keychain, lockFolder, files });
    opened.push(connections);
    return connections;
  };
  return { url, folder, pair, certificate, keychain, tokenOf, copyOf, draft, start };
}

it('is used after a restart, and in a copy; its passphrase is in the keychain only', async () => {
  const { folder, keychain, draft, start } = await world();
  const { handlers, secrets } = start();
  await expect(handlers.add(await draft(null), {})).rejects.toMatchObject({
    details: { certificate: 'CLIENT_CERTIFICATE_REQUIRED' },
  });
  await expect(handlers.add(await draft('another'), {})).rejects.toThrow('the passphrase is wrong');
  const added = await handlers.add(await draft(passphrase), {});
  expect(added.clientCertificate).toBe('me.p12');
  expect(secrets()).toContain(passphrase);
  expect([...keychain.secrets.values()].filter((text) => text.includes(passphrase))).toHaveLength(1);
  const stored = await readFile(join(folder, 'connections.json'), 'utf8');
  expect(stored).toContain('me.p12');
  for (const text of [stored, JSON.stringify(added)]) expect(text).not.toContain(passphrase);
  const { text } = await handlers.exportProfiles({}, {});
  for (const shared of [text, JSON.stringify(added)]) expect(shared).not.toContain(folder);

  const later = start();
  const [one] = await later.handlers.list({}, {});
  const test = (connection: string) => later.handlers.test({ connection }, {});
  expect(await test(one?.id ?? '')).toMatchObject(answered);
  const copy = await later.handlers.duplicate({ connection: added.id }, {});
  expect(await test(copy.id)).toMatchObject(answered);
  await later.handlers.remove({ connection: added.id }, {});
  expect([...keychain.secrets.values()].filter((secret) => secret.includes(passphrase))).toHaveLength(1);
  expect(await test(copy.id)).toMatchObject(answered);
  await later.handlers.remove({ connection: copy.id }, {});
  expect(keychain.secrets.size).toBe(0);
  expect(later.secrets()).not.toContain(passphrase);
});

it('is for this session if the keychain doesn’t take its secret, and says so, until it does', async () => {
  const { keychain, draft, start } = await world();
  const { handlers } = start();
  const { setPassword } = keychain;
  keychain.setPassword = async (service, account, text) => {
    if (account.endsWith('certificate')) throw new AppError('keychain_unavailable', { trouble: 'denied' });
    return setPassword(service, account, text);
  };
  const request = await draft(passphrase);
  const added = await handlers.add(request, {});
  expect(added).toMatchObject({ secret: 'keychain', extraKeychain: 'denied' });
  const copy = await handlers.duplicate({ connection: added.id }, {});
  expect(copy).toMatchObject({ secret: 'keychain', extraKeychain: 'denied' });
  keychain.setPassword = setPassword;
  const { credential } = request;
  const stored = await handlers.authenticate({ connection: added.id, credential }, {});
  expect(stored.extraKeychain).toBeUndefined();
  expect([...keychain.secrets.values()].filter((text) => text.includes(passphrase))).toHaveLength(1);
});

it('is tested before it is saved, and the diagnosis names what is wrong with it', async () => {
  const { draft, start } = await world();
  const { handlers } = start();
  const diagnose = async (given: string | null): Promise<DiagnosisEvent[]> => {
    const events: DiagnosisEvent[] = [];
    for await (const event of await handlers.diagnose({ draft: await draft(given) }, {})) events.push(event);
    return events;
  };
  expect((await diagnose(passphrase)).at(-1)).toMatchObject({ ok: true });
  const tls = { step: 'tls', state: 'failed' };
  expect(await diagnose('another')).toContainEqual(
    expect.objectContaining({
      ...tls,
      code: 'file_unsuitable',
      found: expect.stringContaining('passphrase is wrong'),
    }),
  );
  const without = await diagnose(null);
  expect(without).toContainEqual(expect.objectContaining({ ...tls, found: expect.any(String) }));
  expect(without.at(-1)).toMatchObject({ report: expect.stringContaining('no client certificate') });
});

const answered = { data: { ok: true }, platform: { ok: true } };
const required = { data: { ok: false, code: 'unreachable' } };

it('is added to a saved connection, gets another passphrase, and is removed, for other processes too', async () => {
  const { pair, keychain, certificate, tokenOf, draft, start } = await world();
  const { handlers } = start();
  const { id } = await handlers.add({ ...(await draft(null)), saveAnyway: true }, {});
  const other = start();
  await other.load();
  const test = () => other.handlers.list({}, {}).then(() => other.handlers.test({ connection: id }, {}));
  expect(await test()).toMatchObject(required);

  const file = await tokenOf(certificate);
  const change = (clientCertificate: ConnectionChange['clientCertificate']) =>
    handlers.change({ connection: id, clientCertificate }, {});
  await expect(change({ passphrase })).rejects.toMatchObject({
    code: 'invalid_input',
    details: { issues: [{ place: { field: 'clientCertificate' } }] },
  });
  const wrong = { code: 'file_unsuitable', details: { part: 'passphrase', wanted: 'client_certificate' } };
  await expect(change({ file, passphrase: 'another' })).rejects.toMatchObject(wrong);
  await expect(
    handlers.test({ change: { connection: id, clientCertificate: { file } } }, {}),
  ).rejects.toMatchObject(wrong);
  expect(await test()).toMatchObject(required);
  await change({ file, passphrase });
  expect(await test()).toMatchObject(answered);

  // The file was exported again, with another passphrase.
  await writeFile(certificate, makePkcs12(pair, 'the-second-one'));
  await expect(change({ passphrase: 'another' })).rejects.toMatchObject(wrong);
  const changed = await change({ passphrase: 'the-second-one' });
  expect(changed.clientCertificate).toBe('me.p12');
  expect(await test()).toMatchObject(answered);
  const stored = () => [...keychain.secrets.values()].join(' ');
  expect(stored()).toContain('the-second-one');
  expect(stored()).not.toContain(passphrase);

  expect((await change(null)).clientCertificate).toBeUndefined();
  expect(stored()).not.toContain('the-second-one');
  expect(await test()).toMatchObject(required);
});

it('of a browser is in the keychain with its key, because its file has no path', async () => {
  const { folder, pair, keychain, copyOf, draft, start } = await world();
  const { handlers } = start();
  const other = makeCertificates(['other.example']);
  const [file, wrongKey, key] = [
    await copyOf('me.pem', pair.cert),
    await copyOf('other.key', other.key),
    await copyOf('me.key', pair.key),
  ];
  const request = await draft(null);
  const add = (keyFile: string) =>
    handlers.add({ ...request, clientCertificate: { file: file.token, keyFile } }, {});
  await expect(add(wrongKey.token)).rejects.toMatchObject({ details: { part: 'key' } });
  const { id } = await add(key.token);
  for (const { path } of [file, key]) expect(existsSync(path)).toBe(false);
  // Those of a certificate that couldn't be used may be tried again.
  expect(existsSync(wrongKey.path)).toBe(true);

  const later = start();
  const [listed] = await later.handlers.list({}, {});
  expect(listed).toMatchObject({ clientCertificate: 'me.pem', clientKey: 'me.key' });
  expect(await later.handlers.test({ connection: id }, {})).toMatchObject(answered);
  const onDisk = await readFile(join(folder, 'connections.json'), 'utf8');
  for (const text of [onDisk, JSON.stringify(listed)]) expect(text).not.toContain('PRIVATE KEY');
  const copy = await later.handlers.duplicate({ connection: id }, {});
  await later.handlers.remove({ connection: id }, {});
  expect(await later.handlers.test({ connection: copy.id }, {})).toMatchObject(answered);
  const change = { connection: copy.id, clientCertificate: { keyFile: wrongKey.token } };
  await expect(later.handlers.change(change, {})).rejects.toMatchObject({ details: { part: 'key' } });

  // Without its entry in the keychain, it has to be selected again.
  for (const account of keychain.secrets.keys())
    if (account.endsWith('certificate')) keychain.secrets.delete(account);
  const without = start();
  await without.handlers.list({}, {});
  expect(await without.handlers.test({ connection: copy.id }, {})).toMatchObject({
    data: { code: 'file_unsuitable' },
  });
});

it('of a connection whose key is missing is kept with the key that the user enters', async () => {
  const { pair, keychain, copyOf, draft, start } = await world();
  const { id } = await start().handlers.add({ ...(await draft(null)), saveAnyway: true }, {});
  keychain.secrets.clear();
  const { handlers } = start();
  await handlers.list({}, {});
  await handlers.test({ connection: id }, {});
  const [file, keyFile] = [
    (await copyOf('me.pem', pair.cert)).token,
    (await copyOf('me.key', pair.key)).token,
  ];
  const credential = { method: 'api_key', apiKey: 'the-secret-key' } as const;
  await handlers.change({ connection: id, credential, clientCertificate: { file, keyFile } }, {});
  const copy = await handlers.duplicate({ connection: id }, {});
  const later = start();
  await later.handlers.list({}, {});
  for (const connection of [id, copy.id])
    expect(await later.handlers.test({ connection }, {})).toMatchObject(answered);
});

it('comes from the environment with a connection of the environment', async () => {
  const { url, certificate, start } = await world();
  const env = { WELLBENCH_DATA_URL: url, WELLBENCH_PLATFORM_URL: url, WELLBENCH_API_KEY: 'the-secret-key' };
  const check = async (more: Record<string, string>) => {
    const connections = start({ ...env, ...more });
    const { id } = await connections.fromEnvironment();
    return (await connections.handlers.test({ connection: id }, {})).data.message;
  };
  // The authority isn't trusted here, so only what the certificate itself causes is checked.
  const file = { WELLBENCH_CLIENT_CERT: certificate };
  expect(await check(file)).toContain('it needs a passphrase');
  expect(await check({ ...file, WELLBENCH_CLIENT_PASSPHRASE: 'another' })).toContain(
    'the passphrase is wrong',
  );
  expect(await check({ ...file, WELLBENCH_CLIENT_PASSPHRASE: passphrase })).toContain('trust');
});
