import { describe, expect, it } from 'vitest';
import { questionText, type FindText } from '../../../../src/shared/query/question.ts';
import { askedFrom } from '../../../../src/renderer/features/query/asked-from.ts';
import { words } from '../../../../src/renderer/words/words.ts';

const target = { connection: 'sample', provider: 'demo', dataset: 'wits' };
const typed: FindText = { query: '{asset_id: 1}', sort: '', fields: '', limit: '1000', skip: '' };
const made = (change: Partial<FindText>) =>
  askedFrom(target, questionText.parse({ find: { ...typed, ...change } }), words.query);

describe('askedFrom', () => {
  it('sends the query as it was typed, and what is blank as its default', () => {
    expect(made({})).toMatchObject({
      ok: true,
      asked: {
        kind: 'find',
        request: { ...target, query: '{asset_id: 1}', sort: '{}', limit: 1000, skip: 0, fields: [] },
      },
    });
    expect(made({ query: ' ', limit: '' })).toMatchObject({
      ok: true,
      asked: { request: { query: '{}', limit: 1000 } },
    });
  });

  it.each([
    ['limit', '0', expect.stringContaining('10,000')],
    ['limit', '10001', expect.stringContaining('10,000')],
    ['limit', '1e3', words.query.wholeNumber],
    ['limit', 'all', words.query.wholeNumber],
    ['skip', '-1', expect.stringContaining('0')],
    ['skip', '1.5', words.query.wholeNumber],
  ])('refuses %s %s', (field, text, message) => {
    expect(made({ [field]: text })).toEqual({ ok: false, issues: [{ message, place: { field } }] });
  });

  it('asks in the mode that is shown, with its own text', () => {
    const question = questionText.parse({
      find: typed,
      aggregate: { match: '{a: 1}', limit: '5', group: '{_id: 1}' },
      pipeline: { stages: '[{$limit: 1}]' },
      timeout: '90',
    });
    expect(askedFrom(target, { ...question, mode: 'aggregate' }, words.query)).toEqual({
      ok: true,
      asked: {
        kind: 'aggregate',
        request: {
          ...target,
          match: '{a: 1}',
          sort: '{}',
          limit: 5,
          skip: 0,
          group: '{_id: 1}',
          timeoutMs: 90_000,
        },
      },
    });
    expect(askedFrom(target, { ...question, mode: 'pipeline' }, words.query)).toEqual({
      ok: true,
      asked: { kind: 'pipeline', request: { ...target, stages: '[{$limit: 1}]', timeoutMs: 90_000 } },
    });
  });

  it.each(['0', 'long', '5000'])('refuses to wait for %s seconds, at the time it stands in', (timeout) => {
    const refused = askedFrom(target, questionText.parse({ find: typed, timeout }), words.query);
    expect(refused).toMatchObject({ ok: false, issues: [{ place: { field: 'timeoutMs' } }] });
  });
});
