import { describe, expect, it } from 'vitest';
import {
  aggregateRequest,
  countRequest,
  findRequest,
  pipelineRequest,
} from '../../../src/shared/query/query.ts';

const target = { connection: 'c1', provider: 'demo', dataset: 'wits' };

describe('a find', () => {
  it('returns everything, unsorted, from the first record, by default', () => {
    expect(findRequest.parse({ ...target, limit: 1000 })).toEqual({
      ...target,
      query: '{}',
      sort: '{}',
      limit: 1000,
      skip: 0,
      fields: [],
      includeCount: false,
    });
  });

  it.each([1, 10_000])('accepts a limit of %d', (limit) => {
    expect(findRequest.parse({ ...target, limit }).limit).toBe(limit);
  });

  it.each([0, -1, 10_001])('rejects a limit of %d and reports the range', (limit) => {
    const result = findRequest.safeParse({ ...target, limit });
    expect(result.error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)).toEqual([
      'limit: Enter a number from 1 to 10,000.',
    ]);
  });

  it.each([
    ['half a record', { limit: 1.5 }],
    ['a limit as text', { limit: '10' }],
    ['no limit', {}],
    ['a skip below 0', { limit: 1, skip: -1 }],
    ['an empty field', { limit: 1, fields: [''] }],
    ['a field with a comma, which separates fields', { limit: 1, fields: ['a,b'] }],
    ['a timeout under a second', { limit: 1, timeoutMs: 999 }],
    ['a query of more than 250,000 characters', { limit: 1, query: ' '.repeat(250_001) }],
    ['a query that is an object', { limit: 1, query: {} }],
    ['an empty provider', { limit: 1, provider: '' }],
  ])('rejects %s', (_what, given) => {
    expect(findRequest.safeParse({ ...target, ...given }).success).toBe(false);
  });
});

describe('other query modes', () => {
  it('count everything by default', () => {
    expect(countRequest.parse(target)).toEqual({ ...target, query: '{}' });
  });

  it('have their own match in an aggregate, and no group or project unless they are given', () => {
    expect(aggregateRequest.parse({ ...target, limit: 5 })).toEqual({
      ...target,
      match: '{}',
      sort: '{}',
      limit: 5,
      skip: 0,
    });
  });

  it('need stages in a pipeline', () => {
    expect(pipelineRequest.safeParse(target).success).toBe(false);
    expect(pipelineRequest.parse({ ...target, stages: '[]' }).stages).toBe('[]');
  });
});
