import { describe, expect, it } from 'vitest';
import { AppError, invalidInput } from '../../../../src/shared/errors.ts';
import { questionText, type FindText } from '../../../../src/shared/question.ts';
import {
  askedFrom,
  fieldPaths,
  questionField,
  questionProblems,
} from '../../../../src/renderer/features/query/inputs.ts';

const target = { connection: 'sample', provider: 'demo', dataset: 'wits' };
const words = { wholeNumber: 'whole' };
const typed: FindText = { query: '{asset_id: 1}', sort: '', fields: '', limit: '1000', skip: '' };
const made = (change: Partial<FindText>) =>
  askedFrom(target, questionText.parse({ find: { ...typed, ...change } }), words);

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
    ['limit', '0', 'Give a number from 1 to 10,000.'],
    ['limit', '10001', 'Give a number from 1 to 10,000.'],
    ['limit', '1e3', 'whole'],
    ['limit', 'all', 'whole'],
    ['skip', '-1', 'Give 0 or a larger number.'],
    ['skip', '1.5', 'whole'],
  ])('refuses %s %s: %s', (field, text, message) => {
    expect(made({ [field]: text })).toEqual({ ok: false, issues: [{ message, place: { field } }] });
  });

  it('asks in the mode that is shown, with its own text', () => {
    const question = questionText.parse({
      find: typed,
      aggregate: { match: '{a: 1}', limit: '5', group: '{_id: 1}' },
      pipeline: { stages: '[{$limit: 1}]' },
      timeout: '90',
    });
    expect(askedFrom(target, { ...question, mode: 'aggregate' }, words)).toEqual({
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
    expect(askedFrom(target, { ...question, mode: 'pipeline' }, words)).toEqual({
      ok: true,
      asked: { kind: 'pipeline', request: { ...target, stages: '[{$limit: 1}]', timeoutMs: 90_000 } },
    });
  });

  it.each(['0', 'long', '5000'])('refuses to wait for %s seconds, at the time it stands in', (timeout) => {
    const refused = askedFrom(target, questionText.parse({ find: typed, timeout }), words);
    expect(refused).toMatchObject({ ok: false, issues: [{ place: { field: 'timeoutMs' } }] });
    expect(questionField('timeoutMs')).toBe('timeout');
  });

  it('takes paths with commas, blanks and line ends between them', () => {
    expect(fieldPaths(' data.rop,data.wob \n timestamp,')).toEqual(['data.rop', 'data.wob', 'timestamp']);
  });
});

describe('questionProblems', () => {
  it('brings what main says to the field it is about', () => {
    const error = new AppError('invalid_input', {
      issues: [
        { message: 'A comma is missing.', place: { field: 'query', line: 2, column: 5 } },
        { message: 'Later.', place: { field: 'query', line: 9, column: 1 } },
        { message: 'Empty.', place: { field: 'fields.0' } },
      ],
    });
    expect(questionProblems(error)).toEqual({
      query: { message: 'A comma is missing.', line: 2, column: 5 },
      fields: { message: 'Empty.' },
    });
  });

  it('finds nothing in errors that are not about input, or about none of the fields', () => {
    expect(questionProblems(new AppError('cancelled', {}))).toEqual({});
    expect(questionProblems(invalidInput('no', { field: 'offset' }))).toEqual({});
    expect(questionField('querying')).toBeUndefined();
  });
});
