import { afterEach, describe, expect, it } from 'vitest';
import { openKeychain, type KeychainOptions } from '../../../src/main/keychain/open-keychain.ts';
import type { Request } from '../../../src/main/keychain/messages.ts';
import type { Helper } from '../../../src/main/keychain/start-helper.ts';

const opened: { close(): void }[] = [];
afterEach(() => {
  for (const keychain of opened.splice(0)) keychain.close();
});
function open(options: Partial<KeychainOptions>) {
  const keychain = openKeychain({ env: {}, ...options });
  opened.push(keychain);
  return keychain;
}

/** Helpers that answer as told; null: not at all. */
function helpers(answer: (request: Request, nth: number) => object | null) {
  const started: { seen: Request[]; killed: boolean; held: boolean; end: () => void }[] = [];
  let most = 0;
  const start = (): Helper => {
    const state = { seen: [] as Request[], killed: false, held: false, end: (): void => undefined };
    let tell = (_message: unknown): void => undefined;
    let running = 0;
    started.push(state);
    return {
      send(request) {
        state.seen.push(request);
        running += 1;
        most = Math.max(most, running);
        const reply = answer(request, state.seen.length);
        if (reply === null) return;
        setImmediate(() => {
          running -= 1;
          tell({ id: request.id, value: null, trouble: null, ...reply });
        });
      },
      onMessage: (listener) => (tell = listener),
      onEnd: (listener) => (state.end = listener),
      kill: () => (state.killed = true),
      hold: (held) => (state.held = held),
    };
  };
  return { start, started, most: () => most };
}

const unavailable = (trouble: string) => ({ code: 'keychain_unavailable', details: { trouble } });

describe('the process that holds the keychain', () => {
  it('is started when it is needed, is asked one thing at a time, and holds nothing up at rest', async () => {
    const { start, started, most } = helpers(({ account }) => ({ value: `of ${account}` }));
    const keychain = open({ start });
    expect(started).toHaveLength(0);
    const accounts = ['a', 'b', 'c', 'd', 'e'];
    const secrets = await Promise.all(accounts.map((account) => keychain.getPassword('s', account)));
    expect(secrets).toEqual(accounts.map((account) => `of ${account}`));
    expect(most()).toBe(1);
    expect(started).toMatchObject([{ killed: false, held: false }]);
  });

  it('goes when nothing is asked for a while, and comes back', async () => {
    const { start, started } = helpers(() => ({ value: true }));
    const keychain = open({ start, idleMs: 1 });
    await keychain.deletePassword('s', 'a');
    await expect.poll(() => started[0]?.killed).toBe(true);
    expect(await keychain.deletePassword('s', 'a')).toBe(true);
    expect(started).toHaveLength(2);
  });

  it('that gives no answer in time is ended, and all who wait are told', async () => {
    const { start, started } = helpers((_request, nth) => (nth === 2 ? null : { value: 'x' }));
    const keychain = open({ start, patienceMs: 20 });
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

  it('that ends by itself is told, and started anew', async () => {
    const { start, started } = helpers((_request, nth) => (nth === 1 ? null : { value: 'x' }));
    const keychain = open({ start });
    const asked = keychain.getPassword('s', 'a');
    started[0]?.end();
    await expect(asked).rejects.toMatchObject(unavailable('other'));
    const again = keychain.getPassword('s', 'a');
    expect(started).toHaveLength(2);
    started[1]?.end();
    await expect(again).rejects.toMatchObject(unavailable('other'));
  });

  it('says what is wrong without saying a secret', async () => {
    const { start } = helpers(() => ({ trouble: 'locked' }));
    const error: unknown = await open({ start })
      .setPassword('s', 'a', 'very-secret')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(unavailable('locked'));
    expect(JSON.stringify(error)).not.toContain('very-secret');
  });

  it('is not started where it was turned off', async () => {
    const { start, started } = helpers(() => ({ value: 'x' }));
    const keychain = open({ start, env: { WELLBENCH_KEYCHAIN: 'off' } });
    await expect(keychain.getPassword('s', 'a')).rejects.toMatchObject(unavailable('off'));
    expect(started).toEqual([]);
  });
});

describe('without D-Bus or a Secret Service', () => {
  it
    .runIf(process.platform === 'linux')
    .each([{}, { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus', XDG_RUNTIME_DIR: '/nonexistent' }])(
    'nothing is kept, and every call says that there is no keychain (%#)',
    async (env) => {
      const keychain = open({ env });
      for (const call of [
        () => keychain.setPassword('Wellbench test', 'a', 'x'),
        () => keychain.getPassword('Wellbench test', 'a'),
        () => keychain.deletePassword('Wellbench test', 'a'),
        () => keychain.findCredentials('Wellbench test'),
      ])
        await expect(call()).rejects.toMatchObject(unavailable('absent'));
    },
  );
});
