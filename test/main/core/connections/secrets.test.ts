import { describe, expect, it } from 'vitest';
import { SecretStore, type SecretState, type Secret } from '../../../../src/main/core/connections/secrets.ts';
import { testKeychain } from '../../../support/keychain.ts';

const key = (apiKey: string): Secret => ({ method: 'api_key', apiKey });

function secretStoreOver(place: SecretState['place'] = 'keychain') {
  const keychain = testKeychain();
  const states: string[] = [];
  const secretStore = new SecretStore({
    id: 'c1',
    keychain,
    place,
    withLock: (work) => work(),
    onChange: ({ place: now, trouble }) => states.push(trouble ? `${now} ${trouble}` : now),
  });
  return { keychain, secretStore, states };
}

describe('the storage of credentials', () => {
  it('is the keychain, which is not read before it is needed', async () => {
    const { keychain, secretStore, states } = secretStoreOver('missing');
    expect(keychain.asked).toBe(0);
    await secretStore.write(key('a'));
    expect(await secretStore.read()).toEqual(key('a'));
    expect(keychain.secrets.get('c1')).toBe(JSON.stringify(key('a')));
    await secretStore.write(null);
    expect(await secretStore.read()).toBeNull();
    expect(keychain.secrets.size).toBe(0);
    expect(states).toEqual(['keychain', 'missing']);
  });

  it.each(['absent', 'locked', 'denied', 'silent', 'off'] as const)(
    'is this session only when the keychain is %s',
    async (trouble) => {
      const { keychain, secretStore } = secretStoreOver('missing');
      keychain.trouble = trouble;
      await secretStore.write(key('a'));
      expect(secretStore.state()).toEqual({ place: 'session', trouble });
      expect(await secretStore.read()).toEqual(key('a'));
      expect(keychain.secrets.size).toBe(0);
    },
  );

  it('that can’t be read reports why, and keeps the credentials', async () => {
    const { keychain, secretStore } = secretStoreOver();
    await secretStore.write(key('a'));
    keychain.trouble = 'locked';
    await expect(secretStore.read()).rejects.toMatchObject({ details: { trouble: 'locked' } });
    expect(secretStore.state()).toEqual({ place: 'keychain', trouble: 'locked' });
    keychain.trouble = null;
    expect(await secretStore.read()).toEqual(key('a'));
    expect(secretStore.state()).toEqual({ place: 'keychain', trouble: undefined });
  });

  it('is the keychain again once it unlocks; until then the newer credentials in memory are used', async () => {
    const { keychain, secretStore } = secretStoreOver();
    await secretStore.write(key('old'));
    keychain.trouble = 'locked';
    await secretStore.write(key('new'));
    keychain.trouble = null;
    expect(await secretStore.read()).toEqual(key('new'));
    expect(keychain.secrets.get('c1')).toBe(JSON.stringify(key('old')));
    await secretStore.withLock(async () => undefined);
    expect(keychain.secrets.get('c1')).toBe(JSON.stringify(key('new')));
    expect(secretStore.state()).toEqual({ place: 'keychain', trouble: undefined });
  });

  it('has the value that another process stored meanwhile', async () => {
    const { keychain, secretStore } = secretStoreOver();
    await secretStore.write(key('old'));
    keychain.trouble = 'locked';
    await secretStore.write(key('mine'));
    keychain.trouble = null;
    keychain.secrets.set('c1', JSON.stringify(key('theirs')));
    await secretStore.withLock(async () => undefined);
    expect(await secretStore.read()).toEqual(key('theirs'));
  });

  it('keeps credentials deleted that were discarded while the keychain was locked', async () => {
    const { keychain, secretStore } = secretStoreOver();
    await secretStore.write(key('refused'));
    keychain.trouble = 'locked';
    await secretStore.write(null);
    keychain.trouble = null;
    expect(await secretStore.read()).toBeNull();
    await secretStore.withLock(async () => undefined);
    expect(keychain.secrets.size).toBe(0);
  });

  it('of a newer version is unchanged', async () => {
    const { keychain, secretStore } = secretStoreOver();
    keychain.secrets.set('c1', '{"method":"passkey"}');
    await expect(secretStore.read()).rejects.toMatchObject({ details: { trouble: 'damaged' } });
    await secretStore.write(key('a'));
    expect(secretStore.state()).toEqual({ place: 'session', trouble: 'damaged' });
    expect(keychain.secrets.get('c1')).toBe('{"method":"passkey"}');
    expect(await secretStore.read()).toEqual(key('a'));
  });
});
