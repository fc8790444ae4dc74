import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pageRecords } from '../../../../src/main/core/mapping/existing.ts';
import { AppError } from '../../../../src/shared/errors/errors.ts';
import { parseJson } from '../../../../src/shared/json.ts';

describe('the records of a page', () => {
  it('are those of the whole page, for any values and spaces', () => {
    const pages = fc.tuple(fc.array(fc.jsonValue()), fc.constantFrom(undefined, 1, '\t'));
    fc.assert(
      fc.property(pages, ([records, indent]) => {
        const text = JSON.stringify(records, null, indent);
        expect([...pageRecords(text)]).toEqual(parseJson(text));
      }),
    );
  });

  it('keep all digits of integers, and brackets and quotes in texts', () => {
    const text = ' [{"a":12345678901234567890},"]},{\\"[",{"b":"\\\\"}]\n';
    expect([...pageRecords(text)]).toEqual(parseJson(text));
  });

  it.each(['{}', '', '[1', '[1,,2]', '[1],[2]', '[1] [2]', '["a]', '[{"a":1]', 'null'])(
    'don’t exist in %s',
    (text) => {
      expect(() => [...pageRecords(text)]).toThrow(AppError);
    },
  );
});
