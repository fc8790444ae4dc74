import type { Issue, Place } from '../errors/errors.ts';
import type { JsonValue } from '../json.ts';

/** Where in the value a piece stands; what a date, a regular expression or a parameter becomes depends on it. */
export interface Where {
  /** The nearest field name above, operators left out: `datetime` in `{datetime: {$gte: …}}`. */
  readonly field: string | null;
  /** The key whose value this is; null for an element of a list and for the whole. */
  readonly key: string | null;
  /** For an element: the key whose value the list is, such as `$in`, or '' where it has none; otherwise null. */
  readonly list: string | null;
}

export const atTop: Where = { field: null, key: null, list: null };

/** Anything with a place in the text: a node of the syntax tree, a lexeme. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** What a parameter stands for, before it is known where it stands. */
export type Bound =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'date'; readonly ms: number }
  | { readonly kind: 'wells'; readonly ids: readonly number[] };

/** One reading of one text: it collects what is wrong, so that a person is told of everything at once. */
export interface Reader {
  readonly text: string;
  readonly issues: Issue[];
  /** The whole piece that each of the issues is about. */
  readonly spans: readonly Span[];
  /** Notes what is wrong with a piece; null stands in for its value. */
  refuse(this: void, span: Span, message: string): null;
  /** What a parameter stands for; null where it has no value (noted already). */
  parameter(this: void, span: Span): Bound | null;
  /** Told what a parameter became where it stands; a spliced list is told without its brackets. */
  replaced?(span: Span, value: JsonValue, spliced: boolean): void;
}

/** What people write to compare, and the operator that does. */
export const comparisons: Readonly<Record<string, string>> = {
  '>': '$gt',
  '>=': '$gte',
  '<': '$lt',
  '<=': '$lte',
  '!=': '$ne',
  '!==': '$ne',
};

const maxIssues = 20;

type LineAndColumn = Place & { line: number; column: number };

/** Gives line and column of offsets, both from 1; lines end as editors end them (\n, \r\n, \r). */
export function placesIn(text: string, field: string): (offset: number) => LineAndColumn {
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

/** Line and column of one offset. */
export function placeOf(text: string, offset: number, field: string): LineAndColumn {
  return placesIn(text, field)(offset);
}

/** What gives a parameter its value; null when it has none and that was refused. */
export type Resolve = (name: string, span: Span, refuse: Reader['refuse']) => Bound | null;

const noValues: Resolve = (name, span, refuse) =>
  refuse(span, `{{${name}}} has no value here. Enter the value itself.`);

/** A reader that refuses every parameter unless it is given what they stand for. */
export function makeReader(text: string, field: string, resolve: Resolve = noValues): Reader {
  const issues: Issue[] = [];
  const spans: Span[] = [];
  const refuse = (span: Span, message: string): null => {
    if (issues.length >= maxIssues) return null;
    issues.push({ message, place: placeOf(text, span.start, field) });
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
