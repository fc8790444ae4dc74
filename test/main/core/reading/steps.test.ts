import { describe, expect, it } from 'vitest';
import {
  type RunCursor,
  type WindowRule,
  endCursor,
  firstRun,
  firstWindow,
  surveyWindow,
} from '../../../../src/main/core/reading/cursor.ts';
import { createIdSet, idKey, advanceRun } from '../../../../src/main/core/reading/runs.ts';
import { advanceWindow } from '../../../../src/main/core/reading/windows.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';

type Entry = readonly [id: string | null, value: string | null];

const rule: WindowRule = {
  field: 'timestamp',
  direction: 1,
  tie: 1,
  kind: 'number',
  upper: '9',
  nulls: false,
};
const descending: WindowRule = { ...rule, direction: -1, nulls: true };
const keysOf = (...entries: readonly Entry[]) => ({
  count: entries.length,
  id: (at: number) => entries[at]?.[0] ?? null,
  value: (at: number) => entries[at]?.[1] ?? null,
});
const within = { overlaps: false, isLastPage: false };

describe('a run through one value, or through records without one', () => {
  /** The step of a page. @param seen ids of earlier pages */
  function step(
    cursor: RunCursor,
    entries: readonly Entry[],
    { by = rule, seen = [] }: { by?: WindowRule | null; seen?: readonly string[] } = {},
  ) {
    const ids = createIdSet();
    for (const id of seen) ids.add(idKey(id));
    return advanceRun(by, cursor, keysOf(...entries), ids, within);
  }
  const nulls = firstRun('nulls', 0);
  const fives: RunCursor = { ...firstRun('value', 0, { value: '5' }), by: 'range' };
  const confirming: RunCursor = { ...fives, skip: 1, step: 'confirm', anchor: '"a"', seen: 1 };

  it.each<[string, readonly Entry[], RunCursor, object]>([
    [
      'ends at a value that can’t be compared with the others: ranges aren’t used then',
      [
        ['"a"', null],
        ['"b"', '"text"'],
      ],
      nulls,
      { fallbackReason: expect.any(String) },
    ],
    [
      'ends at the first record beyond its value, and a window begins there',
      [
        ['"a"', '5'],
        ['"b"', '6'],
      ],
      fives,
      { emit: [0], next: { at: 'window', expect: '6' } },
    ],
    [
      'omits records that others inserted before it',
      [
        ['"a"', '4'],
        ['"b"', null],
        ['"c"', '5'],
      ],
      fives,
      { emit: [2] },
    ],
    [
      'omits one before it, too, where a single record confirms the end',
      [['"b"', '4']],
      confirming,
      { emit: [], next: { step: 'check', confirmedId: '"b"' } },
    ],
    [
      'continues after a single record without an id, which can’t be recognized later',
      [[null, '5']],
      confirming,
      { emit: [0], next: { step: 'plain', skip: 2, seen: 2 } },
    ],
    [
      'and after one that others inserted before it',
      [[null, '4']],
      confirming,
      { emit: [], next: { step: 'plain', skip: 2, seen: 1 } },
    ],
  ])('%s', (_what, entries, cursor, expected) => {
    expect(step(cursor, entries, { seen: ['"a"'].slice(cursor.seen === 0 ? 1 : 0) })).toMatchObject(expected);
  });

  it('descending, is behind its value at a record without one', () => {
    expect(
      step(
        fives,
        [
          ['"a"', '5'],
          ['"b"', null],
        ],
        { by: descending },
      ),
    ).toMatchObject({ emit: [0], next: { at: 'run', of: 'nulls' } });
  });

  it('is in place at a record without an id, and steps back from one that isn’t known, as far as needed', () => {
    const later: RunCursor = { ...firstRun('all', 0), skip: 1999, step: 'overlap', seen: 2000 };
    expect(step(later, [[null, '1']], { by: null })).toMatchObject({ emit: [0] });
    const back = step(later, [['"x"', '1']], { by: null });
    expect(back).toMatchObject({ emit: [], next: { skip: 999, step: 'overlap', lastStepBack: 1000 } });
    const again = step({ ...later, skip: 999, lastStepBack: 1000 }, [['"x"', '1']], { by: null });
    expect(again).toMatchObject({ emit: [], next: { skip: 0, step: 'plain' } });
  });
});

describe('a window', () => {
  const step = (
    by: WindowRule,
    bound: { readonly op: '$gt' | '$gte' | '$lt'; readonly value: string } | null,
    entries: readonly Entry[],
    origin: Partial<typeof within>,
  ) => advanceWindow(by, { ...firstWindow, bound }, keysOf(...entries), { ids: 0, ...within, ...origin });

  it('ends with the records without a value, which come last in descending order', () => {
    const last = step(
      descending,
      { op: '$lt', value: '5' },
      [
        ['"a"', '4'],
        ['"b"', null],
      ],
      {
        isLastPage: true,
      },
    );
    // The limit excludes those without a value; a service that sends them ignores it.
    expect(last).toMatchObject({ fallbackReason: expect.any(String) });
    const all: readonly Entry[] = [
      ['"a"', '4'],
      ['"b"', null],
    ];
    expect(step(descending, null, all, { isLastPage: true })).toEqual({ emit: [0, 1], next: endCursor });
  });

  it('doesn’t join a page that was requested ahead, unless that starts with a record before it', () => {
    const page: readonly Entry[] = [
      ['"a"', '5'],
      ['"b"', '6'],
      ['"c"', '7'],
    ];
    const ahead = { overlaps: true };
    expect(step(rule, null, page, ahead)).toEqual({ isDetached: true });
    expect(step(rule, { op: '$gte', value: '5' }, page, ahead)).toEqual({ isDetached: true });
    expect(step(rule, { op: '$gte', value: '6' }, page, ahead)).toMatchObject({ emit: [1] });
    expect(step(rule, { op: '$gt', value: '5' }, page, ahead)).toMatchObject({ emit: [1] });
    expect(step(rule, { op: '$gt', value: '4' }, [['"t"', '"text"'], ...page], ahead)).toEqual({
      isDetached: true,
    });
    expect(step(rule, { op: '$gt', value: '5' }, [['"n"', null], ...page], ahead)).toMatchObject({
      emit: [2],
    });
  });
});

describe('the cursor after a value', () => {
  it.each([
    [100, 100],
    [101, 0],
  ])('has the ids of its %i records only if they are few', (count, known) => {
    const same = Array.from({ length: count }, (_, n): Entry => [`"${n}"`, '5']);
    const { next } = {
      next: null,
      ...advanceWindow(rule, firstWindow, keysOf(...same, ['"z"', '6']), { ids: 0, ...within }),
    };
    expect(next).toMatchObject({ at: 'window', known: { length: known } });
  });
});

describe('the survey of a field', () => {
  const window = { field: 'timestamp', direction: -1, tie: 1 } as const;

  it.each<[string, string | null | undefined]>([
    ['no record', undefined],
    ['a record without it', null],
    ['an object', '{"a":1}'],
  ])('finds no ranges if the highest value is that of %s', async (_what, highest) => {
    expect(await surveyWindow(window, async () => highest)).toEqual({
      rule: null,
      reason: expect.any(String),
    });
  });

  it('finds no ranges where the service refuses to sort by it; other errors are the reader’s', async () => {
    const refused = new AppError('refused', { service: 'data', status: 400 });
    expect(await surveyWindow(window, () => Promise.reject(refused))).toMatchObject({ rule: null });
    const forbidden = new AppError('forbidden', { service: 'data' });
    await expect(surveyWindow(window, () => Promise.reject(forbidden))).rejects.toBe(forbidden);
  });
});
