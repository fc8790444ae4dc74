import type { Place } from '../errors/errors.ts';
import { stringifyJson } from '../json.ts';
import type { AskType } from './answers.ts';
import { isMeantAsParameter, parseParameter, type Parameter } from './parameter.ts';
import { makeReader, placesIn, type Reader, type Resolve, type Span } from './reader.ts';
import { read, throwIssues } from './relaxed.ts';
import { scan } from './scan.ts';
import { valueOf, type ParameterValues } from './values.ts';

export type { ParameterValues } from './values.ts';

/** A parameter in a text; where it is not one that is known, `problem` says why. */
export interface FoundParameter extends Span {
  /** What stands between the braces. */
  readonly written: string;
  readonly place: Place & { line: number; column: number };
  readonly parameter: Parameter | null;
  readonly problem: string | null;
}

const writtenIn = (text: string, { start, end }: Span): string => text.slice(start + 2, end - 2).trim();

/** The parameters of a text in their order. Within quotes, regular expressions and comments there are none. */
export function findParameters(text: string, field: string): FoundParameter[] {
  const placeOf = placesIn(text, field);
  return [...scan(text)]
    .filter(({ kind }) => kind === 'parameter')
    .map(({ start, end }) => {
      const written = writtenIn(text, { start, end });
      const parsed = parseParameter(written);
      const isKnown = typeof parsed === 'object';
      const place = placeOf(start);
      return {
        start,
        end,
        written,
        place,
        parameter: isKnown ? parsed : null,
        problem: isKnown ? null : parsed,
      };
    });
}

/** What a form has to ask for: each name once, with the type that any of its places gives. */
export function askedFor(found: readonly FoundParameter[]): { name: string; type: AskType | null }[] {
  const types = new Map<string, AskType | null>();
  for (const { parameter } of found) {
    if (parameter?.kind === 'ask') types.set(parameter.name, types.get(parameter.name) ?? parameter.type);
  }
  return [...types].map(([name, type]) => ({ name, type }));
}

/** Quoted, a parameter would be sent as it stands, which nobody who writes one means. */
export function refuseQuoted({ text, refuse }: Reader): void {
  for (const { kind, start, end } of scan(text)) {
    if (kind !== 'text' && kind !== 'regex') continue;
    for (const { 0: said, 1: written = '', index } of text
      .slice(start, end)
      .matchAll(/\{\{([^{}\r\n]*)\}\}/g)) {
      if (!isMeantAsParameter(written)) continue;
      const advice = `Write it without the quotes, as a value of its own; as plain text write \\u007b${said.slice(1)}.`;
      const span = { start: start + index, end: start + index + said.length };
      refuse(span, `${said} stands inside a text, where it would stay as it is. ${advice}`);
    }
  }
}

/** Puts pieces in the place of spans, which stand in any order and do not overlap. */
function replaceAll(text: string, pieces: readonly (Span & { by: string })[]): string {
  let done = 0;
  let result = '';
  for (const { start, end, by } of pieces.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(done, start) + by;
    done = end;
  }
  return result + text.slice(done);
}

/**
 * The text with each parameter replaced by strict JSON, on the same line. The whole text is read first, so that whatever
 * is wrong with it has the line and column of the text as the person typed it; what comes out can be parsed.
 *
 * - `{{wells}}` as the value of a field is the one chosen id, or `{"$in": […]}` of several; as the value of `$in`, `$nin`
 *   or `$all` it is the list, and inside such a list its ids one by one (see `wells.ts`).
 * - A moment is Unix milliseconds, or ISO 8601 text where the field is `datetime`.
 * - In comments a parameter is left alone; inside quotes it is refused.
 * @throws AppError invalid_input
 */
export function bindParameters(text: string, field: string, values: ParameterValues): string {
  if (!text.includes('{{')) return text;
  const found = findParameters(text, field);
  const types = new Map(askedFor(found).map(({ name, type }) => [name, type]));
  const resolve: Resolve = (written, span, refuse) => {
    const parameter = parseParameter(written);
    const value = typeof parameter === 'string' ? parameter : valueOf(parameter, values, types);
    return typeof value === 'string' ? refuse(span, value) : value;
  };
  const pieces: (Span & { by: string })[] = [];
  const reader: Reader = {
    ...makeReader(text, field, resolve),
    replaced({ start, end }, value, spliced) {
      const json = stringifyJson(value);
      pieces.push({ start, end, by: spliced ? json.slice(1, -1) : json });
    },
  };
  refuseQuoted(reader);
  if (found.length > 0) read(reader);
  throwIssues(reader);
  return replaceAll(text, pieces);
}
