import { expect, it } from 'vitest';
import { exportOfAnswer, exportQuestion } from '../../../../src/renderer/features/query/export-question.ts';
import { questionText } from '../../../../src/shared/query/question.ts';
import { findRequest } from '../../../support/records.ts';

it('an export from an answer takes the query that was answered, not what is typed since', () => {
  const request = findRequest({ query: '{ a: 1 }', sort: '{ b: -1 }', limit: 5, skip: 7 });
  const fields = ['data.Hole Depth, corrected'];
  expect(exportOfAnswer({ request, fields })).toEqual({
    kind: 'find',
    query: '{ a: 1 }',
    sort: '{ b: -1 }',
    fields,
  });
  expect(exportOfAnswer({ request: { ...request, fields: ['a'] }, fields: null })).toMatchObject({
    fields: ['a'],
  });
});

it('an export of a find as typed takes all that matches it', () => {
  const text = questionText.parse({ find: { sort: '{ t: 1 }', fields: 'a, b', limit: '5', skip: '9' } });
  expect(exportQuestion({ connection: 'sample', provider: 'demo', dataset: 'wits' }, text)).toEqual({
    kind: 'find',
    query: '{}',
    sort: '{ t: 1 }',
    fields: ['a', 'b'],
  });
});
