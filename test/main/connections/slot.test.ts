import { describe, expect, it } from 'vitest';
import { createSlot, type SlotState } from '../../../src/main/connections/slot.ts';
import { secretText, type Secret } from '../../../src/main/connections/secret.ts';
import { testKeychain } from '../../support/keychain.ts';

const key = (apiKey: string): Secret => ({ method: 'api_key', apiKey });

function slotOver(place: SlotState['place'] = 'keychain') {
  const keychain = testKeychain();
  const states: string[] = [];
  const slot = createSlot({
    id: 'c1',
    keychain,
    place,
    alone: (work) => work(),
    onChange: ({ place: now, trouble }) => states.push(trouble ? `${now} ${trouble}` : now),
  });
  return { keychain, slot, states };
}

describe('the place of a secret', () => {
  it('is the keychain, and is not looked at before it is needed', async () => {
    const { keychain, slot, states } = slotOver('missing');
    expect(keychain.asked).toBe(0);
    await slot.write(key('a'));
    expect(await slot.read()).toEqual(key('a'));
    expect(keychain.secrets.get('c1')).toBe(secretText(key('a')));
    await slot.write(null);
    expect(await slot.read()).toBeNull();
    expect(keychain.secrets.size).toBe(0);
    expect(states).toEqual(['keychain', 'missing']);
  });

  it.each(['absent', 'locked', 'denied', 'silent', 'off'] as const)(
    'is this session alone when the keychain is %s',
    async (trouble) => {
      const { keychain, slot } = slotOver('missing');
      keychain.trouble = trouble;
      await slot.write(key('a'));
      expect(slot.state()).toEqual({ place: 'session', trouble });
      expect(await slot.read()).toEqual(key('a'));
      expect(keychain.secrets.size).toBe(0);
    },
  );

  it('that can’t be read says why, and is still there', async () => {
    const { keychain, slot } = slotOver();
    await slot.write(key('a'));
    keychain.trouble = 'locked';
    await expect(slot.read()).rejects.toMatchObject({ details: { trouble: 'locked' } });
    expect(slot.state()).toEqual({ place: 'keychain', trouble: 'locked' });
    keychain.trouble = null;
    expect(await slot.read()).toEqual(key('a'));
    expect(slot.state()).toEqual({ place: 'keychain', trouble: undefined });
  });

  it('becomes the keychain when it opens again; until then the newer secret in memory counts', async () => {
    const { keychain, slot } = slotOver();
    await slot.write(key('old'));
    keychain.trouble = 'locked';
    await slot.write(key('new'));
    keychain.trouble = null;
    expect(await slot.read()).toEqual(key('new'));
    expect(keychain.secrets.get('c1')).toBe(secretText(key('old')));
    await slot.alone(async () => undefined);
    expect(keychain.secrets.get('c1')).toBe(secretText(key('new')));
    expect(slot.state()).toEqual({ place: 'keychain', trouble: undefined });
  });

  it('gives way to what another process has put there meanwhile', async () => {
    const { keychain, slot } = slotOver();
    await slot.write(key('old'));
    keychain.trouble = 'locked';
    await slot.write(key('mine'));
    keychain.trouble = null;
    keychain.secrets.set('c1', secretText(key('theirs')));
    await slot.alone(async () => undefined);
    expect(await slot.read()).toEqual(key('theirs'));
  });

  it('that was discarded while the keychain was locked stays discarded', async () => {
    const { keychain, slot } = slotOver();
    await slot.write(key('refused'));
    keychain.trouble = 'locked';
    await slot.write(null);
    keychain.trouble = null;
    expect(await slot.read()).toBeNull();
    await slot.alone(async () => undefined);
    expect(keychain.secrets.size).toBe(0);
  });

  it('holding what a newer version wrote is left as it is', async () => {
    const { keychain, slot } = slotOver();
    keychain.secrets.set('c1', '{"method":"passkey"}');
    await expect(slot.read()).rejects.toMatchObject({ details: { trouble: 'damaged' } });
    await slot.write(key('a'));
    expect(slot.state()).toEqual({ place: 'session', trouble: 'damaged' });
    expect(keychain.secrets.get('c1')).toBe('{"method":"passkey"}');
    expect(await slot.read()).toEqual(key('a'));
  });
});
