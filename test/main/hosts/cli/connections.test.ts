import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeKeychain } from '../../../../src/shared/errors/sentences.ts';
import { runCli, runInProcess } from '../../../support/cli.ts';
import { useFolders } from '../../../support/folders.ts';
import { hasKeyring, startKeyring, type Keyring } from '../../../support/keyring.ts';
import { account, loginService } from '../../../support/login-service.ts';
import { useServers } from '../../../support/servers.ts';

const servers = useServers();
const folders = useFolders();
const key = 'the-secret-key';

describe.runIf(hasKeyring())('saved connections, opened by one command after another', () => {
  let ring: Keyring;
  beforeAll(async () => {
    ring = await startKeyring();
  });
  afterAll(() => ring.close());

  async function world() {
    const service = await loginService(servers);
    service.state.keys.add(key);
    const folder = await folders();
    const env = { ...ring.env, WELLBENCH_KEYCHAIN: '', WELLBENCH_DATA_DIR: folder };
    /** In a process of its own, which reads stdin. */
    const cli = (args: readonly string[], input = '') => runCli(args, env, input);
    /** Without anything of another command, in this process. */
    const run = (args: readonly string[]) => runInProcess(args, env);
    const add = (input: string, ...more: string[]) => {
      const addresses = [
        '--platform-url',
        service.url,
        ...(more.includes('--data-url') ? [] : ['--data-url', service.url]),
      ];
      return cli(['connections', 'add', 'North Ridge', ...addresses, '--json', ...more], input);
    };
    return { service, folder, cli, run, add };
  }
  const wells = ['wells', '--connection', 'North Ridge', '--json'];

  it('need the certificate of a client key, and get a file that can be read', async () => {
    const { add, folder } = await world();
    const wrong = join(folder, 'letter.p12');
    await writeFile(wrong, 'a letter');
    expect(await add(key, '--client-key', wrong)).toMatchObject({ code: 2 });
    const missing = await add(key, '--client-cert', join(folder, 'none.p12'));
    expect(missing.code).not.toBe(0);
    expect(missing.stderr).toContain('none.p12');
  });

  it('are added with an API key from stdin, used by name, tested, and removed', async () => {
    const { service, folder, cli, run, add } = await world();
    const added = await add(` API ${key}\r\n`, '--read-only', '--color', 'red');
    expect(added).toMatchObject({ code: 0, stderr: '' });
    expect(added.summary()).toMatchObject({
      name: 'North Ridge',
      secret: 'keychain',
      readOnly: true,
      color: 'red',
    });
    expect(await cli(wells)).toMatchObject({ code: 0, stderr: '' });
    expect((await run(['connections', 'list'])).stdout).toMatch(/North Ridge .* api_key +keychain +yes/);
    const tested = await run(['connections', 'test', 'North Ridge', '--json']);
    expect(tested.summary()).toMatchObject({
      ok: true,
      data: { ok: true },
      platform: { ok: true },
      steps: expect.arrayContaining([expect.objectContaining({ step: 'keychain', state: 'ok' })]),
    });
    const exported = await run(['connections', 'export']);
    const output = [added, tested, exported].map(({ stdout, stderr }) => stdout + stderr).join();
    const onDisk = await readFile(join(folder, 'connections.json'), 'utf8');
    expect(output + onDisk).not.toContain(key);
    expect(service.seen.every(({ url }) => !url.href.includes(key))).toBe(true);
    const id = (added.summary() as { id: string }).id;
    expect(await ring.accounts('Wellbench')).toContain(id);
    expect(await run(['connections', 'remove', 'North Ridge'])).toMatchObject({ code: 0 });
    expect(await ring.accounts('Wellbench')).not.toContain(id);
    expect((await run(wells)).error()).toMatchObject({ code: 'connection_unknown' });
  });

  it('use email and password: two concurrent processes renew the session once', async () => {
    const { service, cli, run, add } = await world();
    expect(await add(account.password, '--email', account.email)).toMatchObject({ code: 0, stderr: '' });
    service.state.good.clear();
    const ended = await Promise.all([cli(wells), cli(wells)]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(service.state.auths).toEqual([
      { email: account.email, password: account.password },
      { refresh_token: expect.stringContaining('refresh-secret-1') },
    ]);
    expect(await run(wells)).toMatchObject({ code: 0 });
    expect(service.state.auths).toHaveLength(2);
  });

  it('say so when a renewed session can’t be saved, whether the command succeeds, fails, or tests them', async () => {
    const { service, run, add } = await world();
    const { id } = (await add(account.password, '--email', account.email)).summary() as { id: string };
    expect(await run(wells)).toMatchObject({ code: 0, stderr: '' });
    const session = { inKeychain: await ring.read('Wellbench', id), refresh: service.state.refresh };
    service.state.before = async ({ url }) => {
      if (url.pathname === '/v1/user_token') await ring.write('Wellbench', id, 'of another version');
    };
    for (const [args, code] of [
      [wells, 0],
      [['count', 'demo/wits', '--connection', 'North Ridge'], 1],
      [['connections', 'test', 'North Ridge'], 0],
    ] as const) {
      await ring.write('Wellbench', id, session.inKeychain);
      service.state.refresh = session.refresh;
      service.state.good.clear();
      const { code: ended, stderr } = await run(args);
      expect([ended, stderr]).toEqual([code, expect.stringContaining(describeKeychain('damaged'))]);
    }
  });

  it('are named once: another --connection is refused', async () => {
    const { run, add } = await world();
    await add(key);
    const another = (...args: string[]) => run(['--connection', 'South', 'connections', ...args, '--json']);
    for (const command of ['test', 'export', 'authenticate', 'remove'])
      expect((await another(command, 'North Ridge')).error()).toMatchObject({
        details: { issues: [{ place: { field: 'connection' } }] },
      });
    const same = ['--connection', 'North Ridge', 'connections', 'export', 'North Ridge'];
    expect((await run(same)).stdout).toContain('North Ridge');
    expect((await another('export')).error()).toMatchObject({ code: 'connection_unknown' });
  });

  it('send a revoked session once, across all requests; a new sign-in serves them', async () => {
    const { service, cli, run, add } = await world();
    await add(account.password, '--email', account.email);
    service.state.good.clear();
    service.state.refresh = 'revoked';
    const ended = await Promise.all([cli(wells), cli(wells)]);
    expect(ended.map(({ code }) => code)).toEqual([4, 4]);
    expect((await run(wells)).error()).toMatchObject({ details: { why: 'secret_missing' } });
    expect(service.state.auths).toHaveLength(2);
    const again = await cli(['connections', 'authenticate', 'North Ridge', '--json'], account.password);
    expect(again).toMatchObject({ code: 0 });
    expect(await run(wells)).toMatchObject({ code: 0 });
  });

  it('keep credentials that can’t be read, and say so when they are replaced', async () => {
    const { cli, run, add } = await world();
    const { id } = (await add(key)).summary() as { id: string };
    await ring.write('Wellbench', id, 'of another version');
    const replaced = await cli(['connections', 'authenticate', 'North Ridge', '--json'], key);
    const damaged = { code: 'keychain_unavailable', details: { trouble: 'damaged' } };
    expect(replaced).toMatchObject({ code: 1, stdout: '' });
    expect(replaced.error()).toMatchObject(damaged);
    expect(await ring.read('Wellbench', id)).toBe('of another version');
    expect((await run(['connections', 'list', '--json'])).summary()).toMatchObject({
      connections: [{ name: 'North Ridge' }],
    });
  });

  it('are not saved with a wrong password, an empty stdin, or an invalid address', async () => {
    const { run, add } = await world();
    expect(await add('wrong one', '--email', account.email)).toMatchObject({ code: 4 });
    expect((await add('')).error()).toMatchObject({ code: 'invalid_input' });
    expect((await add(key, '--data-url', 'http://data.example')).error()).toMatchObject({
      details: { issues: [{ place: { field: 'data-url' } }] },
    });
    expect((await run(['connections', 'list', '--json'])).summary()).toEqual({ connections: [] });
  });

  it('are imported from a colleague, and each still needs its credentials', async () => {
    const { cli, run, add, folder } = await world();
    await add(key);
    const file = join(folder, 'profiles.json');
    const { stdout } = await run(['connections', 'export', 'North Ridge']);
    await writeFile(file, stdout);
    const otherFolder = await folders();
    const there = ['--data-dir', otherFolder];
    const imported = await run(['connections', 'import', file, '--json', ...there]);
    expect(imported.summary()).toMatchObject({
      added: [{ name: 'North Ridge', secret: 'missing' }],
      problems: [],
    });
    // As Windows PowerShell redirects it.
    await writeFile(file, Buffer.from(`\uFEFF${stdout}`, 'utf16le'));
    const byPowerShell = ['connections', 'import', file, '--json', '--data-dir', await folders()];
    expect((await run(byPowerShell)).summary()).toMatchObject({
      added: [{ name: 'North Ridge' }],
      problems: [],
    });
    expect(await run([...wells, ...there])).toMatchObject({ code: 4 });
    expect(await cli(['connections', 'authenticate', 'North Ridge', ...there], key)).toMatchObject({
      code: 0,
    });
    expect(await run([...wells, ...there])).toMatchObject({ code: 0 });
  });
});

describe.runIf(hasKeyring())('a locked keychain', () => {
  it('refuses a connection whose key was accepted meanwhile, which isn’t saved', async () => {
    const ring = await startKeyring();
    try {
      const service = await loginService(servers);
      service.state.keys.add(key);
      service.state.before = () => ring.lock();
      const env = { ...ring.env, WELLBENCH_KEYCHAIN: '', WELLBENCH_DATA_DIR: await folders() };
      const addresses = ['--data-url', service.url, '--platform-url', service.url, '--json'];
      const added = await runCli(['connections', 'add', 'North Ridge', ...addresses], env, key);
      expect(added.error()).toMatchObject({ code: 'keychain_unavailable', details: { trouble: 'locked' } });
      const listed = await runInProcess(['connections', 'list', '--json'], env);
      expect(listed.summary()).toEqual({ connections: [] });
    } finally {
      await ring.close();
    }
  });

  it('refuses a sign-in that was accepted meanwhile; the connection keeps the key that it has', async () => {
    const ring = await startKeyring();
    try {
      const service = await loginService(servers);
      service.state.keys.add(key);
      const env = { ...ring.env, WELLBENCH_KEYCHAIN: '', WELLBENCH_DATA_DIR: await folders() };
      const addresses = ['--data-url', service.url, '--platform-url', service.url, '--json'];
      await runCli(['connections', 'add', 'North Ridge', ...addresses], env, key);
      const list = async () => (await runInProcess(['connections', 'list', '--json'], env)).summary();
      const before = await list();
      service.state.before = () => ring.lock();
      const signIn = ['connections', 'authenticate', 'North Ridge', '--email', account.email, '--json'];
      const replaced = await runCli(signIn, env, account.password);
      expect(replaced.error()).toMatchObject({
        code: 'keychain_unavailable',
        details: { trouble: 'locked' },
      });
      expect(await list()).toEqual(before);
    } finally {
      await ring.close();
    }
  });

  it('is reported, with nothing saved and nothing lost', async () => {
    const ring = await startKeyring();
    try {
      const service = await loginService(servers);
      service.state.keys.add(key);
      const env = { ...ring.env, WELLBENCH_KEYCHAIN: '', WELLBENCH_DATA_DIR: await folders() };
      const add = (name: string) => [
        'connections',
        'add',
        name,
        '--json',
        '--data-url',
        service.url,
        '--platform-url',
        service.url,
      ];
      await runCli(add('North Ridge'), env, key);
      await ring.lock();
      const locked = { code: 'keychain_unavailable', details: { trouble: 'locked' } };
      expect((await runCli(add('South'), env, key)).error()).toMatchObject(locked);
      const used = await runInProcess(['wells', '--connection', 'North Ridge', '--json'], env);
      expect(used.error()).toMatchObject(locked);
      const { connections } = (await runInProcess(['connections', 'list', '--json'], env)).summary() as {
        connections: object[];
      };
      expect(connections).toMatchObject([{ name: 'North Ridge', secret: 'keychain' }]);
    } finally {
      await ring.close();
    }
  });
});
