import { describe, expect, it } from 'vitest';
import { AppError, invalidInput } from '../../../../src/shared/errors/errors.ts';
import {
  fieldPaths,
  questionField,
  questionProblems,
} from '../../../../src/renderer/features/query/inputs.ts';

describe('what is typed', () => {
  it('takes paths with commas, blanks and line ends between them', () => {
    expect(fieldPaths(' data.rop,data.wob \n timestamp,')).toEqual(['data.rop', 'data.wob', 'timestamp']);
  });

  it('stands in the field that its request names, the time to wait for in seconds', () => {
    expect(questionField('timeoutMs')).toBe('timeout');
    expect(questionField('fields.2')).toBe('fields');
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
