import { afterEach, describe, expect, it } from 'vitest';
import { startUtilityProcess } from '../../../../src/main/hosts/electron/utility-process.ts';
import { openKeychain, type OpenKeychain } from '../../../../src/main/core/keychain/keychain.ts';
import { hasKeyring, startKeyring } from '../../../support/keyring.ts';
import { utilityProcess } from '../../../support/electron/utility-process.ts';

const opened: OpenKeychain[] = [];
afterEach(() => {
  for (const keychain of opened.splice(0)) keychain.close();
});

const started: number[] = [];
/** The keychain as the desktop opens it. */
function open(env: NodeJS.ProcessEnv, timeoutMs = 20_000): OpenKeychain {
  const fork: typeof utilityProcess.fork = (...options) => {
    const child = utilityProcess.fork(...options);
    if (child.pid !== undefined) started.push(child.pid);
    return child;
  };
  const start = startUtilityProcess({ fork } as never);
  const keychain = openKeychain({ env, start, timeoutMs });
  opened.push(keychain);
  return keychain;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

describe('the keychain in a utility process', () => {
  it.runIf(process.platform === 'linux')(
    'responds over the port of its parent, and ends when it is closed',
    async () => {
      const keychain = open({});
      await expect(keychain.getPassword('Wellbench test', 'a')).rejects.toMatchObject({
        code: 'keychain_unavailable',
        details: { trouble: 'absent' },
      });
      const pid = started.at(-1) ?? 0;
      expect(isAlive(pid)).toBe(true);
      keychain.close();
      await expect.poll(() => isAlive(pid)).toBe(false);
    },
  );

  it.runIf(hasKeyring())('stores and returns secrets', async () => {
    const ring = await startKeyring();
    try {
      const keychain = open(ring.env);
      await keychain.setPassword('Wellbench test', 'a', 'a secret');
      expect(await open(ring.env).getPassword('Wellbench test', 'a')).toBe('a secret');
    } finally {
      await ring.close();
    }
  });
});
