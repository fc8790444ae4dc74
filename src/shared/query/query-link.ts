import * as z from 'zod';
import { AppError } from '../errors/errors.ts';
import { toShared, savedFromText, type SharedQueries } from '../saved/saved-file.ts';
import type { SharedQuery } from '../saved/saved.ts';
import type { QuestionText } from './question.ts';

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
