import { deepStrictEqual } from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AppError, isAppError, type Issue } from '../../../src/shared/errors/errors.ts';
import { parseJson, stringifyJson } from '../../../src/shared/json.ts';
import { parseRelaxed, parseRelaxedArray, parseRelaxedObject } from '../../../src/shared/language/relaxed.ts';
import { maxDepth } from '../../../src/shared/language/tree/tree.ts';
import { chooser, jsonValue, printRelaxed } from './printing.ts';

function issuesOf(run: () => unknown): readonly Issue[] {
  try {
    run();
  } catch (error) {
    if (error instanceof AppError && error.is('invalid_input')) return error.details.issues;
    throw error;
  }
  return [];
}

const numbers = fc.array(fc.nat(1000), { minLength: 20, maxLength: 60 });

// Tokens of the language and similar ones, to be joined at random.
const pieces = fc.constantFrom(
  ...'{ } [ ] ( ) , : ; " \' ` / // /* */ \\ ${ = => ... ?. # - + “'.split(' '),
  ...'a asset_id $in $regex datetime __proto__ ISODate NumberLong delete async function'.split(' '),
  ...`"x" '2024-01-01' 12 0x 1e999 .5 007 9007199254740993 /x/i {{now}} {{ }} true null undefined`.split(' '),
  ' ',
  '\n',
  '\r\n',
  '\u2028',
  '\uFEFF',
  '\ud800',
  '\0',
  'new ',
);
const nonsense = fc.array(pieces, { maxLength: 25 }).map((parts) => parts.join(''));

