import { describe, expect, it } from 'vitest';
import type { JsonValue } from '../../../../src/shared/json.ts';
import { messageText, readResponse } from '../../../../src/main/upload/ledger/answer.ts';

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

describe('the answer to an insert of four records', () => {
  it('reports that all were stored', () => {
    expect(answer(4, 0, ['a note'])).toEqual({ known: true, refused: [] });
  });

  it('reports which were not, when each message names another of them', () => {
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

  it('reports that none was stored, whatever the messages', () => {
    expect(answer(0, 4, ['no permission'])).toEqual({
      known: true,
      refused: [0, 1, 2, 3].map((at) => ({ at, message: 'no permission' })),
    });
  });

  it.each([
    ['numbers that do not add up', answer(3, 0)],
    ['more than was sent', answer(4, 1)],
    ['text without a place', answer(3, 1, ['record 2 failed'])],
    ['no messages', answer(3, 1)],
    ['too few places', answer(2, 2, [{ index: 1 }])],
    ['one place twice', answer(2, 2, [{ index: 1 }, { index: 1 }])],
    ['a place behind the last, as if they were counted from 1', answer(2, 2, [{ index: 3 }, { index: 4 }])],
  ])('with %s leaves it open', (_what, reading) => {
    expect(reading.known).toBe(false);
  });
});

it.each<[string, JsonValue, string]>([
  ['text', 'text', 'text'],
  ['an object with a message', { message: 'm' }, 'm'],
  ['something nested', { error: { code: 'c', details: ['d'] } }, 'd'],
  ['some text in an object', { index: 1, why: 'w' }, 'w'],
  ['nothing in words', { index: 1 }, ''],
  ['nothing', null, ''],
  ['a list, with all digits of its numbers', ['x', 9007199254740993n], '["x",9007199254740993]'],
])('a message that is %s is put in words', (_what, message, said) => {
  expect(messageText(message)).toBe(said);
});
