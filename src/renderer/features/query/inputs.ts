import type { AppError, Issue } from '../../../shared/errors.ts';
import { findRequest, type FindRequest } from '../../../shared/query.ts';
import { issuesOf, problemsByField, type Problems } from '../../state/problems.ts';

/** A find as a person types it. */
export interface FindInputs {
  readonly query: string;
  readonly sort: string;
  /** Paths with commas or blanks between them; empty: all. */
  readonly fields: string;
  readonly limit: string;
  readonly skip: string;
}
export const findFields = [
  'query',
  'sort',
  'fields',
  'limit',
  'skip',
] as const satisfies (keyof FindInputs)[];
export type FindField = (typeof findFields)[number];

/** What a find is asked of. */
export interface FindTarget {
  readonly connection: string;
  readonly provider: string;
  readonly dataset: string;
}

/** The field of the editor that a path of the request stands in: `fields.2` is `fields`. */
export function findField(path: string): FindField | undefined {
  return findFields.find((field) => path === field || path.startsWith(`${field}.`));
}

// A blank is what the schema defaults; anything that is no whole number is left for the schema to refuse.
const wholeNumber = (text: string) => (/^-?\d+$/.test(text.trim()) ? Number(text.trim()) : Number.NaN);
const orDefault = (text: string, otherwise: number) => (text.trim() === '' ? otherwise : wholeNumber(text));

export const defaultLimit = 1000;

/** Paths, as typed. */
export function fieldPaths(text: string): string[] {
  return text.split(/[\s,]+/).filter((path) => path !== '');
}

/** The query to send; a blank one matches all. */
export const queryText = ({ query }: Pick<FindInputs, 'query'>): string =>
  query.trim() === '' ? '{}' : query;

/** The request that the inputs make, or what is wrong with them. The query itself is judged by main. */
export function findRequestFrom(
  target: FindTarget,
  inputs: FindInputs,
  words: Pick<FindWords, 'wholeNumber'>,
): { ok: true; request: FindRequest } | { ok: false; issues: Issue[] } {
  const parsed = findRequest.safeParse({
    connection: target.connection,
    provider: target.provider,
    dataset: target.dataset,
    query: queryText(inputs),
    sort: inputs.sort.trim() === '' ? '{}' : inputs.sort,
    fields: fieldPaths(inputs.fields),
    limit: orDefault(inputs.limit, defaultLimit),
    skip: orDefault(inputs.skip, 0),
  });
  if (parsed.success) return { ok: true, request: parsed.data };
  return {
    ok: false,
    issues: parsed.error.issues.map(({ code, message, path }) => ({
      message: code === 'invalid_type' ? words.wholeNumber : message,
      place: { field: path.join('.') },
    })),
  };
}

export interface FindWords {
  readonly wholeNumber: string;
}

/** What of an error belongs to the fields of the editor. */
export function findProblems(error: AppError): Problems<FindField> {
  return problemsByField(issuesOf(error), findField).problems;
}
