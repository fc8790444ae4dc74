import { millisecondsOf, integerFrom, numberOf } from './literals.ts';
import { millisecondsOfMoment, parseMoment, suggestMoment, type Moment } from './moments.ts';
import { type Bound, createReader, placeFinder, type Reader, type Resolve, type Span } from './reader.ts';
import { nearestWord } from './nearest.ts';
import { AppError, type Issue, type Place } from '../errors/errors.ts';
import type { AssetId } from '../wells/wells.ts';
import { stringifyJson } from '../json.ts';
import { read } from './relaxed.ts';
import { scan } from './scan.ts';
import { append } from '../lists.ts';
import { applyEdits, type TextEdit } from './text/edits.ts';
import { literal } from '../sql/names.ts';

/** The types of `{{ask:name:type}}`. */
export const askTypes = ['number', 'integer', 'text', 'date', 'boolean'] as const;
export type AskType = (typeof askTypes)[number];

/** The reference of relative dates in an answer. */
interface Present {
  /** Unix milliseconds. */
  readonly now: number;
  /** The user's time zone: an IANA name, `UTC`, or an offset. */
  readonly zone: string;
}

const numberText = /^[+-]?(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const int64 = 2n ** 63n;

const value = (of: string | number | bigint | boolean): Bound => ({ kind: 'value', value: of });

function parseNumber(text: string): Bound | undefined {
  if (!numberText.test(text)) return undefined;
  const amount = numberOf(text.replace(/^[+-]/, ''));
  if (!Number.isFinite(Number(amount))) return undefined;
  return value(text.startsWith('-') ? -amount : amount);
}

function parseBoolean(text: string): Bound | undefined {
  const match = /^(?:(true)|false)$/i.exec(text);
  return match ? value(match[1] !== undefined) : undefined;
}

function parseInteger(text: string): Bound | undefined {
  const amount = integerFrom(text, -int64, int64 - 1n);
  return amount === undefined ? undefined : value(amount);
}

function parseDate(text: string, { now, zone }: Present): Bound | undefined {
  const moment = parseMoment(text);
  const ms = typeof moment === 'object' ? millisecondsOfMoment(moment, now, zone) : millisecondsOf(text);
  return ms === undefined ? undefined : { kind: 'date', ms };
}

const expectedInput: Record<AskType, string> = {
  number: 'a number. Use digits with a decimal point and no unit',
  integer: 'a whole number. Use digits only',
  text: 'a text',
  date: 'a date. Use a form such as 2024-01-31, 2024-01-31T06:00:00Z, or now-24h',
  boolean: 'true or false. Use one of the two',
};

/**
 * Parses an answer to a parameter; a returned string is the problem. Without a type, a plain number is a
 * number, true and false are booleans, and everything else is text, numbers with leading zeros too.
 */
export function parseAnswer(input: string, type: AskType | null, present: Present): Bound | string {
  const text = input.trim();
  if (type === null) return parseNumber(text) ?? parseBoolean(text) ?? value(input);
  const read: Record<AskType, () => Bound | undefined> = {
    number: () => parseNumber(text),
    integer: () => parseInteger(text),
    text: () => value(input),
    date: () => parseDate(text, present),
    boolean: () => parseBoolean(text),
  };
  return read[type]() ?? `“${text}” is not ${expectedInput[type]}.`;
}

export type Parameter =
  /** `{{wells}}`: the asset ids of the selected wells. */
  | { readonly kind: 'wells' }
  /** `{{company}}`: the id of the company. */
  | { readonly kind: 'company' }
  /** `{{now-24h}}`, `{{today@America/Chicago}}`. */
  | { readonly kind: 'moment'; readonly moment: Moment }
  /** `{{ask:depth:number}}`: entered before the query runs. */
  | { readonly kind: 'ask'; readonly name: string; readonly type: AskType | null };

/** Whether a parameter can have a text as its value. @param parameter as {@link parseParameter} returns it */
export const canBeText = (parameter: Parameter | string): boolean =>
  typeof parameter === 'string' || (parameter.kind === 'ask' && (parameter.type ?? 'text') === 'text');

const kinds = ['wells', 'company', 'now', 'today', 'ask'];

function parseAsk(written: string): Parameter | string {
  const [word = '', name = '', type, ...rest] = written.split(':').map((part) => part.trim());
  if (word.toLowerCase() !== 'ask' || name === '' || rest.length > 0)
    return 'Write the parameter as {{ask:name}} or {{ask:name:number}}.';
  if (type === undefined) return { kind: 'ask', name, type: null };
  const knownType = askTypes.find((askType) => askType === type.toLowerCase());
  if (knownType) return { kind: 'ask', name, type: knownType };
  const suggestion = nearestWord(type, askTypes);
  const hint = suggestion ? `Did you mean ${suggestion}?` : `Write one of ${askTypes.join(', ')}.`;
  return `${type || 'Nothing after the second colon'} isn’t a parameter type. ${hint}`;
}

/** Parses a parameter; a returned string is the problem. */
export function parseParameter(written: string): Parameter | string {
  const text = written.trim();
  if (/^wells$/i.test(text)) return { kind: 'wells' };
  if (/^company$/i.test(text)) return { kind: 'company' };
  if (/^ask(?!\w)/i.test(text)) return parseAsk(text);
  const moment = parseMoment(text);
  if (moment !== undefined) return typeof moment === 'string' ? moment : { kind: 'moment', moment };
  const suggestion = suggestMoment(text) ?? nearestWord(text.replace(/:.*$/s, ''), kinds);
  const hint = suggestion
    ? `Did you mean {{${suggestion}}}?`
    : 'Parameters are {{wells}}, {{company}}, {{now-24h}}, {{today}}, and {{ask:name}}.';
  return `{{${text}}} isn’t a parameter. ${hint}`;
}

/** Whether a text between braces is a parameter, valid or not. */
export function looksLikeParameter(written: string): boolean {
  return /^\s*(?:wells|company|now|today|ask)(?!\w)/i.test(written);
}

/** The values of parameters in one run, with one current time. */
export interface ParameterValues extends Present {
  readonly wells: readonly AssetId[];
  readonly company: number | null;
  readonly answers: ReadonlyMap<string, string>;
  /** Default: those of the window. */
  readonly instructions?: Instructions;
}

/** How to give a value to each kind of parameter without one, as a sentence. */
export interface Instructions {
  readonly wells: string;
  readonly company: string;
  readonly answer: (name: string) => string;
}

const inWindow: Instructions = {
  wells: 'Select one, or replace {{wells}} with its asset ID.',
  company: 'Replace {{company}} with its ID.',
  answer: () => 'Enter one.',
};

/** The type of each answer by its name; null: no place gives one. */
type AskedTypes = ReadonlyMap<string, AskType | null>;

/** The value of a parameter; a returned string is the problem. */
export function valueOf(parameter: Parameter, values: ParameterValues, types: AskedTypes): Bound | string {
  const { instructions = inWindow } = values;
  if (parameter.kind === 'wells') {
    if (values.wells.length > 0) return { kind: 'wells', ids: [...new Set(values.wells)] };
    return `No well is selected. ${instructions.wells}`;
  }
  if (parameter.kind === 'company') {
    if (values.company !== null) return { kind: 'value', value: values.company };
    return `The company is unknown. ${instructions.company}`;
  }
  if (parameter.kind === 'moment') {
    const ms = millisecondsOfMoment(parameter.moment, values.now, values.zone);
    return ms === undefined ? 'This time is out of range. Use a nearer one.' : { kind: 'date', ms };
  }
  const { name, type } = parameter;
  const source = values.answers.get(name) ?? '';
  if (source.trim() === '') return `${name} has no value. ${instructions.answer(name)}`;
  const answer = parseAnswer(source, type ?? types.get(name) ?? null, values);
  return typeof answer === 'string' ? `${name}: ${answer}` : answer;
}

/** A parameter in a text; `problem` if it is invalid. */
export interface FoundParameter extends Span {
  /** The text between the braces. */
  readonly written: string;
  readonly place: Place & { line: number; column: number };
  readonly parameter: Parameter | null;
  readonly problem: string | null;
}

/** The parameters at spans of a text, which include the braces. */
function parametersAt(text: string, field: string, spans: readonly Span[]): FoundParameter[] {
  const placeOf = placeFinder(text, field);
  return spans.map(({ start, end }) => {
    const written = text.slice(start + 2, end - 2).trim();
    const parsed = parseParameter(written);
    const parts = { start, end, written, place: placeOf(start) };
    return typeof parsed === 'object'
      ? { ...parts, parameter: parsed, problem: null }
      : { ...parts, parameter: null, problem: parsed };
  });
}

/** The parameters of a text, in order. Quotes, regular expressions, and comments have none. */
export function findParameters(text: string, field: string): FoundParameter[] {
  return parametersAt(
    text,
    field,
    [...scan(text)].filter(({ kind }) => kind === 'parameter'),
  );
}

/** The parameters of several texts, by the field that each is sent in. */
export const parametersIn = (texts: Readonly<Record<string, string | undefined>>): FoundParameter[] =>
  Object.entries(texts).flatMap(([field, text]) => (text?.includes('{{') ? findParameters(text, field) : []));

/** The types of the answers that parameters ask for, from any of their places. */
function askedTypes(parameters: readonly FoundParameter[]): AskedTypes {
  const types = new Map<string, AskType | null>();
  for (const { parameter } of parameters) {
    if (parameter?.kind === 'ask') types.set(parameter.name, types.get(parameter.name) ?? parameter.type);
  }
  return types;
}

/** The required answers, each once. */
export const requiredAnswers = (
  parameters: readonly FoundParameter[],
): { name: string; type: AskType | null }[] =>
  [...askedTypes(parameters)].map(([name, type]) => ({ name, type }));

/** In quotes, a parameter would be sent as text, which is never intended. */
export function refuseQuoted({ text, refuse }: Reader): void {
  for (const { kind, start, end } of scan(text)) {
    if (kind !== 'text' && kind !== 'regex') continue;
    for (const { 0: source, 1: written = '', index } of text
      .slice(start, end)
      .matchAll(/\{\{([^{}\r\n]*)\}\}/g)) {
      if (!looksLikeParameter(written)) continue;
      const advice = `Remove the quotes to use it as a value; to keep it as text, write \\u007b${source.slice(1)}.`;
      const span = { start: start + index, end: start + index + source.length };
      refuse(span, `${source} is inside quotes, so it isn’t replaced. ${advice}`);
    }
  }
}

/**
 * Replaces the parameters in the texts of a request by strict JSON, on the same line; absent texts stay absent. Each text is
 * read as a whole first, so that its problems have the line and column of the text as the person typed it; the result can be
 * parsed.
 *
 * - `{{wells}}` as the value of a field is the one chosen id, or `{"$in": […]}` of several; as the value of `$in`, `$nin`
 *   or `$all` it is the list, and inside such a list its ids one by one (see `wellsAt` in `relaxed.ts`).
 * - A moment is Unix milliseconds, or ISO 8601 text where the field is `datetime`.
 * - In comments a parameter stays; inside quotes it is refused.
 * @param texts by the request field that each is sent in
 * @throws AppError `invalid_input` with the place of each parameter without a value, in all texts
 */
export function bindTexts<T extends Readonly<Record<string, string | undefined>>>(
  texts: T,
  values: ParameterValues,
): T {
  const parameters = parametersIn(texts);
  const types = askedTypes(parameters);
  const resolve: Resolve = (written, span, refuse) => {
    const parameter = parseParameter(written);
    const value = typeof parameter === 'string' ? parameter : valueOf(parameter, values, types);
    return typeof value === 'string' ? refuse(span, value) : value;
  };
  const issues: Issue[] = [];
  const bound = { ...texts };
  for (const [field, text] of Object.entries(texts)) {
    if (!text?.includes('{{')) continue;
    const { edits, reader } = replacingReader(text, field, resolve);
    refuseQuoted(reader);
    if (parameters.some(({ place }) => place.field === field)) read(reader);
    append(issues, reader.issues);
    Object.assign(bound, { [field]: applyEdits(text, edits) });
  }
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  return bound;
}

/** A reader that collects what replaces each parameter. */
function replacingReader(text: string, field: string, resolve: Resolve) {
  const edits: TextEdit[] = [];
  const reader: Reader = {
    ...createReader(text, field, resolve),
    replaced({ start, end }, value, spliced) {
      const json = stringifyJson(value);
      edits.push({ start, end, text: spliced ? json.slice(1, -1) : json });
    },
  };
  return { edits, reader };
}

/** The text with asset ids in the place of `{{wells}}`. Other parameters, and texts with errors, stay. */
export function bindWells(text: string, ids: readonly AssetId[]): string {
  const wells = findParameters(text, '').filter(({ parameter }) => parameter?.kind === 'wells');
  if (wells.length === 0) return text;
  const starts = new Set(wells.map(({ start }) => start));
  const { edits, reader } = replacingReader(text, '', (_, { start }) =>
    starts.has(start) ? { kind: 'wells', ids } : { kind: 'value', value: null },
  );
  read(reader);
  return applyEdits(
    text,
    edits.filter(({ start }) => starts.has(start)),
  );
}

/** What has no parameters in SQL (texts, quoted names, comments; to the end if unclosed), and parameters. */
const pieces =
  /'[^']*(?:''[^']*)*(?:'|$)|"[^"]*(?:""[^"]*)*(?:"|$)|--[^\n]*|\/\*[^]*?(?:\*\/|$)|\{\{([^{}\r\n]*)\}\}/g;

/** The parameters of a SQL statement, in order. Texts, quoted names, and comments have none. */
export function findSqlParameters(sql: string, field: string): FoundParameter[] {
  const spans = [...sql.matchAll(pieces)].flatMap(({ 0: piece, 1: inside, index: start }) =>
    inside === undefined ? [] : { start, end: start + piece.length },
  );
  return parametersAt(sql, field, spans);
}

/** The statement with asset ids in the place of `{{wells}}`. Other parameters stay. */
export const bindSqlWells = (sql: string, ids: readonly AssetId[]): string =>
  applyEdits(
    sql,
    findSqlParameters(sql, '').flatMap(({ start, end, parameter }) =>
      parameter?.kind === 'wells' ? [{ start, end, text: sqlOf({ kind: 'wells', ids }) }] : [],
    ),
  );

/** A value as SQL: wells as a list for `IN`, times as timestamps. */
function sqlOf(value: Bound): string {
  switch (value.kind) {
    case 'wells':
      return `(${value.ids.join(', ')})`;
    case 'date':
      return `TIMESTAMPTZ '${new Date(value.ms).toISOString()}'`;
    case 'value':
      if (typeof value.value === 'string') return literal(value.value);
      // A minus after a minus begins a comment.
      return stringifyJson(value.value).replace(/^-.*/, '($&)');
  }
}

/**
 * Replaces the parameters of a SQL statement by their values.
 * @throws AppError `invalid_input` with the place of each parameter without a value
 */
export function bindSql(sql: string, field: string, values: ParameterValues): string {
  const parameters = findSqlParameters(sql, field);
  const types = askedTypes(parameters);
  const issues: Issue[] = [];
  const edits: TextEdit[] = [];
  for (const { start, end, place, parameter, problem } of parameters) {
    const value = parameter ? valueOf(parameter, values, types) : (problem ?? '');
    if (typeof value === 'string') issues.push({ message: value, place });
    else edits.push({ start, end, text: sqlOf(value) });
  }
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  return applyEdits(sql, edits);
}
