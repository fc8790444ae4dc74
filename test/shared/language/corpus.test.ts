import { describe, expect, it } from 'vitest';
import { AppError, type Issue } from '../../../src/shared/errors.ts';
import { parseJson, stringifyJson } from '../../../src/shared/json.ts';
import { parseRelaxed } from '../../../src/shared/language/relaxed.ts';
import { badQueries } from './bad-queries.ts';
import { goodQueries } from './good-queries.ts';

function issuesOf(typed: string): readonly Issue[] {
  try {
    parseRelaxed(typed, 'query');
  } catch (error) {
    if (error instanceof AppError && error.is('invalid_input')) return error.details.issues;
    throw error;
  }
  return [];
}

describe('what people type', () => {
  it.each(goodQueries)('%j is sent as %s', (typed, sent) => {
    const value = parseRelaxed(typed, 'query');
    expect(stringifyJson(value)).toBe(sent);
    expect(value).toStrictEqual(parseJson(sent));
  });
});

describe('what is refused', () => {
  it.each(badQueries)('%j at %s: %s', (typed, at, says) => {
    const [first, ...others] = issuesOf(typed);
    expect(first?.message).toContain(says);
    expect(`${first?.place?.line}:${first?.place?.column}`).toBe(at);
    expect(first?.place?.field).toBe('query');
    expect(others).toEqual([]);
  });

  it.each(badQueries)('%j is told in two sentences: what is wrong, and what to do', (typed) => {
    for (const { message } of issuesOf(typed)) expect(message).toMatch(/^\S.*[.?] .*[.?]$/s);
  });
});

it('is a corpus of at least 200 queries, each once', () => {
  const typed = [...goodQueries, ...badQueries].map(([text]) => text);
  expect(typed.length).toBeGreaterThanOrEqual(200);
  expect(new Set(typed).size).toBe(typed.length);
});
