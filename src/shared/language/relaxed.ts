import { parseExpressionAt, type Expression } from 'acorn';
import { AppError } from '../errors/errors.ts';
import { isObject, type JsonObject, type JsonValue } from '../json.ts';
import { convert } from './convert.ts';
import { maxDepth } from './depth.ts';
import { explain } from './explain.ts';
import { atTop, makeReader, placeOf, quote, type Reader, type Span } from './reader.ts';
import { isSignificant, scan, type Lexeme } from './scan.ts';

export { maxDepth } from './depth.ts';

/** What a text consists of, as far as it must be known before it is parsed. */
interface Survey {
  readonly first: Lexeme | undefined;
  readonly second: Lexeme | undefined;
  readonly parameters: readonly Lexeme[];
}

/** Looks through a text before it is parsed; null when it is nested too deep, which a parser's stack would not bear. */
function survey(text: string, reader: Reader): Survey | null {
  let depth = 0;
  const start: Lexeme[] = [];
  const parameters: Lexeme[] = [];
  for (const lexeme of scan(text)) {
    if (start.length < 2 && isSignificant(lexeme)) start.push(lexeme);
    if (lexeme.kind === 'parameter') parameters.push(lexeme);
    if (lexeme.kind === 'close') depth--;
    if (lexeme.kind === 'open' && ++depth > maxDepth) {
      const advice = 'Make it flatter, or look for brackets too many.';
      return reader.refuse(lexeme, `This is nested more than ${maxDepth} levels deep. ${advice}`);
    }
  }
  const [first, second] = start;
  return { first, second, parameters };
}

/** `asset_id: 5003` without the braces around it. */
function hasNoBraces({ first, second }: Survey): boolean {
  return (first?.kind === 'word' || first?.kind === 'text') && second?.kind === 'colon';
}

/** Hides each parameter behind a quoted text of the same length, so that every offset stays what it was. */
function mask(text: string, parameters: readonly Lexeme[]): string {
  let masked = '';
  let done = 0;
  for (const { start, end } of parameters) {
    masked += `${text.slice(done, start)}"${'_'.repeat(end - start - 2)}"`;
    done = end;
  }
  return masked + text.slice(done);
}

function parseTree(text: string, masked: string, reader: Reader): Expression | null {
  try {
    return parseExpressionAt(masked, 0, {
      ecmaVersion: 'latest',
      sourceType: 'module',
      allowHashBang: false,
      preserveParens: true,
    });
  } catch (error) {
    if (!(error instanceof SyntaxError) || !('pos' in error) || typeof error.pos !== 'number') throw error;
    const said = error.message.replace(/ \(\d+:\d+\)$/, '');
    const { at, message } = explain(text, error.pos, said);
    return reader.refuse({ start: at, end: at }, message);
  }
}

/** What stands after the value: nothing may, but spaces and comments. */
function refuseRest(text: string, end: number, reader: Reader): void {
  for (const { kind, ...span } of scan(text.slice(end))) {
    if (kind === 'space' || kind === 'comment') continue;
    const rest: Span = { start: end + span.start, end: text.length };
    const hint = text[rest.start] === ';' ? 'Remove the semicolon.' : 'Remove it.';
    reader.refuse(
      rest,
      `${quote(text, rest)} stands after the end of the value, where nothing may follow. ${hint}`,
    );
    return;
  }
}

/** A value that was read, and where it begins. */
export interface Found {
  readonly value: JsonValue;
  readonly start: number;
}

/**
 * Reads one value; null when the text holds nothing but spaces and comments. What is wrong is noted in the reader, and
 * then the value is without meaning.
 */
export function read(reader: Reader): Found | null {
  const { text } = reader;
  const nothing: Found = { value: null, start: 0 };
  const found = survey(text, reader);
  if (!found) return nothing;
  if (!found.first) return null;
  if (hasNoBraces(found)) {
    reader.refuse(
      found.first,
      `The braces are missing. Put { before ${quote(text, found.first)} and } at the end.`,
    );
    return nothing;
  }
  const tree = parseTree(text, mask(text, found.parameters), reader);
  if (!tree) return nothing;
  refuseRest(text, tree.end, reader);
  return { value: convert(tree, atTop, reader), start: tree.start };
}

/** Throws what a reader has noted. */
export function throwIssues(reader: Reader): void {
  if (reader.issues.length > 0) throw new AppError('invalid_input', { issues: reader.issues });
}

function fail(text: string, field: string, at: number, message: string): never {
  throw new AppError('invalid_input', { issues: [{ message, place: placeOf(text, at, field) }] });
}

function readOrThrow(text: string, field: string): Found | null {
  const reader = makeReader(text, field);
  const found = read(reader);
  throwIssues(reader);
  return found;
}

function kindOf(value: JsonValue): string {
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return 'a text';
  if (typeof value !== 'object') return 'a number';
  return Array.isArray(value) ? 'a list' : 'an object';
}

/**
 * The value that a relaxed JSON text means: comments, names without quotes, single quotes, commas at the end,
 * `ISODate("…")`, `NumberLong("…")`, `ObjectId("…")` and regular expressions are understood, integers stay exact, and a
 * date becomes Unix milliseconds, or ISO 8601 text where the field is `datetime`. Nothing is run and nothing ignored.
 * @param field the name of the input, for the places in errors
 * @throws AppError invalid_input with line and column of everything that is wrong
 */
export function parseRelaxed(text: string, field: string): JsonValue {
  const found = readOrThrow(text, field);
  return found ? found.value : fail(text, field, text.length, 'There is nothing here. Write a value.');
}

/**
 * As {@link parseRelaxed}, for an object. A text without anything in it means `{}`.
 * @throws AppError invalid_input
 */
export function parseRelaxedObject(text: string, field: string): JsonObject {
  const found = readOrThrow(text, field);
  if (!found) return {};
  if (isObject(found.value)) return found.value;
  return fail(
    text,
    field,
    found.start,
    `This must be an object, not ${kindOf(found.value)}. Put it between { and }.`,
  );
}

/**
 * As {@link parseRelaxed}, for a list, such as the stages of a pipeline.
 * @throws AppError invalid_input
 */
export function parseRelaxedArray(text: string, field: string): JsonValue[] {
  const found = readOrThrow(text, field);
  if (!found) return fail(text, field, text.length, 'There is nothing here. Write a list between [ and ].');
  if (Array.isArray(found.value)) return found.value;
  return fail(
    text,
    field,
    found.start,
    `This must be a list, not ${kindOf(found.value)}. Put it between [ and ].`,
  );
}
