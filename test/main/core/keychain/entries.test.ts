import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  keychainOver,
  type Entries,
  ownerOfPart,
  partAccount,
  readHead,
  split,
  checksumOf,
} from '../../../../src/main/core/keychain/helper.ts';

/** The entries of a keychain with the size limit of Windows, which may fail before one of its changes. */
function keychainOfWindows() {
  const texts = new Map<string, string>();
  const state = { changesLeft: Number.POSITIVE_INFINITY, onGet: (_account: string): void => undefined };
  const change = (): void => {
    if (state.changesLeft <= 0) throw new Error('killed');
    state.changesLeft -= 1;
  };
  const entries: Entries = {
    async get(_service, account) {
      state.onGet(account);
      return texts.get(account) ?? null;
    },
    async set(_service, account, text) {
      change();
      if (text.length > 1280) throw new Error('too long');
      texts.set(account, text);
    },
    async delete(_service, account) {
      change();
      return texts.delete(account);
    },
    find: async () => [...texts.keys()],
  };
  return { texts, state, entries, keychain: keychainOver(entries) };
}

const service = 'Wellbench';
const long = (letter: string, length = 3000): string => letter.repeat(length);

describe('the keychain', () => {
  it('stores, returns, and deletes secrets, short and long', async () => {
    const { keychain, texts } = keychainOfWindows();
    expect(await keychain.getPassword(service, 'a')).toBeNull();
    expect(await keychain.deletePassword(service, 'a')).toBe(false);
    await keychain.setPassword(service, 'a', 'short');
    await keychain.setPassword(service, 'b', long('x'));
    expect(await keychain.getPassword(service, 'a')).toBe('short');
    expect(await keychain.getPassword(service, 'b')).toBe(long('x'));
    expect(await keychain.deletePassword(service, 'b')).toBe(true);
    expect([...texts.keys()]).toEqual(['a']);
  });

  it('has no secret when another process removes it between finding and fetching it', async () => {
    const { entries, keychain } = keychainOfWindows();
    await keychain.setPassword(service, 'a', long('x'));
    /** The Secret Service's error for an item that is deleted while its text is fetched. */
    const failOnce = (before: () => Promise<unknown>) => {
      let isFirst = true;
      return async () => {
        if (!isFirst) return;
        isFirst = false;
        await before();
        throw new Error('org.freedesktop.Secret.Error.NoSuchObject: no such object');
      };
    };
    const deletion = failOnce(() => keychain.deletePassword(service, 'a'));
    const reading = keychainOver({ ...entries, get: (...of) => deletion().then(() => entries.get(...of)) });
    expect(await reading.getPassword(service, 'a')).toBeNull();
    const removed = failOnce(async () => undefined);
    const removing = keychainOver({
      ...entries,
      delete: (...of) => removed().then(() => entries.delete(...of)),
    });
    expect(await removing.deletePassword(service, 'a')).toBe(false);
  });

  it('that is locked is not read again', async () => {
    const { entries } = keychainOfWindows();
    let requestCount = 0;
    const locked = keychainOver({
      ...entries,
      get: async () => {
        requestCount += 1;
        throw new Error('IsLocked');
      },
    });
    await expect(locked.getPassword(service, 'a')).rejects.toThrow('IsLocked');
    expect(requestCount).toBe(1);
  });

  it('leaves no part of a replaced secret', async () => {
    const { keychain, texts } = keychainOfWindows();
    await keychain.setPassword(service, 'a', long('x', 9000));
    await keychain.setPassword(service, 'a', long('y'));
    expect([...texts.values()].join('')).not.toContain('x');
    await keychain.setPassword(service, 'a', 'short');
    expect([...texts]).toEqual([['a', 'w1:0:short']]);
  });

  it('has the old value or the new one, wherever a writer was killed', async () => {
    const lengths = fc.integer({ min: 0, max: 6000 });
    await fc.assert(
      fc.asyncProperty(lengths, lengths, fc.nat({ max: 14 }), async (before, after, changes) => {
        const { keychain, texts, state } = keychainOfWindows();
        await keychain.setPassword(service, 'a', long('o', before));
        state.changesLeft = changes;
        const done = await keychain.setPassword(service, 'a', long('n', after)).then(
          () => true,
          () => false,
        );
        state.changesLeft = Number.POSITIVE_INFINITY;
        const kept = await keychain.getPassword(service, 'a');
        expect(kept).toBe(done ? long('n', after) : long('o', before));
        // Leftover parts are deleted with the account.
        await keychain.deletePassword(service, 'a');
        expect(texts.size).toBe(0);
      }),
    );
  });

  it('is read again when the secret is replaced meanwhile', async () => {
    const { keychain, state } = keychainOfWindows();
    await keychain.setPassword(service, 'a', long('x'));
    const replacing: Promise<void>[] = [];
    state.onGet = (account) => {
      if (account.includes('~') && replacing.length === 0)
        replacing.push(keychain.setPassword(service, 'a', long('y')));
    };
    expect([long('x'), long('y')]).toContain(await keychain.getPassword(service, 'a'));
    await Promise.all(replacing);
  });

  it('reports a missing part, which a new secret can replace', async () => {
    const { keychain, texts } = keychainOfWindows();
    await keychain.setPassword(service, 'a', long('x'));
    texts.delete([...texts.keys()].find((account) => account.endsWith('.1')) ?? '');
    await expect(keychain.getPassword(service, 'a')).rejects.toMatchObject({ trouble: 'damaged' });
    await keychain.setPassword(service, 'a', 'new');
    expect(await keychain.getPassword(service, 'a')).toBe('new');
  });

  it('never overwrites an entry that it can’t read', async () => {
    const { keychain, texts, state } = keychainOfWindows();
    texts.set('a', 'of a newer version');
    await expect(keychain.getPassword(service, 'a')).rejects.toMatchObject({ trouble: 'damaged' });
    await expect(keychain.setPassword(service, 'a', 'mine')).rejects.toMatchObject({ trouble: 'damaged' });
    texts.set('b', 'w1:0:fine');
    state.onGet = () => {
      throw new Error('locked');
    };
    await expect(keychain.setPassword(service, 'b', 'mine')).rejects.toThrow('locked');
    expect([...texts]).toEqual([
      ['a', 'of a newer version'],
      ['b', 'w1:0:fine'],
    ]);
  });
});

