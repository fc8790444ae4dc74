import * as z from 'zod';
import { AppError, type Place } from '../errors/errors.ts';
import { checkSharedHead } from '../files/files.ts';
import { folderPath, maxSaved, sharedQuery, type SharedQuery } from './saved.ts';
import type { QuestionText } from '../query/question.ts';

const format = 1;
const kind = 'wellbench-queries';
/** Letters; a file of queries is text that people typed. */
const maxLength = 5_000_000;
/** Maximum UTF-8 size of a text of that length. */
const maxBytes = 4 * maxLength;
const tooLarge = 'it is larger than 5 million characters';
const maxDepth = 20;

export const sharedQueries = z.object({
  queries: z.array(sharedQuery).max(maxSaved),
  folders: z.array(folderPath).max(maxSaved).default([]),
});
export type SharedQueries = z.infer<typeof sharedQueries>;

/** How files of saved queries end: the installed application opens them. */
export const savedExtension = 'wellbench';

/** Saved queries for sharing, without answers to their parameters. */
export function toShared(queries: readonly SharedQuery[], folders: readonly string[]) {
  const shared = queries.map(({ name, folder, provider, dataset, question, look }) => ({
    name,
    folder,
    provider,
    dataset,
    question: { ...question, answers: {} },
    ...(look ? { look } : {}),
  }));
  return { kind, format, folders, queries: shared };
}

/** Saved queries as the text of a file. */
export const savedToText = (queries: readonly SharedQuery[], folders: readonly string[]): string =>
  `${JSON.stringify(toShared(queries, folders), null, 2)}\n`;

/** Refuses a file that no text of queries is as large as, before it is read. @throws AppError `file_unsuitable` */
export function refuseLargeFile(bytes: number, file: string): void {
  if (bytes > maxBytes) throw new AppError('file_unsuitable', { file, reason: tooLarge, wanted: 'queries' });
}

/**
 * Parses the text of {@link savedToText}, all or nothing.
 * @param file its name, for errors
 * @throws AppError `file_unsuitable` with the place, `file_too_new`
 */
export function savedFromText(text: string, file: string): SharedQueries {
  const refuse = (reason: string, place?: Place): never => {
    throw new AppError('file_unsuitable', { file, reason, wanted: 'queries', ...(place ? { place } : {}) });
  };
  if (text.length > maxLength) return refuse(tooLarge);
  const content = parseFile(text, refuse);
  const invalid = findInvalidPlace(content, []);
  if (invalid) return refuse(invalid.reason, { field: invalid.path.join('.') });
  checkSharedHead(content, { kind, format, wanted: 'queries', reason: 'it contains no saved queries' }, file);
  const read = sharedQueries.safeParse(content);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  return refuse(issue?.message ?? 'it can’t be read', { field: (issue?.path ?? []).map(String).join('.') });
}

function parseFile(text: string, refuse: (reason: string, place?: Place) => never): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const at = /position (\d+)/.exec(error instanceof Error ? error.message : '')?.[1];
    if (at === undefined) return refuse('it isn’t JSON');
    const before = text.slice(0, Number(at)).split('\n');
    return refuse('it isn’t JSON', { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 });
  }
}

const forbidden = new Set(['__proto__', 'constructor', 'prototype']);

/** Where a file has names that mean something to JavaScript, or is deeper than any query of ours. */
function findInvalidPlace(
  value: unknown,
  path: readonly string[],
): { reason: string; path: readonly string[] } | null {
  if (typeof value !== 'object' || value === null) return null;
  if (path.length > maxDepth) return { reason: 'it is nested too deeply', path };
  for (const [key, part] of Object.entries(value)) {
    const currentPath = [...path, key];
    if (forbidden.has(key)) return { reason: `the name ${key} is not allowed`, path: currentPath };
    const place = findInvalidPlace(part, currentPath);
    if (place) return place;
  }
  return null;
}

/** The scheme that the installed application opens. */
export const linkScheme = 'wellbench';

/** Maximum length of a link, in characters, that mail programs and command lines support. */
const maxLinkLength = 8000;
const start = `${linkScheme}://query?q=`;

// Systems add a slash when they parse an address.
const link = z
  .string()
  .max(maxLinkLength)
  .regex(/^wellbench:\/\/query\/?\?q=[A-Za-z0-9%_.!~*'()-]+$/);

/** Whether a text, such as an argument of the command line, is a Wellbench link, valid or not. */
export const isLink = (text: string): boolean => text.startsWith(`${linkScheme}:`);

/** A question without what its schema restores: blank texts, and options that are off. */
const brief = (question: QuestionText): unknown =>
  JSON.parse(
    JSON.stringify(question, (_, value: unknown) => (value === '' || value === false ? undefined : value)),
  );

/** A saved query as a link; null: it is too long for one. */
export function linkTo(query: SharedQuery): string | null {
  const { queries, ...head } = toShared([query], []);
  const content = {
    ...head,
    queries: queries.map(({ question, ...rest }) => ({ ...rest, question: brief(question) })),
  };
  const address = `${start}${encodeURIComponent(JSON.stringify(content))}`;
  return address.length <= maxLinkLength ? address : null;
}

/**
 * Parses the query of a link. Its author is unknown: it is text to show, nothing more.
 * @throws AppError `file_unsuitable`, `file_too_new`
 */
export function queryFromLink(address: string): SharedQueries {
  const refuse = (reason: string): never => {
    throw new AppError('file_unsuitable', { file: 'The link', reason, wanted: 'queries' });
  };
  if (!link.safeParse(address).success)
    return refuse(address.length > maxLinkLength ? 'it is too long' : 'it isn’t a Wellbench link');
  const queries = savedFromText(decoded(address.slice(address.indexOf('=') + 1), refuse), 'The link');
  if (queries.queries.length !== 1 || queries.folders.length > 0)
    return refuse('it doesn’t contain exactly one query');
  return queries;
}

function decoded(text: string, refuse: (reason: string) => never): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('it is damaged');
  }
}
