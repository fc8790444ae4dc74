import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createIdSet, idKey } from '../../../../src/main/core/reading/runs.ts';

const id = fc.oneof(
  fc.string({ unit: fc.constantFrom('0', '1', 'a', 'f'), minLength: 24, maxLength: 24 }),
  fc.string({ maxLength: 4 }),
  fc.constant('0'.repeat(24)),
);

describe('the set of ids', () => {
  it('contains exactly the added ids', () => {
    fc.assert(
      fc.property(fc.array(id, { maxLength: 60 }), fc.array(id, { maxLength: 60 }), (added, asked) => {
        const set = createIdSet();
        for (const one of added) set.add(idKey(JSON.stringify(one)));
        expect(set.size).toBe(new Set(added).size);
        for (const one of [...added, ...asked])
          expect(set.has(idKey(JSON.stringify(one)))).toBe(added.includes(one));
      }),
    );
  });

  it('grows', () => {
    const set = createIdSet();
    const nth = (n: number) => idKey(`"66f0c0ffee${n.toString(16).padStart(14, '0')}"`);
    for (let n = 0; n < 20_000; n += 1) set.add(nth(n));
    expect(set.size).toBe(20_000);
    for (let n = 0; n < 40_000; n += 7) expect(set.has(nth(n))).toBe(n < 20_000);
  });

  it('never contains a record without an id', () => {
    const set = createIdSet();
    set.add(idKey(null));
    expect(set.has(idKey(null))).toBe(false);
  });
});
