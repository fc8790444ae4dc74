import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { cutAfter, recordsIn } from '../../../../../src/renderer/features/results/records/page-text.ts';
import { stringifyJson } from '../../../../../src/shared/json.ts';

it('a page cut in two holds what it held, each record in one part', () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue(), { maxLength: 12 }),
      fc.integer({ min: 1, max: 13 }),
      (records, at) => {
        const text = JSON.stringify(records);
        const cut = cutAfter(` ${text}`, at);
        if (records.length <= at) expect(cut).toBeNull();
        else {
          const parts = [recordsIn(cut?.first ?? ''), recordsIn(cut?.rest() ?? '')];
          expect(parts.map(({ length }) => length)).toEqual([at, records.length - at]);
          expect(stringifyJson(parts.flat())).toBe(stringifyJson(recordsIn(text)));
        }
      },
    ),
  );
});

it('brackets, commas and quotes in texts cut nothing', () => {
  const page = String.raw`[{"a":"],\"[\\"},{"b":[1,2]},3]`;
  expect(cutAfter(page, 1)?.first).toBe(String.raw`[{"a":"],\"[\\"}]`);
  expect(cutAfter(page, 2)?.rest()).toBe('[3]');
});

it('what is no array of records is not cut, and said to be none', () => {
  expect([cutAfter('{"a":1,"b":2}', 1), cutAfter('', 1)]).toEqual([null, null]);
  expect(() => recordsIn('{}')).toThrow(/array/);
});
