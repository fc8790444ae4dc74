import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../../src/shared/json.ts';
import {
  messageText,
  readResponse,
  recordsOfBody,
} from '../../../../../src/main/features/upload/sending/insert.ts';

const answer = (stored: number, failedCount: number, messages: JsonValue[] = []) =>
  readResponse(
    {
      kind: 'answered',
      insertedIds: Array.from({ length: stored }, (_, n) => String(n)),
      failedCount,
      messages,
    },
    4,
  );

describe('the response to an insert of four records', () => {
  it('accepts all of them', () => {
    expect(answer(4, 0, ['a note'])).toEqual({ known: true, refused: [] });
  });

  it('identifies the failed ones when each message names a different record', () => {
    expect(
      answer(2, 2, [
        { index: 3, message: 'late' },
        { index: 0, error: { reason: 'old' } },
      ]),
    ).toEqual({
      known: true,
      refused: [
        { at: 3, message: 'late' },
        { at: 0, message: 'old' },
      ],
    });
  });

  it('rejects all of them, whatever the messages', () => {
    expect(answer(0, 4, ['no permission'])).toEqual({
      known: true,
      refused: [0, 1, 2, 3].map((at) => ({ at, message: 'no permission' })),
    });
  });

  it.each([
    ['counts that don’t add up', answer(3, 0)],
    ['more records than were sent', answer(4, 1)],
    ['text without a position', answer(3, 1, ['record 2 failed'])],
    ['no messages', answer(3, 1)],
    ['too few positions', answer(2, 2, [{ index: 1 }])],
    ['one position twice', answer(2, 2, [{ index: 1 }, { index: 1 }])],
    ['a position after the last, as if counted from 1', answer(2, 2, [{ index: 3 }, { index: 4 }])],
  ])('with %s leaves all of them unknown', (_what, reading) => {
    expect(reading.known).toBe(false);
  });
});

it.each<[string, JsonValue, string]>([
  ['text', 'text', 'text'],
  ['an object with a message', { message: 'm' }, 'm'],
  ['a nested value', { error: { code: 'c', details: ['d'] } }, 'd'],
  ['some text in an object', { index: 1, why: 'w' }, 'w'],
  ['an object without text', { index: 1 }, ''],
  ['null', null, ''],
  ['a list, with all digits of its numbers', ['x', 9007199254740993n], '["x",9007199254740993]'],
])('a message that is %s becomes text', (_what, message, said) => {
  expect(messageText(message)).toBe(said);
});

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

it('a body that isn’t written line by line isn’t cut', () => {
  expect(() => recordsOfBody(Buffer.from('[{"a":1},{"a":2}]'), [1], 2)).toThrow();
});
