import * as z from 'zod';
import { AppError } from '../errors/errors.ts';
import { handedOn, savedFromText, type SharedQueries } from '../saved/saved-file.ts';
import type { SharedQuery } from '../saved/saved.ts';

/** The scheme that the installed application opens. */
export const linkScheme = 'wellbench';

/** Letters of a link at most: what mail programs and command lines of every system carry whole. */
const longest = 8000;
const start = `${linkScheme}://query?q=`;

// Systems add a slash where they take an address apart; nothing else stands in a link of ours.
const link = z
  .string()
  .max(longest)
  .regex(/^wellbench:\/\/query\/?\?q=[A-Za-z0-9%_.!~*'()-]+$/);

/** Whether a text, such as an argument of the command line, is meant to be a link to us. */
export const isLink = (text: string): boolean => text.startsWith(`${linkScheme}:`);

/** A saved query as a link; null: it is too long for one. */
export function linkTo(query: SharedQuery): string | null {
  // What is blank is blank again where it is read.
  const brief = (name: string, value: unknown): unknown =>
    name !== 'folder' && (value === '' || value === false) ? undefined : value;
  const address = `${start}${encodeURIComponent(JSON.stringify(handedOn([query], []), brief))}`;
  return address.length <= longest ? address : null;
}

/**
 * The query of a link. Whoever made it is not known: it is text to be looked at, and nothing more.
 * @throws AppError `file_unsuitable`, `file_too_new`
 */
export function queryFromLink(address: string): SharedQueries {
  const refuse = (reason: string): never => {
    throw new AppError('file_unsuitable', { file: 'The link', reason, wanted: 'queries' });
  };
  if (!link.safeParse(address).success)
    return refuse(address.length > longest ? 'it is too long' : 'it isn’t a Wellbench link');
  const found = savedFromText(decoded(address.slice(address.indexOf('=') + 1), refuse), 'The link');
  if (found.queries.length !== 1 || found.folders.length > 0)
    return refuse('it doesn’t contain exactly one query');
  return found;
}

function decoded(text: string, refuse: (reason: string) => never): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse('it is damaged');
  }
}
