import type { AppError } from '../../../shared/errors/errors.ts';
import type { LintedRequest } from '../../../shared/language/lint/request.ts';
import type { FindTarget } from '../../../shared/query/query.ts';
import type { FindText, QuestionText } from '../../../shared/query/question.ts';
import { issuesOf, problemsByField, type Problems } from '../../state/problems.ts';

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

/** The input that a path of the request stands in: `fields.2` is `fields`. */
export function questionField(path: string): QuestionField | undefined {
  if (path === 'timeoutMs') return 'timeout';
  return questionFields.find((field) => path === field || path.startsWith(`${field}.`));
}

/** A whole number as typed; what is none is left for the schema to refuse. */
export const wholeNumber = (text: string) => (/^-?\d+$/.test(text.trim()) ? Number(text.trim()) : Number.NaN);
/** The same; a blank is what holds otherwise. */
export const orDefault = (text: string, otherwise: number) =>
  text.trim() === '' ? otherwise : wholeNumber(text);
/** Relaxed JSON as typed; a blank is an empty object. */
export const orEmpty = (text: string) => (text.trim() === '' ? '{}' : text);

export const defaultLimit = 1000;

/** Paths, as typed. */
export function fieldPaths(text: string): string[] {
  return text.split(/[\s,]+/).filter((path) => path !== '');
}

/** The query to send; a blank one matches all. */
export const queryText = ({ query }: Pick<FindInputs, 'query'>): string => orEmpty(query);

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

/** What of an error belongs to the inputs of the question. */
export function questionProblems(error: AppError): Problems<QuestionField> {
  return problemsByField(issuesOf(error), questionField).problems;
}
