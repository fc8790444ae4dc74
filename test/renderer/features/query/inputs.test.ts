import { describe, expect, it } from 'vitest';
import { AppError, invalidInput } from '../../../../src/shared/errors.ts';
import {
  fieldPaths,
  findField,
  findProblems,
  findRequestFrom,
  type FindInputs,
} from '../../../../src/renderer/features/query/inputs.ts';

const target = { connection: 'sample', provider: 'demo', dataset: 'wits' };
const typed: FindInputs = { query: '{asset_id: 1}', sort: '', fields: '', limit: '1000', skip: '' };
const made = (change: Partial<FindInputs>) =>
  findRequestFrom(target, { ...typed, ...change }, { wholeNumber: 'whole' });

describe('findRequestFrom', () => {
  it('sends the query as it was typed, and what is blank as its default', () => {
    expect(made({})).toMatchObject({
      ok: true,
      request: { ...target, query: '{asset_id: 1}', sort: '{}', limit: 1000, skip: 0, fields: [] },
    });
    expect(made({ query: ' ', limit: '' })).toMatchObject({
      ok: true,
      request: { query: '{}', limit: 1000 },
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

  it('takes paths with commas, blanks and line ends between them', () => {
    expect(fieldPaths(' data.rop,data.wob \n timestamp,')).toEqual(['data.rop', 'data.wob', 'timestamp']);
  });
});

describe('findProblems', () => {
  it('brings what main says to the field it is about', () => {
    const error = new AppError('invalid_input', {
      issues: [
        { message: 'A comma is missing.', place: { field: 'query', line: 2, column: 5 } },
        { message: 'Later.', place: { field: 'query', line: 9, column: 1 } },
        { message: 'Empty.', place: { field: 'fields.0' } },
      ],
    });
    expect(findProblems(error)).toEqual({
      query: { message: 'A comma is missing.', line: 2, column: 5 },
      fields: { message: 'Empty.' },
    });
  });

  it('finds nothing in errors that are not about input, or about none of the fields', () => {
    expect(findProblems(new AppError('cancelled', {}))).toEqual({});
    expect(findProblems(invalidInput('no', { field: 'timeoutMs' }))).toEqual({});
    expect(findField('querying')).toBeUndefined();
  });
});
