import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KnownIds, packIds, unpackIds } from '../../../../src/main/upload/model/id-runs.ts';

const counted = Array.from(
  { length: 300 },
  (_, n) => `66f0c0ffee00${(n + 4090).toString(16).padStart(12, '0')}`,
);
const id = fc.oneof(fc.constantFrom(...counted), fc.string());

describe('ids that follow one another', () => {
  it('are one run', () => {
    expect(packIds(counted)).toEqual([[counted[0], 300]]);
  });

  it('are unpacked unchanged, whatever the ids', () => {
    fc.assert(
      fc.property(fc.array(id), (ids) => {
        expect(unpackIds(packIds(ids))).toEqual(ids);
      }),
    );
  });

  it('are contained, and no others', () => {
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
