import { describe, expect, it } from 'vitest';
import { questionText } from '../../../src/shared/query/question.ts';

describe('a stored query', () => {
  it('is unchanged after it is written and read', () => {
    const kept = questionText.parse({ mode: 'pipeline', pipeline: { stages: '[{$limit: 1}] // one' } });
    expect(questionText.parse(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  });

  it('that is incomplete gets blank fields', () => {
    expect(questionText.parse({ find: { query: '{a: 1}' } })).toMatchObject({
      mode: 'find',
      find: { query: '{a: 1}', sort: '', limit: '' },
      pipeline: { stages: '', view: 'text' },
      answers: {},
      countFirst: false,
    });
  });

  it('with an unknown mode is rejected', () => {
    expect(questionText.safeParse({ mode: 'graph' }).success).toBe(false);
  });
});
