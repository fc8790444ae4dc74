import { createServer } from 'node:https';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { ConnectionDraft } from '../../../../src/shared/connections/connections.ts';
import type { DiagnosisEvent } from '../../../../src/shared/connections/diagnosis.ts';
import { createConnections, type Connections } from '../../../../src/main/core/connections/connections.ts';
import { openProfiles } from '../../../../src/main/core/connections/stored-profiles.ts';
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
  return { url, folder, certificate, keychain, draft, start };
}

it('is used after a restart, in a copy, and after a removal is undone; its passphrase is in the keychain only', async () => {
  const { folder, keychain, draft, start } = await world();
  const { handlers, secrets } = start();
  await expect(handlers.add(await draft(null), {})).rejects.toMatchObject({
    details: { certificate: 'CLIENT_CERTIFICATE_REQUIRED' },
  });
  await expect(handlers.add(await draft('another'), {})).rejects.toThrow('the passphrase is wrong');
  const added = await handlers.add(await draft(passphrase), {});
  expect(added.clientCertificate).toBe('me.p12');
  expect(secrets()).toContain(passphrase);
  expect([...keychain.secrets.values()].filter((text) => text === passphrase)).toHaveLength(1);
  const stored = await readFile(join(folder, 'connections.json'), 'utf8');
  expect(stored).toContain('me.p12');
  for (const text of [stored, JSON.stringify(added)]) expect(text).not.toContain(passphrase);
  const { text } = await handlers.exportProfiles({}, {});
  for (const shared of [text, JSON.stringify(added)]) expect(shared).not.toContain(folder);

  const later = start();
  const [one] = await later.handlers.list({}, {});
  const answered = { data: { ok: true }, platform: { ok: true } };
  const test = (connection: string) => later.handlers.test({ connection }, {});
  expect(await test(one?.id ?? '')).toMatchObject(answered);
  const copy = await later.handlers.duplicate({ connection: added.id }, {});
  expect(await test(copy.id)).toMatchObject(answered);
  await later.handlers.remove({ connection: added.id }, {});
  expect([...keychain.secrets.values()].filter((secret) => secret === passphrase)).toHaveLength(1);
  expect(await test(copy.id)).toMatchObject(answered);
  await later.handlers.restore({ connection: added.id }, {});
  expect(await test(added.id)).toMatchObject(answered);
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
