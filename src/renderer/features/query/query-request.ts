import { AppError } from '../../../shared/errors/errors.ts';
import { aggregation } from '../../../shared/export/export.ts';
import type { LintedRequest } from '../../../shared/language/lint/request.ts';
import {
  recordsRequest,
  type FindRequest,
  type FindTarget,
  type RecordsRequest,
  type ServiceRequest,
} from '../../../shared/query/query.ts';
import { maxSqlRows } from '../../../shared/sql/sql.ts';
import type { FindText, QuestionText } from '../../../shared/query/question.ts';
import { readList } from '../../../shared/value-lists.ts';
import { issuesOf, problemsByField, type Problems } from '../../state/problems.ts';
import { words } from '../../words/words.ts';
import type { ExportQuery } from '../export/export.ts';
import type { QueryStatus } from '../results/results.ts';

const questionFields = [
  'query',
  'sort',
  'fields',
  'limit',
  'skip',
  'stages',
  'statement',
  'timeout',
] as const;
export type QuestionField = (typeof questionFields)[number];

/** The input for a path of the request, such as `fields` for `fields.2`. */
export function questionField(path: string): QuestionField | undefined {
  if (path === 'timeoutMs') return 'timeout';
  if (path === 'sql') return 'statement';
  return questionFields.find((field) => path === field || path.startsWith(`${field}.`));
}

export function questionProblems(error: AppError): Problems<QuestionField> {
  return problemsByField(issuesOf(error), questionField).problems;
}

export const defaultLimit = 1000;

const isBlank = (text: string) => text.trim() === '';
const valueOrObject = (text: string) => (isBlank(text) ? '{}' : text);
/** A whole number as typed; other texts are left for the schema to reject. */
const wholeNumber = (text: string) => (/^-?\d+$/.test(text.trim()) ? Number(text.trim()) : Number.NaN);
const limitAndSkip = ({ limit, skip }: Pick<FindText, 'limit' | 'skip'>) => ({
  limit: isBlank(limit) ? defaultLimit : wholeNumber(limit),
  skip: isBlank(skip) ? 0 : wholeNumber(skip),
});

function inputRequest({ mode, find, pipeline, sql }: QuestionText) {
  if (mode === 'sql') return { sql: sql.statement, limit: maxSqlRows };
  if (mode !== 'find') return { stages: pipeline.stages };
  const { query, sort, fields } = find;
  return {
    query: valueOrObject(query),
    sort: valueOrObject(sort),
    fields: readList(fields, 'words'),
    ...limitAndSkip(find),
  };
}

/**
 * The request for a query. Main validates its relaxed JSON.
 * @throws AppError `invalid_input` with the field of each invalid number
 */
export function requestOf(target: FindTarget, question: QuestionText): RecordsRequest {
  const timeoutMs = isBlank(question.timeout) ? undefined : wholeNumber(question.timeout) * 1000;
  const request = { ...target, timeoutMs, ...inputRequest(question) };
  const parsed = recordsRequest.safeParse({ kind: question.mode, request });
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ code, message, path }) => ({
    message: code === 'invalid_type' ? words.query.wholeNumber : message,
    place: { field: path.slice(1).join('.') },
  }));
  throw new AppError('invalid_input', { issues });
}

export const canCount = ({ mode }: Pick<QuestionText, 'mode'>): boolean => mode === 'find';

/** The request for a count: only the conditions, without limit. */
export const countRequest = (target: FindTarget, { find }: QuestionText) => ({
  ...target,
  query: valueOrObject(find.query),
});

/** The query as the checks take it; null: SQL is checked by its engine. */
export function lintInput({ mode, find, pipeline }: QuestionText): LintedRequest | null {
  if (mode === 'sql') return null;
  return mode === 'find'
    ? { kind: mode, query: find.query, sort: find.sort, ...limitAndSkip(find) }
    : { kind: 'pipeline', stages: pipeline.stages };
}

export const hasParameters = (question: QuestionText): boolean =>
  Object.values(question[question.mode]).some((text) => text.includes('{{'));

export const usesSelectedWells = (question: QuestionText): boolean =>
  Object.values(question[question.mode]).some((text) => /\{\{\s*wells\s*\}\}/i.test(text));

/** The request of a loaded result, if a service computed it, and how long it took; null: there is none. */
export function sentRequest(answer: QueryStatus): { request: ServiceRequest; ms: number } | null {
  if (answer.status !== 'loaded') return null;
  const { request, ms } = answer.value;
  return request.kind === 'sql' ? null : { request, ms };
}

/** @throws AppError `invalid_input` if the query is invalid */
export function exportQuestion(target: FindTarget, text: QuestionText): ExportQuery {
  if (text.mode === 'find') {
    const { query, sort, fields } = text.find;
    return { kind: 'find', query: valueOrObject(query), sort, fields: readList(fields, 'words') };
  }
  const { kind, request } = requestOf(target, text);
  return { kind: 'whole', aggregation: aggregation.parse({ ...request, kind }) };
}

export interface ResultExport {
  readonly request: FindRequest;
  /** The dotted paths of the fields to export; null: those of the find. */
  readonly fields: readonly string[] | null;
}

/** An export of all records that match the find of a result, without its limit and skip. */
export function toResultExport(answer: ResultExport): ExportQuery {
  const { query, sort } = answer.request;
  return { kind: 'find', query, sort, fields: exportFields(answer) ?? [] };
}

/** The dotted paths of the fields to export; null: all. */
export const exportFields = ({ request, fields }: ResultExport): readonly string[] | null =>
  fields ?? (request.fields.length > 0 ? request.fields : null);
