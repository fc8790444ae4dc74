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
  for (const [field, text] of Object.entries(texts)) {
    if (!text?.includes('{{')) continue;
    try {
      Object.assign(bound, { [field]: bindParameters(text, field, values) });
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
  /** The answers, by name. */
  readonly answers: ReadonlyMap<string, string>;
  /** Instructions for entering values; default: those of the window. */
  readonly ways?: GivenBy;
}

/** The instruction for each kind of parameter without a value, as a sentence. */
export interface GivenBy {
  readonly wells: string;
  readonly company: string;
  readonly answer: (name: string) => string;
}

const inWindow: GivenBy = {
  wells: 'Select one, or replace {{wells}} with its asset ID.',
  company: 'Replace {{company}} with its ID.',
  answer: () => 'Enter one.',
};

/** The type of an answer, if any place of its name gives it. */
type AskedTypes = ReadonlyMap<string, AskType | null>;

/** The value of a parameter; a returned string is the problem. */
export function valueOf(parameter: Parameter, values: ParameterValues, types: AskedTypes): Bound | string {
  const { ways: instructions = inWindow } = values;
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

/** The required answers: each name once, with the type of any of its places. */
export function requiredAnswers(found: readonly FoundParameter[]): { name: string; type: AskType | null }[] {
  const types = new Map<string, AskType | null>();
  for (const { parameter } of found) {
    if (parameter?.kind === 'ask') types.set(parameter.name, types.get(parameter.name) ?? parameter.type);
  }
  return [...types].map(([name, type]) => ({ name, type }));
}

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

/** Replaces spans, which may be in any order and don't overlap. */
export function replaceAll(text: string, pieces: readonly (Span & { by: string })[]): string {
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
 *   or `$all` it is the list, and inside such a list its ids one by one (see `wellsAt` in `convert.ts`).
 * - A moment is Unix milliseconds, or ISO 8601 text where the field is `datetime`.
 * - In comments a parameter is left alone; inside quotes it is refused.
 * @throws AppError invalid_input
 */
export function bindParameters(text: string, field: string, values: ParameterValues): string {
  if (!text.includes('{{')) return text;
  const parameters = findParameters(text, field);
  const types = new Map(requiredAnswers(parameters).map(({ name, type }) => [name, type]));
  const resolve: Resolve = (written, span, refuse) => {
    const parameter = parseParameter(written);
    const value = typeof parameter === 'string' ? parameter : valueOf(parameter, values, types);
    return typeof value === 'string' ? refuse(span, value) : value;
  };
  const { pieces, reader } = replacingReader(text, field, resolve);
  refuseQuoted(reader);
  if (parameters.length > 0) read(reader);
  throwIssues(reader);
  return replaceAll(text, pieces);
}

/** A reader that collects what replaces each parameter. */
function replacingReader(text: string, field: string, resolve: Resolve) {
  const pieces: (Span & { by: string })[] = [];
  const reader: Reader = {
    ...createReader(text, field, resolve),
    replaced({ start, end }, value, spliced) {
      const json = stringifyJson(value);
      pieces.push({ start, end, by: spliced ? json.slice(1, -1) : json });
    },
  };
  return { pieces, reader };
}

/** The text with asset ids in the place of `{{wells}}`. Other parameters, and texts with errors, stay. */
export function bindWells(text: string, ids: readonly AssetId[]): string {
  const wells = findParameters(text, '').filter(({ parameter }) => parameter?.kind === 'wells');
  if (wells.length === 0) return text;
  const { pieces, reader } = replacingReader(text, '', (written) =>
    parameterIsWells(written) ? { kind: 'wells', ids } : { kind: 'value', value: null },
  );
  read(reader);
  const starts = new Set(wells.map(({ start }) => start));
  return replaceAll(
    text,
    pieces.filter(({ start }) => starts.has(start)),
  );
}

const parameterIsWells = (written: string): boolean => {
  const parsed = parseParameter(written);
  return typeof parsed === 'object' && parsed.kind === 'wells';
};
