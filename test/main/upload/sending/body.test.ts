import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { partOfBody } from '../../../../src/main/upload/sending/body.ts';

it('any part of a body is a body of just those records', () => {
  const records = fc.array(
    fc.oneof(
      fc.record({ s: fc.string({ unit: 'binary' }), n: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
      fc.constant({}),
    ),
    { minLength: 1, maxLength: 12 },
  );
  fc.assert(
    fc.property(records, fc.nat(), fc.nat(), (all, a, b) => {
      const first = a % all.length;
      const count = 1 + (b % (all.length - first));
      const body = new TextEncoder().encode(`[${all.map((record) => JSON.stringify(record)).join(',\n')}]`);
      const part = new TextDecoder().decode(partOfBody(body, first, count, all.length));
      expect(JSON.parse(part)).toEqual(JSON.parse(JSON.stringify(all.slice(first, first + count))));
    }),
  );
});
