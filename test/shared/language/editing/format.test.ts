import { deepStrictEqual } from 'node:assert/strict';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatText } from '../../../../src/shared/language/editing/format.ts';
import { syntaxProblems } from '../../../../src/shared/language/lint/notes.ts';
import { parseRelaxed } from '../../../../src/shared/language/relaxed.ts';
import { scan } from '../../../../src/shared/language/scan.ts';
import { badQueries } from '../bad-queries.ts';
import { goodQueries } from '../good-queries.ts';
import { printed } from '../printing.ts';

const commentsOf = (text: string) =>
  [...scan(text)].filter(({ kind }) => kind === 'comment').map(({ start, end }) => text.slice(start, end));

describe('a formatted text', () => {
  it.each([
    ['{asset_id:5003}', '{ asset_id: 5003 }'],
    ['{ }', '{}'],
    ['', ''],
    ['[1,2,]', '[1, 2]'],
    ['{a:ISODate( "2024-01-31" ),b:/x/i}', '{ a: ISODate("2024-01-31"), b: /x/i }'],
    ['{a:{{wells}},b:[{{ask:x:number}}]}', '{ a: {{wells}}, b: [{{ask:x:number}}] }'],
    [
      '[{$match:{asset_id:{{wells}}}},{$sort:{timestamp:-1}},{$group:{_id:"$asset_id",top:{$max:"$data.rop"}}}]',
      '[\n  { $match: { asset_id: {{wells}} } },\n  { $sort: { timestamp: -1 } },\n  { $group: { _id: "$asset_id", top: { $max: "$data.rop" } } }\n]',
    ],
    ['{a:1, // one\nb:2}', '{\n  a: 1, // one\n  b: 2\n}'],
    ['{// first\na:1}', '{ // first\n  a: 1\n}'],
    ['{\n// own\na:1}', '{\n  // own\n  a: 1\n}'],
    ['// head\n{a:1}', '// head\n{ a: 1 }'],
    ['{a:1} // tail', '{ a: 1 } // tail'],
  ])('%j becomes %j', (text, laidOut) => expect(formatText(text)).toBe(laidOut));

  it('is unchanged when it can’t be read', () => {
    for (const [typed] of badQueries)
      if (!typed.includes('{{') && typed.trim() !== '' && !typed.includes('only this'))
        expect(formatText(typed), typed).toBeNull();
  });
});

// A parameter in quotes is rejected, so such a text stays unchanged.
const readable = printed.filter((text) => syntaxProblems(text, []).length === 0);

const expectSameMeaning = (text: string): void => {
  const laidOut = formatText(text);
  if (laidOut === null) throw new Error(`not laid out: ${text}`);
  deepStrictEqual(parseRelaxed(laidOut, 'query'), parseRelaxed(text, 'query'));
  expect(commentsOf(laidOut)).toEqual(commentsOf(text));
  expect(formatText(laidOut)).toBe(laidOut);
};

it('formatting keeps meaning and comments, and is idempotent: the corpus', () => {
  for (const [typed] of goodQueries) if (!typed.includes('{{')) expectSameMeaning(typed);
});

it('formatting keeps meaning and comments, and is idempotent: any value, in any notation', () => {
  fc.assert(fc.property(readable, expectSameMeaning), { numRuns: 400 });
});