describe('laws of relaxed JSON', () => {
  it('strict JSON is read unchanged, with every digit', () => {
    fc.assert(
      fc.property(jsonValue, fc.constantFrom(undefined, 2), (value, indent) => {
        deepStrictEqual(parseRelaxed(stringifyJson(value, indent), 'query'), value);
      }),
      { numRuns: 500 },
    );
  });

  it('every relaxed notation of a value is read as that value', () => {
    fc.assert(
      fc.property(jsonValue, numbers, (value, choices) => {
        const printed = printRelaxed(value, chooser(choices));
        deepStrictEqual(parseRelaxed(printed, 'query'), value);
      }),
      { numRuns: 1000 },
    );
  });

  it('any text gives a value that strict JSON can represent, or the position of an error', () => {
    fc.assert(
      fc.property(nonsense, (typed) => {
        let value;
        try {
          value = parseRelaxed(typed, 'query');
        } catch (error) {
          if (!isAppError(error, 'invalid_input')) throw error;
          const lines = typed.split(/\r\n|\r|\n/);
          for (const { message, place } of error.details.issues) {
            expect(message).toMatch(/^\S.*[.?] .*[.?]$/s);
            const line = lines[(place?.line ?? 0) - 1] ?? expect.fail('the line is not in the text');
            expect(place?.column).toBeGreaterThan(0);
            expect(place?.column).toBeLessThanOrEqual(line.length + 2);
          }
          return;
        }
        const sent = stringifyJson(value);
        expect(stringifyJson(parseJson(sent))).toBe(sent);
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the top level', () => {
  it.each(['', '  \r\n\t', '// nothing yet', '/* a */ // b'])('is an empty object for %j', (typed) => {
    expect(parseRelaxedObject(typed, 'query')).toEqual({});
  });

  it.each([
    ['[]', '1:1', 'not a list'],
    ['\n "a"', '2:2', 'not a text'],
    ['5', '1:1', 'not a number'],
    ['9007199254740993', '1:1', 'not a number'],
    ['null', '1:1', 'not null'],
    ['true', '1:1', 'not true'],
  ])('rejects %s instead of an object', (typed, at, says) => {
    const [issue] = issuesOf(() => parseRelaxedObject(typed, 'sort'));
    expect(issue?.message).toContain(says);
    expect(`${issue?.place?.field} ${issue?.place?.line}:${issue?.place?.column}`).toBe(`sort ${at}`);
  });

  it.each([
    ['{$match: {}}', '1:1', 'not an object'],
    ['', '1:1', 'A list is missing'],
    [' // stages', '1:11', 'A list is missing'],
  ])('rejects %j instead of a list', (typed, at, says) => {
    const [issue] = issuesOf(() => parseRelaxedArray(typed, 'stages'));
    expect(issue?.message).toContain(says);
    expect(`${issue?.place?.field} ${issue?.place?.line}:${issue?.place?.column}`).toBe(`stages ${at}`);
  });

  it('may be a list when one is expected', () => {
    expect(parseRelaxedArray('[{$match: {}},]', 'stages')).toEqual([{ $match: {} }]);
  });
});

describe('several errors', () => {
  it('are all reported, in their order', () => {
    const typed = '{\n  state: active,\n  at: ISODate("soon"),\n  at: 1,\n  __proto__: {},\n}';
    const places = issuesOf(() => parseRelaxed(typed, 'query')).map(({ place }) => place?.line);
    expect(places).toEqual([2, 3, 4, 5]);
  });

  it('are reported up to twenty', () => {
    expect(issuesOf(() => parseRelaxed(`[${'x,'.repeat(1000)}]`, 'query'))).toHaveLength(20);
  });

  it('have one message each, with their position', () => {
    expect(() => parseRelaxed('{a: x}', 'query')).toThrow(
      'query, line 1, column 5: x isn’t a number, true, false, or null. If it is text, put it in quotes: "x".',
    );
  });
});

describe('hostile text', () => {
  it(`may have ${maxDepth} levels, and one more is rejected with its position`, () => {
    const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(stringifyJson(parseRelaxed(deep(maxDepth), 'query'))).toBe(deep(maxDepth));
    const [issue] = issuesOf(() => parseRelaxed(deep(maxDepth + 1), 'query'));
    expect(issue?.message).toContain('levels deep');
    expect(issue?.place?.column).toBe(maxDepth + 1);
  });

  it.each(['[', '{a:', '(', '[{a:(', '[/*]*/', "['[',"])(
    'is rejected with a hundred thousand of %s',
    (piece) => {
      const [issue] = issuesOf(() => parseRelaxed(piece.repeat(100_000), 'query'));
      expect(issue?.message).toContain('levels deep');
    },
  );

  it.each(['-', '!', '+ ', 'typeof ', '1+', 'a=', 'a=>', 'a?', 'new ', '`${', '[`${', 'a**', 'async '])(
    'is rejected with a hundred thousand of %s without a stack overflow',
    (piece) => {
      expect(issuesOf(() => parseRelaxed(piece.repeat(100_000), 'query'))).toHaveLength(1);
      expect(issuesOf(() => parseRelaxed(`{a: ${piece.repeat(100_000)}1}`, 'query'))).toHaveLength(1);
    },
  );

  it('may have any number of brackets in texts, comments, and regular expressions', () => {
    const typed = `{a: "${'['.repeat(1000)}", /*${'{'.repeat(1000)}*/ b: /${'\\('.repeat(1000)}/}`;
    expect(Object.keys(parseRelaxedObject(typed, 'query'))).toEqual(['a', 'b']);
  });

  it('produces plain objects whose prototype can’t be changed', () => {
    const value = parseRelaxedObject(
      '{constructor: {prototype: {x: 1}}, toString: 1, hasOwnProperty: 2}',
      'query',
    );
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(Object.prototype, 'x')).toBe(false);
    expect(({} as Record<string, unknown>)['x']).toBeUndefined();
  });

  it('is never executed', () => {
    for (const typed of [
      '{a: globalThis.pwned = 1}',
      '{a: (() => { globalThis.pwned = 1 })()}',
      '{[globalThis.pwned = 1]: 1}',
      '{a: `${globalThis.pwned = 1}`}',
      '{a: new Function("globalThis.pwned = 1")()}',
    ]) {
      expect(issuesOf(() => parseRelaxed(typed, 'query'))).toHaveLength(1);
    }
    expect('pwned' in globalThis).toBe(false);
  });

  it('may have four million characters', () => {
    const rows = Array.from({ length: 40_000 }, (_, row) => ({
      asset_id: row,
      data: { rop: row / 7, state: 'In Slips' },
    }));
    expect(parseRelaxedArray(stringifyJson(rows), 'query')).toHaveLength(40_000);
  });
});
