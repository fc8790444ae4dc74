import * as z from 'zod';

/** Maximum length of a query's text, in characters. Longer lists of values belong in a file or another condition. */
const maxQueryLength = 1_000_000;

/** Relaxed JSON from the user; main converts it to strict JSON or reports errors with their place. */
export const relaxedJson = z
  .string()
  .max(maxQueryLength, 'A query has at most 1,000,000 characters. Shorten it, such as its list of values.');
