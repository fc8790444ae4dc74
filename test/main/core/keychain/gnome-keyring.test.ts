import { spawn } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openKeychain, type OpenKeychain } from '../../../../src/main/core/keychain/keychain.ts';
import { hasKeyring, startKeyring, type Keyring } from '../../../support/keyring.ts';

const service = 'Wellbench test';
const unavailable = (trouble: string) => ({ code: 'keychain_unavailable', details: { trouble } });
const opened: OpenKeychain[] = [];
const rings: Keyring[] = [];
function closeAll(): void {
  for (const keychain of opened.splice(0)) keychain.close();
}
afterEach(closeAll);
afterAll(async () => {
  await Promise.all(rings.map((ring) => ring.close()));
});
/** Processes that use this keyring. */
async function helpersOf(ring: Keyring): Promise<string[]> {
  const found: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [command, environment] = await Promise.all(
      ['cmdline', 'environ'].map((name) => readFile(`/proc/${pid}/${name}`, 'latin1').catch(() => '')),
    );
    if (
      command?.includes('keychain/helper') &&
      environment?.includes(ring.env['DBUS_SESSION_BUS_ADDRESS'] ?? '')
    )
      found.push(pid);
  }
  return found;
}
const keyringOf = async (...options: Parameters<typeof startKeyring>): Promise<Keyring> => {
  const ring = await startKeyring(...options);
  rings.push(ring);
  return ring;
};
function open(ring: Keyring, timeoutMs = 20_000): OpenKeychain {
  const keychain = openKeychain({ env: ring.env, timeoutMs });
  opened.push(keychain);
  return keychain;
}

describe.runIf(hasKeyring())('a real GNOME Keyring', () => {
  let ring: Keyring;
  beforeAll(async () => {
    ring = await keyringOf();
  });

  it('shares secrets of one process with another, which reads and deletes them', async () => {
    const long = 'é😀 a pair of tokens '.repeat(400);
    await open(ring).setPassword(service, 'a', 'a short one');
    await open(ring).setPassword(service, 'b', long);
    const other = open(ring);
    expect(await other.getPassword(service, 'a')).toBe('a short one');
    expect(await other.getPassword(service, 'b')).toBe(long);
    expect(await other.getPassword(service, 'nobody')).toBeNull();
    expect(await ring.accounts(service)).toContain('a');
    expect(await other.deletePassword(service, 'b')).toBe(true);
    expect(await other.deletePassword(service, 'b')).toBe(false);
    expect(await ring.accounts(service)).toEqual(['a']);
  });

  it('responds to fifty concurrent calls', async () => {
    const keychain = open(ring);
    const accounts = Array.from({ length: 50 }, (_, n) => `many-${n}`);
    await Promise.all(accounts.map((account) => keychain.setPassword(service, account, `of ${account}`)));
    expect(await Promise.all(accounts.map((account) => keychain.getPassword(service, account)))).toEqual(
      accounts.map((account) => `of ${account}`),
    );
  });
});

describe.runIf(hasKeyring())('an inaccessible GNOME Keyring', () => {
  it('that is locked reports it, and keeps its secrets', async () => {
    const ring = await keyringOf();
    const keychain = open(ring);
    await keychain.setPassword(service, 'a', 'before');
    await ring.lock();
    for (const call of [
      () => keychain.getPassword(service, 'a'),
      () => keychain.setPassword(service, 'a', 'after'),
      () => keychain.setPassword(service, 'new', 'x'),
      () => keychain.deletePassword(service, 'a'),
    ])
      await expect(call()).rejects.toMatchObject(unavailable('locked'));
    expect(await ring.accounts(service)).toEqual(['a']);
  });

  it('that is frozen times out', async () => {
    const ring = await keyringOf();
    const keychain = open(ring);
    await keychain.setPassword(service, 'a', 'x');
    ring.freeze();
    await expect(keychain.getPassword(service, 'a')).rejects.toMatchObject(unavailable('silent'));
    ring.thaw();
    expect(await keychain.getPassword(service, 'a')).toBe('x');
  });

  it('that doesn’t exist although D-Bus does is reported as absent', async () => {
    const ring = await keyringOf({ daemon: false });
    await expect(open(ring).setPassword(service, 'a', 'x')).rejects.toMatchObject(unavailable('absent'));
  });

  it('that waits for the user delays neither files nor the end of a process', async () => {
    const ring = await keyringOf({ prompter: true });
    await open(ring).setPassword(service, 'a', 'x');
    await ring.lock();
    const waiting = open(ring, 600);
    const calls = Array.from({ length: 8 }, () => waiting.getPassword(service, 'a'));
    // Four calls that wait in this process would delay every read of a file.
    expect(await readFile(import.meta.filename, 'utf8')).toContain('hold up');
    for (const result of await Promise.allSettled(calls))
      expect(result).toMatchObject({ reason: unavailable('silent') });

    closeAll();
    await expect.poll(() => helpersOf(ring), { timeout: 10_000 }).toEqual([]);
    const script = `
      import { openKeychain } from ${JSON.stringify(join(import.meta.dirname, '../../../../src/main/core/keychain/keychain.ts'))};
      openKeychain({ env: process.env }).getPassword('${service}', 'a');
      process.stdin.once('data', () => process.exit(7));`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
      env: ring.env,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await expect.poll(() => helpersOf(ring), { timeout: 10_000 }).toHaveLength(1);
    // It waits for the prompt by now, or is about to.
    await new Promise((resolve) => setTimeout(resolve, 300));
    child.stdin.write('end');
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(7);
    // Neither does a child process of it remain.
    await expect.poll(() => helpersOf(ring), { timeout: 10_000 }).toEqual([]);
  });
});
