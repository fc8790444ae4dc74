import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { questionText } from '../../../src/shared/query/question.ts';
import { resultsLook } from '../../../src/shared/tabs/plot.ts';
import { savedFromText, savedToText } from '../../../src/shared/saved/sharing.ts';
import type { SharedQuery } from '../../../src/shared/saved/saved.ts';

const query = (name: string, text = '{}', more: Partial<SharedQuery> = {}): SharedQuery => ({
  name,
  folder: 'drilling/rop',
  provider: 'demo',
  dataset: 'wits',
  question: questionText.parse({ find: { query: text } }),
  ...more,
});
const fileOf = (value: unknown): string => JSON.stringify(value);
const refusal = (text: string): unknown => {
  try {
    savedFromText(text, 'colleague.json');
    return null;
  } catch (error) {
    return error;
  }
};

describe('a file of saved queries', () => {
  it('returns the saved queries, without values of parameters', () => {
    const one = query('Rate', '{ rop: {{ask:least:number}} }');
    const text = savedToText(
      [{ ...one, question: { ...one.question, answers: { least: '30' } } }],
      ['empty'],
    );
    expect(text).not.toContain('30');
    expect(savedFromText(text, 'f')).toEqual({ queries: [one], folders: ['empty'] });
  });

  it('returns the calculated columns of two queries, with their expressions and units', () => {
    const calculated = [
      { name: 'MSE (psi)', expression: 'wob * rpm / rop', unit: 'psi' },
      { name: 'mean', expression: 'rolling_mean("MSE (psi)", 5 min)' },
    ];
    const queries = [
      query('Rate', '{}', { look: resultsLook.parse({ view: 'both', calculated }) }),
      query('Other', '{}', { look: resultsLook.parse({ calculated: [{ name: 'c', expression: 'rop' }] }) }),
    ];
    expect(savedFromText(savedToText(queries, []), 'f').queries).toEqual(queries);
  });

  it('returns any text that users type', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'grapheme', minLength: 1, maxLength: 50 }),
        (text, name) => {
          fc.pre(name.trim() !== '');
          const one = query(name.trim(), text);
          expect(savedFromText(savedToText([one], []), 'f').queries).toEqual([one]);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('of a newer version is rejected as such', () => {
    expect(refusal(fileOf({ kind: 'wellbench-queries', format: 2, queries: 'other' }))).toMatchObject({
      code: 'file_too_new',
      details: { format: 2 },
    });
  });

  const good = { kind: 'wellbench-queries', format: 1, queries: [query('a'), query('b')] };
  it.each([
    ['invalid JSON', '{\n  "kind": 1,,', { line: 2, column: 13 }],
    ['another file', fileOf({ kind: 'wellbench-connections', format: 1 }), undefined],
    ['an empty text', '', undefined],
    ['null', 'null', undefined],
    [
      'a name of the wrong type',
      fileOf({ ...good, queries: [query('a'), { ...query('b'), name: 7 }] }),
      { field: 'queries.1.name' },
    ],
    [
      'a query of the wrong type',
      fileOf({ ...good, queries: [{ ...query('a'), question: { find: { query: ['x'] } } }] }),
      { field: 'queries.0.question.find.query' },
    ],
    [
      'a folder with a path traversal',
      fileOf({ ...good, queries: [query('a', '', { folder: 'a//b' })] }),
      { field: 'queries.0.folder' },
    ],
    ['too many queries', fileOf({ ...good, queries: Array(5001).fill(0) }), { field: 'queries' }],
    [
      'a built-in name of JavaScript',
      fileOf(good).replace('"question":{', '"question":{"__proto__":{"polluted":true},'),
      { field: 'queries.0.question.__proto__' },
    ],
    ['a constructor', fileOf({ ...good, constructor: { prototype: {} } }), { field: 'constructor' }],
  ])('is rejected with the position: %s', (_what, text, place) => {
    const error = refusal(text);
    expect(error).toMatchObject({ code: 'file_unsuitable', details: { wanted: 'queries' } });
    expect((error as { details: { place?: unknown } }).details.place).toEqual(place);
    expect((error as Error).message).toContain('colleague.json isn’t a saved queries file');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('that is very large or deeply nested is rejected without being read completely', () => {
    expect(refusal(' '.repeat(5_000_001))).toMatchObject({ code: 'file_unsuitable' });
    const nested = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`;
    expect(refusal(nested)).toMatchObject({ details: { reason: 'it is nested too deeply' } });
  });
});
