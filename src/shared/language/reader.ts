import type { Issue, Place } from '../errors/errors.ts';
import type { JsonValue } from '../json.ts';
import { nearestWord } from './nearest.ts';

/**
 * The place of a node in the value, which determines the form of dates, regular expressions, and parameters.
 */
export interface Where {
  /** The nearest field name above, without operators: `datetime` in `{datetime: {$gte: …}}`. */
  readonly field: string | null;
  /** The key of this value; null for an element of a list and for the whole text. */
  readonly key: string | null;
  /** For an element: the key of its list, such as `$in`, or '' without one; otherwise null. */
  readonly list: string | null;
}

export const atTop: Where = { field: null, key: null, list: null };

/** Anything with a position in the text: a node or a lexeme. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The value of a parameter, independent of its place. */
export type Bound =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'date'; readonly ms: number }
  | { readonly kind: 'wells'; readonly ids: readonly number[] };

/** The state of parsing one text; collects all problems, so they are reported together. */
export interface Reader {
  readonly text: string;
  readonly issues: Issue[];
  /** The whole piece that each of the issues is about. */
  readonly spans: readonly Span[];
  /** Records a problem; null becomes the value. */
  refuse(this: void, span: Span, message: string): null;
  /** The value of a parameter; null without a value, which is already recorded. */
  parameter(this: void, span: Span): Bound | null;
  /** Called with the value of a parameter in its place; a spliced list comes without brackets. */
  replaced?(span: Span, value: JsonValue, spliced: boolean): void;
}

/** The operators for the signs that people write to compare; a Map, so that no inherited name is one. */
export const comparisons: ReadonlyMap<string, string> = new Map([
  ['>', '$gt'],
  ['>=', '$gte'],
  ['<', '$lt'],
  ['<=', '$lte'],
  ['!=', '$ne'],
  ['!==', '$ne'],
]);

/** Operators that take a list of values. */
export const listOperators: ReadonlySet<string> = new Set(['$in', '$nin', '$all']);

const maxIssues = 20;

type LineAndColumn = Place & { line: number; column: number };

/** Converts offsets to line and column, both from 1; line breaks are \n, \r\n, or \r. */
export function placeFinder(text: string, field: string): (offset: number) => LineAndColumn {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\r|\n/g)) starts.push(index + end.length);
  return (offset) => {
    let line = starts.length;
    for (let low = 1; low < line;) {
      const middle = (low + line) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else line = middle;
    }
    return { field, line, column: offset - (starts[line - 1] ?? 0) + 1 };
  };
}

/** Resolves a parameter; null without a value, which is then refused. */
export type Resolve = (name: string, span: Span, refuse: Reader['refuse']) => Bound | null;

const noValues: Resolve = (name, span, refuse) =>
  refuse(span, `{{${name}}} has no value here. Enter the value itself.`);

/** A reader that refuses every parameter, unless given a resolver. */
export function createReader(text: string, field: string, resolve: Resolve = noValues): Reader {
  const issues: Issue[] = [];
  const spans: Span[] = [];
  const refuse = (span: Span, message: string): null => {
    if (issues.length >= maxIssues) return null;
    issues.push({ message, place: placeFinder(text, field)(span.start) });
    spans.push({ start: span.start, end: span.end });
    return null;
  };
  const parameter: Reader['parameter'] = (span) =>
    resolve(text.slice(span.start + 2, span.end - 2).trim(), span, refuse);
  return { text, issues, spans, refuse, parameter };
}

/** A piece of the text for use in a sentence: one line, shortened. */
export function quote(text: string, { start, end }: Span): string {
  const piece = text.slice(start, end).replaceAll(/\s+/g, ' ');
  return piece.length > 40 ? `${piece.slice(0, 39)}…` : piece;
}

const constants = new Map([
  ['none', 'null'],
  ['nil', 'null'],
  ['null', 'null'],
  ['undefined', 'null'],
  ['true', 'true'],
  ['false', 'false'],
]);

const parameters = new Set(['wells', 'company', 'now', 'today']);

function word(name: string): string {
  if (name === 'undefined') return 'undefined isn’t valid in JSON. Use null, or remove the field.';
  if (name === 'NaN' || name === 'Infinity') return `${name} isn’t valid in JSON. Use a number or null.`;
  const constant = constants.get(name.toLowerCase());
  if (constant !== undefined) return `${name} is unknown. Did you mean ${constant}?`;
  if (parameters.has(name)) {
    return `${name} isn’t a number, true, false, or null. Did you mean {{${name}}}, or "${name}" as text?`;
  }
  const suggestion = name.length > 3 ? nearestWord(name, ['true', 'false', 'null']) : undefined;
  const hint = suggestion === undefined ? '' : ` Did you mean ${suggestion}?`;
  return `${name} isn’t a number, true, false, or null.${hint} If it is text, put it in quotes: "${name}".`;
}

/** Refuses an expression that would have to be calculated. */
export function refuseSum(span: Span, reader: Reader): null {
  const source = quote(reader.text, span);
  const isDate = /^\d{4}-\d{1,2}-\d{1,2}/.test(source.replaceAll(' ', ''));
  const message = isDate
    ? `A date needs quotes. Did you mean ISODate("${source}")?`
    : 'Expressions aren’t evaluated here. Enter the result, or a parameter such as {{now-24h}}.';
  return reader.refuse(span, message);
}

function number(source: string): string {
  return /^[+-]?0\d+$/.test(source)
    ? `${source} begins with 0. Remove the 0, or put it in quotes if it is text.`
    : `${source} isn’t a number. If it is text, put it in quotes: "${source}".`;
}

function character(source: string): string {
  const char = String.fromCodePoint(source.codePointAt(0) ?? 0);
  if (char === '#') return '# doesn’t start a comment. Use // before a comment.';
  if (/[“”„«»‘’‚]/.test(char)) return `${char} isn’t a valid quotation mark. Use straight quotes: "…".`;
  return `The character ${char} isn’t allowed here. If it is part of a text, put the text in quotes.`;
}

/** Refuses a word that isn't a value, with a suggestion. */
export function refuseWord(span: Span, reader: Reader): null {
  const source = quote(reader.text, span);
  const operator = comparisons.get(source);
  if (operator !== undefined)
    return reader.refuse(span, `${source} isn’t supported here. Did you mean {${operator}: …}?`);
  if (source.startsWith('...')) return reader.refuse(span, 'Spread (…) isn’t supported. List the elements.');
  if (/^(?:[+\-!~]|[\w$.]+(?:[+*%&|^<>?]|-.*-|-\d))/.test(source) && !/^[+-]?[\d.]+e/i.test(source))
    return refuseSum(span, reader);
  if (/^[\w$.]+=/.test(source))
    return reader.refuse(span, 'Assignments aren’t supported. Use a colon instead of =.');
  const message = /^\.?\d/.test(source)
    ? number(source)
    : /^[\p{L}_$.]/u.test(source)
      ? word(source)
      : character(source);
  return reader.refuse(span, message);
}
