import { detectDialect, usualWidth } from '../reading/dialect.ts';
import { detectEncoding } from '../reading/encoding.ts';

/** Marks of formats that aren't delimited text. */
const signs = /^[^\S\n\r\u2028\u2029]*(?:[<[{~]|&&)/m;
const delimited = /[,;|\t]/;
const linesLookedAt = 20;

const linesOf = (text: string): string[] =>
  text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '' && !line.startsWith('#'));

/** Whether a text must be delimited: most of its first lines have a delimiter. Then no other reader is loaded. */
export function looksDelimited(text: string): boolean {
  if (signs.test(text)) return false;
  const lines = linesOf(text).slice(0, linesLookedAt);
  return lines.filter((line) => delimited.test(line)).length * 2 > lines.length;
}

/**
 * Whether a text without delimiters is one column whose cells have blanks, such as dates with times or names of wells:
 * a header of one word, and at most one blank per row.
 */
export function isOneColumn(text: string): boolean {
  const [first = '', ...others] = text.split(/\r\n|\r|\n/).filter((line) => line.trim() !== '');
  return !/\s/.test(first.trim()) && others.every((line) => !/\t|\S {2,}\S/.test(line));
}

/** Minimum share of records, from 0 to 1, with the same number of cells in a delimited table. */
const minShare = 0.8;

/** Whether a text is a delimited table once its quotes are parsed: cells with line breaks hide its delimiters. */
export function isQuotedTable(fileName: string, start: Uint8Array): boolean {
  if (!start.includes(0x22)) return false;
  const encoding = detectEncoding(start, false);
  const { rows } = detectDialect(fileName, start, false, encoding, {});
  const { width, share } = usualWidth(rows);
  return width >= 2 && share >= minShare;
}
