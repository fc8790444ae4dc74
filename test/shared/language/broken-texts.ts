import * as fc from 'fast-check';

const pieces = ['{', '}', '[', ']', '(', ')', ':', ',', '"', "'", '$a', 'data', 'new', '-', '1', ' ', '\n'];
const openings = ['{{', '}}', '/*', '//'];

/** Texts of a query's own tokens in random order: few of them are valid. */
export const brokenText = fc
  .array(fc.constantFrom(...pieces, ...openings), { maxLength: 40 })
  .map((parts) => parts.join(''));
