import { describe, expect, it } from 'vitest';
import { questionText } from '../../../src/shared/query/question.ts';

describe('a question as it is stored', () => {
  it('is what it was after it has been written down and read again', () => {
    const kept = questionText.parse({ mode: 'pipeline', pipeline: { stages: '[{$limit: 1}] // one' } });
    expect(questionText.parse(JSON.parse(JSON.stringify(kept)))).toEqual(kept);
  });

  it('that is not whole is filled up with what is blank', () => {
    expect(questionText.parse({ find: { query: '{a: 1}' } })).toMatchObject({
      mode: 'find',
      find: { query: '{a: 1}', sort: '', limit: '' },
      pipeline: { stages: '', view: 'text' },
      answers: {},
      countFirst: false,
    });
  });

  it('of a mode that is not known is rejected', () => {
    expect(questionText.safeParse({ mode: 'graph' }).success).toBe(false);
  });
});
