import { describe, expect, it } from 'vitest';
import { AppError, type Issue } from '../../../src/shared/errors/errors.ts';
import { parseJson, stringifyJson } from '../../../src/shared/json.ts';
import { toIssues, lintRequest } from '../../../src/shared/language/lint/request.ts';
import { noKnowledge } from '../../../src/shared/language/knowledge.ts';
import { bindTexts } from '../../../src/shared/language/parameters.ts';
import { parseRelaxed } from '../../../src/shared/language/relaxed.ts';
import { assetId } from '../../../src/shared/wells/wells.ts';
import { badQueries } from './bad-queries.ts';
import { goodQueries } from './good-queries.ts';
import { badPipelines, goodPipelines } from './pipelines.ts';

function issuesOf(typed: string): readonly Issue[] {
  try {
    parseRelaxed(typed, 'query');
  } catch (error) {
    if (error instanceof AppError && error.is('invalid_input')) return error.details.issues;
    throw error;
  }
  return [];
}

describe('typical input', () => {
  it.each(goodQueries)('%j is sent as %s', (typed, sent) => {
    const value = parseRelaxed(typed, 'query');
    expect(stringifyJson(value)).toBe(sent);
    expect(value).toStrictEqual(parseJson(sent));
  });
});

describe('rejected input', () => {
  it.each(badQueries)('%j at %s: %s', (typed, at, says) => {
    const [first, ...others] = issuesOf(typed);
    expect(first?.message).toContain(says);
    expect(`${first?.place?.line}:${first?.place?.column}`).toBe(at);
    expect(first?.place?.field).toBe('query');
    expect(others).toEqual([]);
  });

  it.each(badQueries)('%j has a message of two sentences: what is wrong, and what to do', (typed) => {
    for (const { message } of issuesOf(typed)) expect(message).toMatch(/^\S.*[.?] .*[.?]$/s);
  });
});

const stoppedBy = (stages: string) => toIssues(lintRequest({ kind: 'pipeline', stages }, noKnowledge));

describe('pipelines', () => {
  const values = {
    wells: [assetId.parse(5001), assetId.parse(5002)],
    company: 7,
    now: Date.UTC(2026, 0, 31, 12),
    zone: 'America/Chicago',
    answers: new Map([['depth', '1200']]),
  };

  it.each(goodPipelines)('%j is sent as %s', (typed, sent) => {
    expect(stoppedBy(typed)).toEqual([]);
    expect(stringifyJson(parseRelaxed(bindTexts({ stages: typed }, values).stages, 'stages'))).toBe(sent);
  });

  it.each(badPipelines)('%j is rejected at %s: %s', (typed, at, says) => {
    const [first] = stoppedBy(typed);
    expect(first?.message).toContain(says);
    expect(`${first?.place?.line}:${first?.place?.column}`).toBe(at);
  });
});

it('the corpus has at least 200 queries, each once', () => {
  const typed = [...goodQueries, ...badQueries].map(([text]) => text);
  expect(typed.length).toBeGreaterThanOrEqual(200);
  expect(new Set(typed).size).toBe(typed.length);
});
