import { afterEach, describe, expect, it } from 'vitest';
import { openKeychain, type KeychainOptions } from '../../../../src/main/core/keychain/keychain.ts';
import {
  keychainCalls,
  keychainError,
  KeychainFailure,
} from '../../../../src/main/core/keychain/keychain.ts';
import type { ProcessPort } from '../../../../src/main/world/threads.ts';
import { serve } from '../../../../src/shared/threads.ts';
import { portPair } from '../../../support/port-pair.ts';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const keychain of opened.splice(0)) keychain.close();
});
function open(options: Partial<KeychainOptions>) {
  const keychain = openKeychain({ env: {}, ...options });
  opened.push(keychain);
  return keychain;
}

/** Processes with a scripted keychain; null: no response. */
function helpers(answer: (account: string, nth: number) => string | true | null) {
  const started: { seen: string[]; killed: boolean; held: boolean; end: () => void }[] = [];
  let most = 0;
  const start = (): ProcessPort => {
    const state = { seen: [] as string[], killed: false, held: false, end: (): void => undefined };
    started.push(state);
    let running = 0;
    async function call(_service: string, account = ''): Promise<never> {
      state.seen.push(account);
      running += 1;
      most = Math.max(most, running);
      const found = answer(account, state.seen.length);
      await (found === null ? new Promise(() => undefined) : new Promise((resolve) => setImmediate(resolve)));
      running -= 1;
      return found as never;
    }
    const [near, far] = portPair();
    const keychain = { getPassword: call, setPassword: call, deletePassword: call };
    serve(far, keychainCalls(keychain), keychainError);
    return {
      ...near,
      onEnd: (listener) => (state.end = () => listener('it ended')),
      close: () => (state.killed = true),
      setReferenced: (held) => (state.held = held),
    };
  };
  return { start, started, most: () => most };
}

const unavailable = (trouble: string) => ({ code: 'keychain_unavailable', details: { trouble } });

describe('the process of the keychain', () => {
  it('is started on demand, gets one request at a time, and delays nothing while idle', async () => {
    const { start, started, most } = helpers((account) => `of ${account}`);
    const keychain = open({ start });
    expect(started).toHaveLength(0);
    const accounts = ['a', 'b', 'c', 'd', 'e'];
    const secrets = await Promise.all(accounts.map((account) => keychain.getPassword('s', account)));
    expect(secrets).toEqual(accounts.map((account) => `of ${account}`));
    expect(most()).toBe(1);
    expect(started).toMatchObject([{ killed: false, held: false }]);
  });

  it('ends after a time without requests, and starts again', async () => {
    const { start, started } = helpers(() => true);
    const keychain = open({ start, idleMs: 1 });
    await keychain.deletePassword('s', 'a');
    await expect.poll(() => started[0]?.killed).toBe(true);
    expect(await keychain.deletePassword('s', 'a')).toBe(true);
    expect(started).toHaveLength(2);
  });

  it('without a response in time is ended, and all callers get an error', async () => {
    const { start, started } = helpers((_account, nth) => (nth === 2 ? null : 'x'));
    const keychain = open({ start, timeoutMs: 20 });
    const [first, second, third] = await Promise.allSettled(
      ['a', 'b', 'c'].map((account) => keychain.getPassword('s', account)),
    );
    expect(first).toMatchObject({ value: 'x' });
    expect(second).toMatchObject({ reason: unavailable('silent') });
    expect(third).toMatchObject({ reason: unavailable('silent') });
    expect(started).toMatchObject([{ killed: true }]);
    expect(await keychain.getPassword('s', 'd')).toBe('x');
    expect(started).toHaveLength(2);
  });

  it('that ends unexpectedly is reported, and restarted', async () => {
    const { start, started } = helpers((_account, nth) => (nth === 1 ? null : 'x'));
    const keychain = open({ start });
    const pending = keychain.getPassword('s', 'a');
    started[0]?.end();
    await expect(pending).rejects.toMatchObject(unavailable('other'));
    const again = keychain.getPassword('s', 'a');
    expect(started).toHaveLength(2);
    started[1]?.end();
    await expect(again).rejects.toMatchObject(unavailable('other'));
  });

  it('reports errors without a secret in them', async () => {
    const { start } = helpers(() => {
      throw new KeychainFailure('locked');
    });
    const error: unknown = await open({ start })
      .setPassword('s', 'a', 'very-secret')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(unavailable('locked'));
    expect(JSON.stringify(error)).not.toContain('very-secret');
  });

  it('is not started when it is turned off', async () => {
    const { start, started } = helpers(() => 'x');
    const keychain = open({ start, env: { WELLBENCH_KEYCHAIN: 'off' } });
    await expect(keychain.getPassword('s', 'a')).rejects.toMatchObject(unavailable('off'));
    expect(started).toEqual([]);
  });
});

describe('without D-Bus or a Secret Service', () => {
  it
    .runIf(process.platform === 'linux')
    .each([{}, { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus', XDG_RUNTIME_DIR: '/nonexistent' }])(
    'no secret is stored, and every call reports that there is no keychain (%#)',
    async (env) => {
      const keychain = open({ env });
      for (const call of [
        () => keychain.setPassword('Wellbench test', 'a', 'x'),
        () => keychain.getPassword('Wellbench test', 'a'),
        () => keychain.deletePassword('Wellbench test', 'a'),
      ])
        await expect(call()).rejects.toMatchObject(unavailable('absent'));
    },
  );
});
