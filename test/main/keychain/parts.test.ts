import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ownerOfPart, partAccount, readHead, split, sumOf } from '../../../src/main/keychain/parts.ts';

const generation = '0a1b2c3d';
const secrets = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.string({ unit: 'binary', minLength: 1100, maxLength: 4000 }),
  fc.string({ minLength: 1190, maxLength: 1210 }),
);

describe('a secret', () => {
  it('is split into entries that each keychain takes, and comes back as it was', () => {
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
          expect(head).toMatchObject({ count: parts.length, generation, sum: sumOf(secret) });
          expect(entry).not.toContain(secret.slice(0, 20));
        }
      }),
    );
  });

  it('that is short stands in one entry', () => {
    expect(split('short', generation)).toEqual({ entry: 'w1:0:short', parts: [] });
  });
});

describe('an entry', () => {
  it.each(['', 'something of another program', 'w2:0:newer', 'w1:x:y', 'w1:2:0a1b2c3d:short'])(
    'that reads “%s” is not ours',
    (entry) => {
      expect(readHead(entry)).toBeNull();
    },
  );

  it('of a part names whom it belongs to', () => {
    expect(ownerOfPart(partAccount('a~b', generation, 12))).toBe('a~b');
    expect(ownerOfPart('a~b')).toBeNull();
    expect(ownerOfPart('6f9619ff-8b86-d011-b42d-00cf4fc964ff')).toBeNull();
  });
});
