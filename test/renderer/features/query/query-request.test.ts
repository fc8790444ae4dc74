import { describe, expect, it } from 'vitest';
import { questionText, type FindText } from '../../../../src/shared/query/question.ts';
import { AppError, invalidInput } from '../../../../src/shared/errors/errors.ts';
import {
  toResultExport,
  exportQuestion,
  questionField,
  questionProblems,
  requestOf,
} from '../../../../src/renderer/features/query/query-request.ts';
import { findRequest } from '../../../support/records.ts';
import { words } from '../../../../src/renderer/words/words.ts';

const target = { connection: 'sample', provider: 'demo', dataset: 'wits' };
const typed: FindText = { query: '{asset_id: 1}', sort: '', fields: '', limit: '1000', skip: '' };
const made = (change: Partial<FindText>) =>
  requestOf(target, questionText.parse({ find: { ...typed, ...change } }));

function issuesOf(make: () => unknown) {
  try {
    make();
  } catch (error) {
    if (error instanceof AppError && error.is('invalid_input')) return error.details.issues;
    throw error;
  }
  return [];
}

describe('the request of a query', () => {
  it('sends the query as typed, and defaults for blank fields', () => {
    expect(made({})).toMatchObject({
      kind: 'find',
      request: { ...target, query: '{asset_id: 1}', sort: '{}', limit: 1000, skip: 0, fields: [] },
    });
    expect(made({ query: ' ', limit: '' })).toMatchObject({ request: { query: '{}', limit: 1000 } });
  });

  it.each([
    ['limit', '0', expect.stringContaining('10,000')],
    ['limit', '10001', expect.stringContaining('10,000')],
    ['limit', '1e3', words.query.wholeNumber],
    ['limit', 'all', words.query.wholeNumber],
    ['skip', '-1', expect.stringContaining('0')],
    ['skip', '1.5', words.query.wholeNumber],
  ])('rejects %s %s', (field, text, message) => {
    expect(issuesOf(() => made({ [field]: text }))).toEqual([{ message, place: { field } }]);
  });

  it('is in the current mode, with that mode’s text', () => {
    const question = questionText.parse({
      find: typed,
      pipeline: { stages: '[{$limit: 1}]' },
      timeout: '90',
    });
    expect(requestOf(target, { ...question, mode: 'pipeline' })).toEqual({
      kind: 'pipeline',
      request: { ...target, stages: '[{$limit: 1}]', timeoutMs: 90_000 },
    });
  });

  it.each(['0', 'long', '5000'])('rejects a timeout of %s seconds, at its field', (timeout) => {
    const issues = issuesOf(() => requestOf(target, questionText.parse({ find: typed, timeout })));
    expect(issues).toMatchObject([{ place: { field: 'timeoutMs' } }]);
  });
});

describe('typed text', () => {
  it('may have paths with commas, blanks, and line breaks between them, and blanks in quotes', () => {
    const find = { ...typed, fields: ' data.rop,data.wob \n "data.Hook Load",' };
    expect(requestOf(target, questionText.parse({ find }))).toMatchObject({
      request: { fields: ['data.rop', 'data.wob', 'data.Hook Load'] },
    });
  });

  it('sets the field of the request, with the timeout in seconds', () => {
    expect(questionField('timeoutMs')).toBe('timeout');
    expect(questionField('fields.2')).toBe('fields');
  });
});

describe('questionProblems', () => {
  it('assigns errors of the main process to their fields', () => {
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

  it('ignores errors that are not about input, or about none of the fields', () => {
    expect(questionProblems(new AppError('cancelled', {}))).toEqual({});
    expect(questionProblems(invalidInput('no', { field: 'offset' }))).toEqual({});
    expect(questionField('querying')).toBeUndefined();
  });
});

it('an export from a result uses the query of the result, not the current text', () => {
  const request = findRequest({ query: '{ a: 1 }', sort: '{ b: -1 }', limit: 5, skip: 7 });
  const fields = ['data.Hole Depth, corrected'];
  expect(toResultExport({ request, fields })).toEqual({
    kind: 'find',
    query: '{ a: 1 }',
    sort: '{ b: -1 }',
    fields,
  });
  expect(toResultExport({ request: { ...request, fields: ['a'] }, fields: null })).toMatchObject({
    fields: ['a'],
  });
});

it('an export of a find as typed includes all matching records', () => {
  const text = questionText.parse({ find: { sort: '{ t: 1 }', fields: 'a, b', limit: '5', skip: '9' } });
  expect(exportQuestion({ connection: 'sample', provider: 'demo', dataset: 'wits' }, text)).toEqual({
    kind: 'find',
    query: '{}',
    sort: '{ t: 1 }',
    fields: ['a', 'b'],
  });
});
