import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { recordsOfBody } from '../../../../../src/main/features/upload/sending/insert-part.ts';

it('any subset of a body’s records is a body of just those records', () => {
  const records = fc.array(
    fc.oneof(
      fc.record({ s: fc.string({ unit: 'binary' }), n: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
      fc.constant({}),
    ),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(records, fc.infiniteStream(fc.boolean()), (all, chosen) => {
      const places = [...all.keys()].filter(() => chosen.next().value);
      if (places.length === 0) places.push(0);
      const body = new TextEncoder().encode(`[${all.map((record) => JSON.stringify(record)).join(',\n')}]`);
      const part = new TextDecoder().decode(recordsOfBody(body, places, all.length));
      expect(JSON.parse(part)).toEqual(JSON.parse(JSON.stringify(places.map((place) => all[place]))));
    }),
  );
});
