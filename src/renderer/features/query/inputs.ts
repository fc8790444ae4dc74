import type { AppError, Issue } from '../../../shared/errors.ts';
import type { LintedRequest } from '../../../shared/language/lint/request.ts';
import { aggregateRequest, findRequest, pipelineRequest } from '../../../shared/query.ts';
import type { FindText, QuestionText } from '../../../shared/question.ts';
import { issuesOf, problemsByField, type Problems } from '../../state/problems.ts';
import type { Asked } from '../results/asked.ts';

/** A find as a person types it. */
export type FindInputs = FindText;

/** Every input that a question can be wrong in. */
export const questionFields = [
  'query',
  'match',
  'sort',
  'fields',
  'limit',
  'skip',
  'group',
  'project',
  'stages',
  'timeout',
] as const;
export type QuestionField = (typeof questionFields)[number];

/** What a question is asked of. */
export interface FindTarget {
  readonly connection: string;
  readonly provider: string;
  readonly dataset: string;
}

/** The input that a path of the request stands in: `fields.2` is `fields`. */
export function questionField(path: string): QuestionField | undefined {
  if (path === 'timeoutMs') return 'timeout';
  return questionFields.find((field) => path === field || path.startsWith(`${field}.`));
}

// A blank is what the schema defaults; anything that is no whole number is left for the schema to refuse.
const wholeNumber = (text: string) => (/^-?\d+$/.test(text.trim()) ? Number(text.trim()) : Number.NaN);
const orDefault = (text: string, otherwise: number) => (text.trim() === '' ? otherwise : wholeNumber(text));
const orEmpty = (text: string) => (text.trim() === '' ? '{}' : text);
const orNothing = (text: string) => (text.trim() === '' ? undefined : text);

export const defaultLimit = 1000;

/** Paths, as typed. */
export function fieldPaths(text: string): string[] {
  return text.split(/[\s,]+/).filter((path) => path !== '');
}

/** The query to send; a blank one matches all. */
export const queryText = ({ query }: Pick<FindInputs, 'query'>): string => orEmpty(query);

/** How long the answer may take, in milliseconds; undefined: as long as usual. */
const timeoutOf = (text: string) => (text.trim() === '' ? undefined : wholeNumber(text) * 1000);

export interface FindWords {
  readonly wholeNumber: string;
}

type Made = { ok: true; asked: Asked } | { ok: false; issues: Issue[] };

/** The request that a question makes, or what is wrong with it. The relaxed JSON in it is judged by main. */
export function askedFrom(target: FindTarget, question: QuestionText, words: FindWords): Made {
  const { mode, find, aggregate, pipeline } = question;
  const common = { ...target, timeoutMs: timeoutOf(question.timeout) };
  const issuesIn = ({ error }: { error: { issues: readonly ZodIssue[] } }): Made => ({
    ok: false,
    issues: error.issues.map(({ code, message, path }) => ({
      message: code === 'invalid_type' ? words.wholeNumber : message,
      place: { field: path.join('.') },
    })),
  });
  if (mode === 'find') {
    const parsed = findRequest.safeParse({
      ...common,
      query: orEmpty(find.query),
      sort: orEmpty(find.sort),
      fields: fieldPaths(find.fields),
      limit: orDefault(find.limit, defaultLimit),
      skip: orDefault(find.skip, 0),
    });
    return parsed.success ? { ok: true, asked: { kind: 'find', request: parsed.data } } : issuesIn(parsed);
  }
  if (mode === 'aggregate') {
    const parsed = aggregateRequest.safeParse({
      ...common,
      match: orEmpty(aggregate.match),
      sort: orEmpty(aggregate.sort),
      limit: orDefault(aggregate.limit, defaultLimit),
      skip: orDefault(aggregate.skip, 0),
      group: orNothing(aggregate.group),
      project: orNothing(aggregate.project),
    });
    return parsed.success
      ? { ok: true, asked: { kind: 'aggregate', request: parsed.data } }
      : issuesIn(parsed);
  }
  const parsed = pipelineRequest.safeParse({ ...common, stages: pipeline.stages });
  return parsed.success ? { ok: true, asked: { kind: 'pipeline', request: parsed.data } } : issuesIn(parsed);
}

/** The question as the rules see it. */
export function lintedQuestion({ mode, find, aggregate, pipeline }: QuestionText): LintedRequest {
  if (mode === 'pipeline') return { kind: 'pipeline', stages: pipeline.stages };
  const { limit, skip } = mode === 'find' ? find : aggregate;
  const numbers = { limit: orDefault(limit, defaultLimit), skip: orDefault(skip, 0) };
  return mode === 'find'
    ? { kind: 'find', query: find.query, sort: find.sort, ...numbers }
    : { kind: 'aggregate', ...aggregate, ...numbers };
}

/** What a count of a question asks for: its conditions alone, whatever the limit. */
export function countOf(target: FindTarget, { mode, find, aggregate }: QuestionText) {
  return { ...target, query: orEmpty(mode === 'aggregate' ? aggregate.match : find.query) };
}

/** Whether there may be parameters in what is typed. */
export const hasParameters = (question: QuestionText): boolean =>
  Object.values(question[question.mode]).some((text) => text.includes('{{'));

interface ZodIssue {
  readonly code?: string | undefined;
  readonly message: string;
  readonly path: readonly PropertyKey[];
}

/** What of an error belongs to the inputs of the question. */
export function questionProblems(error: AppError): Problems<QuestionField> {
  return problemsByField(issuesOf(error), questionField).problems;
}
