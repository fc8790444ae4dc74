import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownIds, packIds, unpackIds } from '../../../../src/main/core/records/id-runs.ts';

const counted = Array.from(
  { length: 300 },
  (_, n) => `66f0c0ffee00${(n + 4090).toString(16).padStart(12, '0')}`,
);
const id = fc.oneof(fc.constantFrom(...counted), fc.string());

describe('consecutive ids', () => {
  it('are stored as one run', () => {
    expect(packIds(counted)).toEqual([[counted[0], 300]]);
  });

  it('are unpacked unchanged, for any ids', () => {
    fc.assert(
      fc.property(fc.array(id), (ids) => {
        expect(unpackIds(packIds(ids))).toEqual(ids);
      }),
    );
  });

  it('are contained in the run, and no others are', () => {
    fc.assert(
      fc.property(fc.array(id), fc.array(id), (ids, others) => {
        const known = new KnownIds();
        known.add(packIds(ids));
        const again = new KnownIds();
        again.add([...known.runs()]);
        for (const one of [...ids, ...others]) {
          expect(known.has(one)).toBe(ids.includes(one));
          expect(again.has(one)).toBe(ids.includes(one));
        }
      }),
    );
  });
});
