import { AppError, toAppError, type Issue, type Place } from '../errors/errors.ts';
import type { AssetId } from '../wells/well-ids.ts';
import { parseAnswer, type AskType, type Present } from './answers.ts';
import { millisecondsOfMoment } from './moments.ts';
import { looksLikeParameter, parseParameter, type Parameter } from './parameter.ts';
import { createReader, placeFinder, type Bound, type Reader, type Resolve, type Span } from './reader.ts';
import { stringifyJson } from '../json.ts';
import { read, throwIssues } from './relaxed.ts';
import { scan } from './scan.ts';
import { append } from '../lists.ts';
import { applyEdits, type TextEdit } from './text/edits.ts';

/**
 * Replaces the parameters in the texts of a request; absent texts stay absent.
 * @param texts by the request field that each is sent in
 * @throws AppError `invalid_input` with the place of each parameter without a value, in all texts
 */
export function bindTexts<T extends Readonly<Record<string, string | undefined>>>(
  texts: T,
  values: ParameterValues,
): T {
  const issues: Issue[] = [];
  const bound = { ...texts };
  const entries = Object.entries(texts).flatMap(([field, text]) =>
    text?.includes('{{') ? [[field, text] as const] : [],
  );
  const types = askedTypes(entries.flatMap(([field, text]) => findParameters(text, field)));
  for (const [field, text] of entries) {
    try {
      Object.assign(bound, { [field]: bindParameters(text, field, values, types) });
    } catch (error) {
      const failure = toAppError(error);
      if (!failure.is('invalid_input')) throw failure;
      append(issues, failure.details.issues);
    }
  }
  if (issues.length > 0) throw new AppError('invalid_input', { issues });
  return bound;
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
export function parametersAt(text: string, field: string, spans: readonly Span[]): FoundParameter[] {
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

/** The types of the answers that parameters ask for, from any of their places. */
export function askedTypes(parameters: readonly FoundParameter[]): AskedTypes {
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
      refuse(span, `${source} is inside quotes, so it isn't replaced. ${advice}`);
    }
  }
}

/**
 * The text with each parameter replaced by strict JSON, on the same line. The whole text is read first, so that its
 * problems have the line and column of the text as the person typed it; the result can be parsed.
 *
 * - `{{wells}}` as the value of a field is the one chosen id, or `{"$in": […]}` of several; as the value of `$in`, `$nin`
 *   or `$all` it is the list, and inside such a list its ids one by one (see `wellsAt` in `convert.ts`).
 * - A moment is Unix milliseconds, or ISO 8601 text where the field is `datetime`.
 * - In comments a parameter stays; inside quotes it is refused.
 * @param types of the answers in all texts of the request; default: in this text
 * @throws AppError invalid_input
 */
export function bindParameters(
  text: string,
  field: string,
  values: ParameterValues,
  types?: AskedTypes,
): string {
  if (!text.includes('{{')) return text;
  const parameters = findParameters(text, field);
  const allTypes = types ?? askedTypes(parameters);
  const resolve: Resolve = (written, span, refuse) => {
    const parameter = parseParameter(written);
    const value = typeof parameter === 'string' ? parameter : valueOf(parameter, values, allTypes);
    return typeof value === 'string' ? refuse(span, value) : value;
  };
  const { edits, reader } = replacingReader(text, field, resolve);
  refuseQuoted(reader);
  if (parameters.length > 0) read(reader);
  throwIssues(reader);
  return applyEdits(text, edits);
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
