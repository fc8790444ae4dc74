import type { Issue, Place } from '../errors/errors.ts';
import type { JsonValue } from '../json.ts';

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
