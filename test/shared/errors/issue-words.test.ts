import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { describeIssue } from '../../../src/shared/errors/issue-words.ts';

const messagesOf = (schema: z.ZodType, given: unknown): (string | undefined)[] =>
  (schema.safeParse(given, { error: describeIssue }).error?.issues ?? []).map(({ message }) => message);

describe('the issues of a schema', () => {
  it.each([
    [z.enum(['asc', 'desc']), 'up', 'This must be asc or desc.'],
    [z.int().max(16), 99, 'This must be at most 16.'],
    [z.int().min(0), -1, 'This must be at least 0.'],
    [z.number(), 'x', 'This must be a number.'],
    [z.string(), undefined, 'This is missing. It must be text.'],
    [z.array(z.int()).min(1), [], 'There must be at least 1 item.'],
    [z.strictObject({}), { zone: 1 }, 'Unknown name “zone”. Correct or remove it.'],
  ])('%#: have a message with the allowed values', (schema, given, sentence) => {
    expect(messagesOf(schema, given)).toEqual([sentence]);
  });

  it('have the schema’s own message if there is one', () => {
    expect(messagesOf(z.enum(['yes'], 'must be yes'), 'no')).toEqual(['must be yes']);
  });
});
