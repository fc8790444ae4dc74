import { AppError } from '../../../shared/errors/errors.ts';
import { wholeQuestion } from '../../../shared/export/export.ts';
import type { LintedRequest } from '../../../shared/language/lint/request.ts';
import {
  recordsRequest,
  type FindRequest,
  type FindTarget,
  type RecordsRequest,
} from '../../../shared/query/query.ts';
import type { QuestionText } from '../../../shared/query/question.ts';
import { issuesOf, problemsByField, type Problems } from '../../state/problems.ts';
import { words } from '../../words/words.ts';
import type { ExportQuestion } from '../export/export.ts';

const questionFields = [
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

/** What of an error belongs to the inputs of the question. */
export function questionProblems(error: AppError): Problems<QuestionField> {
  return problemsByField(issuesOf(error), questionField).problems;
}

export const defaultLimit = 1000;

const isBlank = (text: string) => text.trim() === '';
const orEmpty = (text: string) => (isBlank(text) ? '{}' : text);
const orNothing = (text: string) => (isBlank(text) ? undefined : text);
/** A whole number as typed; what is none is left for the schema to refuse. */
const wholeNumber = (text: string) => (/^-?\d+$/.test(text.trim()) ? Number(text.trim()) : Number.NaN);
const limitAndSkip = ({ limit, skip }: { readonly limit: string; readonly skip: string }) => ({
  limit: isBlank(limit) ? defaultLimit : wholeNumber(limit),
  skip: isBlank(skip) ? 0 : wholeNumber(skip),
});

/** Paths, as typed. */
export function fieldPaths(text: string): string[] {
  return text.split(/[\s,]+/).filter((path) => path !== '');
}

function requestIn({ mode, find, aggregate, pipeline }: QuestionText) {
  if (mode === 'pipeline') return { stages: pipeline.stages };
  if (mode === 'find') {
    const { query, sort, fields } = find;
    return {
      query: orEmpty(query),
      sort: orEmpty(sort),
      fields: fieldPaths(fields),
      ...limitAndSkip(find),
    };
  }
  const { match, sort, group, project } = aggregate;
  return {
    match: orEmpty(match),
    sort: orEmpty(sort),
    group: orNothing(group),
    project: orNothing(project),
    ...limitAndSkip(aggregate),
  };
}

/**
 * The request that a question makes. The relaxed JSON in it is judged by main.
 * @throws AppError `invalid_input` with the field of each number that is wrong
 */
export function requestOf(target: FindTarget, question: QuestionText): RecordsRequest {
  const timeoutMs = isBlank(question.timeout) ? undefined : wholeNumber(question.timeout) * 1000;
  const request = { ...target, timeoutMs, ...requestIn(question) };
  const parsed = recordsRequest.safeParse({ kind: question.mode, request });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ code, message, path }) => ({
    message: code === 'invalid_type' ? words.query.wholeNumber : message,
    place: { field: path.slice(1).join('.') },
  }));
  throw new AppError('invalid_input', { issues });
}

/** What a count of a question asks for: its conditions alone, whatever the limit. */
export function countOf(target: FindTarget, { mode, find, aggregate }: QuestionText) {
  return { ...target, query: orEmpty(mode === 'aggregate' ? aggregate.match : find.query) };
}

/** The question as the rules see it. */
export function lintedQuestion({ mode, find, aggregate, pipeline }: QuestionText): LintedRequest {
  if (mode === 'pipeline') return { kind: mode, stages: pipeline.stages };
  return mode === 'find'
    ? { kind: mode, query: find.query, sort: find.sort, ...limitAndSkip(find) }
    : { kind: mode, ...aggregate, ...limitAndSkip(aggregate) };
}

/** Whether there may be parameters in what is typed. */
export const hasParameters = (question: QuestionText): boolean =>
  Object.values(question[question.mode]).some((text) => text.includes('{{'));

/** What a question comes to as an export. @throws AppError `invalid_input` where it can't be asked */
export function exportQuestion(target: FindTarget, text: QuestionText): ExportQuestion {
  if (text.mode === 'find') {
    const { query, sort, fields } = text.find;
    return { kind: 'find', query: orEmpty(query), sort, fields: fieldPaths(fields) };
  }
  const { kind, request } = requestOf(target, text);
  return { kind: 'whole', answerTo: wholeQuestion.parse({ ...request, kind }) };
}

/** All records that match the find of an answer. */
export interface ExportOfAnswer {
  readonly request: FindRequest;
  /** The dotted paths of the fields to export; null: those of the find. */
  readonly fields: readonly string[] | null;
}

/** All records that match the find of an answer: its limit and skip don't count. */
export function exportOfAnswer(answer: ExportOfAnswer): ExportQuestion {
  const { query, sort } = answer.request;
  return { kind: 'find', query, sort, fields: exportedFields(answer) ?? [] };
}

/** The dotted paths of the fields that are exported; null: all. */
export const exportedFields = ({ request, fields }: ExportOfAnswer): readonly string[] | null =>
  fields ?? (request.fields.length > 0 ? request.fields : null);
