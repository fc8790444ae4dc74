import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  endOfComposite,
  endOfValue,
  incomplete,
  skipSpace,
  startOfText,
  tooDeep,
} from '../../../../src/main/core/records/json-text.ts';

const json = fc
  .tuple(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'))
  .map(([value, indent]) => JSON.stringify(value, null, indent));
const isOpen = (text: string): boolean => /^["[{]/.test(text);

describe('the end of a value', () => {
  it('is that of the text that JSON.stringify wrote, whatever follows', () => {
    fc.assert(
      fc.property(json, fc.constantFrom('', ',', ' ]', '}', '\n"'), (text, rest) => {
        const bytes = Buffer.from(` \n${text}${rest}`);
        const start = skipSpace(bytes, 0);
        const end = endOfValue(bytes, start);
        expect(bytes.toString('utf8', start, end)).toBe(text);
        expect(JSON.parse(bytes.toString('utf8', start, end))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('is missing in every text that is cut off', () => {
    fc.assert(
      fc.property(json.filter(isOpen), (text) => {
        const bytes = Buffer.from(text);
        for (let length = 1; length < bytes.length; length += 1)
          expect(endOfValue(bytes.subarray(0, length), 0)).toBe(incomplete);
      }),
    );
  });

  it.each(['', 'x', 'nul', ',', ']', 'undefined'])('doesn’t exist in %j', (text) => {
    expect(endOfValue(Buffer.from(text), 0)).toBe(incomplete);
  });

  it('isn’t searched for beyond a depth', () => {
    const bytes = Buffer.from('[[{"a":["]"]}]]');
    expect(endOfComposite(bytes, 0, 4)).toBe(bytes.length);
    expect(endOfComposite(bytes, 0, 3)).toBe(tooDeep);
  });
});

it('begins after a byte order mark', () => {
  expect(startOfText(Buffer.from('\uFEFF[]'))).toBe(3);
  expect(startOfText(Buffer.from('[]'))).toBe(0);
});
