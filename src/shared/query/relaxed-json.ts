import * as z from 'zod';

/** Maximum length of a query in characters: checking it takes main up to about 0.15 s, in which it answers nothing else. */
const maxQueryLength = 250_000;

/** Relaxed JSON from the user; main converts it to strict JSON or reports errors with their place. */
export const relaxedJson = z
  .string()
  .max(maxQueryLength, 'A query has at most 250,000 characters. Shorten it, such as its list of values.');

/** The path of a field, such as `data.rop`: a request separates several by commas. */
export const fieldPath = z
  .string()
  .refine((path) => path.trim() !== '' && !path.includes(','), 'Enter the path of a field, without a comma.');