const generation = '0a1b2c3d';
const secrets = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.string({ unit: 'binary', minLength: 1100, maxLength: 4000 }),
  fc.string({ minLength: 1190, maxLength: 1210 }),
);

describe('a secret', () => {
  it('is split into entries that each keychain accepts, and is returned unchanged', () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const { entry, parts } = split(secret, generation);
        for (const text of [entry, ...parts]) {
          // Windows: 2,560 bytes of UTF-16.
          expect(text.length).toBeLessThan(1280);
          expect(text.isWellFormed()).toBe(true);
        }
        const head = readHead(entry);
        const back = head?.kind === 'whole' ? head.password : parts.join('');
        expect(back).toBe(secret);
        if (head?.kind === 'parts') {
          expect(head).toMatchObject({ count: parts.length, generation, sum: checksumOf(secret) });
          expect(entry).not.toContain(secret.slice(0, 20));
        }
      }),
    );
  });

  it('that is short is in one entry', () => {
    expect(split('short', generation)).toEqual({ entry: 'w1:0:short', parts: [] });
  });
});

describe('an entry', () => {
  it.each(['', 'data of another program', 'w2:0:newer', 'w1:x:y', 'w1:2:0a1b2c3d:short'])(
    'with “%s” is not ours',
    (entry) => {
      expect(readHead(entry)).toBeNull();
    },
  );

  it('of a part names its account', () => {
    expect(ownerOfPart(partAccount('a~b', generation, 12))).toBe('a~b');
    expect(ownerOfPart('a~b')).toBeNull();
    expect(ownerOfPart('6f9619ff-8b86-d011-b42d-00cf4fc964ff')).toBeNull();
  });
});
