import { isVerticalDepth } from '../../../../shared/channels/channels.ts';
import { pathNames } from '../../../../shared/column-paths.ts';
import {
  hasDatesAsText,
  hasNumbers,
  outsideLists,
  type DatasetField,
  type FieldType,
} from '../../../../shared/datasets/fields.ts';
import { instantOf } from '../../../../shared/instants.ts';
import { readList, type ListOf } from '../../../../shared/value-lists.ts';
import { decimalMark, inputText, typedNumber } from '../../../format/numbers.ts';
import {
  filterOperators,
  isParameter,
  readFilters,
  type Filter,
  type FilterOperator,
  type FilterValue,
} from '../../../../shared/language/text/filters.ts';
import {
  exampleDate,
  holdsIsoText,
  isTimeLike,
  millisecondsOf,
  timeLike,
} from '../../../../shared/language/literals.ts';
import { canBeText, parseParameter } from '../../../../shared/language/parameters.ts';
import { parseBound } from '../../../format/range-inputs.ts';
import { words } from '../../../words/words.ts';
import { isRigState } from '../../live/rig-state.ts';

const isInObject = ({ path }: DatasetField): boolean => path.includes('.');

/**
 * The fields that have a value, and no list or object. Fields of every record, such as `_id`, come behind those that a
 * dataset is about.
 * @param excluded the paths that are offered elsewhere
 */
export const fieldsWithValues = (
  fields: readonly DatasetField[],
  excluded: readonly string[],
): readonly DatasetField[] =>
  outsideLists(fields)
    .filter(
      ({ path, types }) => !excluded.includes(path) && !types.includes('array') && !types.includes('object'),
    )
    .toSorted((a, b) => Number(isInObject(b)) - Number(isInObject(a)));

const ofNumbers: ReadonlySet<FilterOperator> = new Set(['above', 'atLeast', 'below', 'atMost', 'between']);

/** The operators that a field can be compared with; all, if its type isn't known. */
export function operatorsOf(field: DatasetField | undefined): readonly FilterOperator[] {
  if (!field || field.types.length === 0) return filterOperators;
  if (hasNumbers(field)) return filterOperators.filter((id) => id !== 'contains');
  if (field.types.includes('date')) return filterOperators;
  return filterOperators.filter((id) => !ofNumbers.has(id));
}

/**
 * Whether a filter of a field takes numbers such as -999.25 for null. Except for `hasNone`, it then excludes all that
 * are as low, and values that aren't numbers.
 * @returns undefined: the field or its types aren't known
 */
export function takesNulls(operator: FilterOperator, field?: DatasetField): boolean | undefined {
  if (!field) return undefined;
  const { path, types, range, tokens = [] } = field;
  const isOfNumbers = types.length === 0 ? undefined : hasNumbers(field);
  if (operator === 'hasNone') return isOfNumbers;
  const isLow = range !== undefined && range.min < -999.25;
  const hasLow = isVerticalDepth(path) ? isLow || tokens.length === 0 : isLow && tokens.length === 0;
  const hasOthers = types.some((type) => type === 'string' || type === 'boolean' || type === 'date');
  return hasLow || (hasOthers && operator === 'hasValue') ? false : isOfNumbers;
}

/** Whether a field has texts that many records may share. */
export const hasTexts = ({ path, types }: DatasetField): boolean =>
  types.includes('string') && !types.includes('date') && path !== '_id';

/** The values that are proposed for a field: the texts that it has, and both of a boolean. */
export function proposedValues(field: DatasetField | undefined): readonly string[] {
  if (field?.types.includes('boolean')) return ['true', 'false'];
  return field?.values ?? [];
}

/**
 * A parameter as a filter writes it: an answer without a type has that of the field.
 * @returns null: it can't be text, and the field has only text
 */
function parameterFor(written: string, field: DatasetField | undefined): string | null {
  const parameter = parseParameter(written.slice(2, -2));
  if (!canBeText(parameter))
    return hasDatesAsText(field) && !holdsIsoText(field?.path ?? null) ? null : written;
  if (typeof parameter === 'string' || parameter.kind !== 'ask' || parameter.type !== null) return written;
  const types = field?.types.filter((type) => type !== 'null') ?? [];
  const isAll = (...all: readonly FieldType[]) =>
    types.length > 0 && types.every((type) => all.includes(type));
  const type = isAll('string', 'date') ? 'text' : isAll('number', 'integer') ? 'number' : null;
  return type === null ? written : `{{ask:${parameter.name}:${type}}}`;
}

/** A time with seconds and fractions of a second as in a sample; a day is unchanged. */
function withSecondsOf(sample: string, text: string): string {
  const [clock = '', sampleClock = ''] = [text, sample].map((time) => /^.{16}[\d:.,]*/.exec(time)?.[0]);
  const ms = millisecondsOf(clock);
  const inUtc = ms === undefined ? null : timeLike(`${sampleClock}Z`, ms);
  return inUtc?.replace('Z', text.slice(clock.length)) ?? text;
}

/** A typed date in the form of a sample; null: it isn't one, or can't be converted exactly. */
function readDate(typed: string, sample: string, zone: string): string | null {
  const time = parseBound(typed, 'time', zone);
  if (time?.kind !== 'time') return null;
  const text = typed.replace(/(?<=^.{10})(?:T|\s+)/i, sample.charAt(10));
  const kept = isTimeLike(sample, text) ? text : null;
  const isFinerThanMs = /[.,]\d{3}0*[1-9]/.test(text);
  return isFinerThanMs ? kept : (timeLike(sample, time.ms) ?? (kept && withSecondsOf(sample, kept)));
}

function readValue(typed: string, field: DatasetField | undefined, zone: string): FilterValue | null {
  const text = typed.trim();
  if (text === '') return null;
  if (field?.values?.includes(typed)) return typed;
  if (isParameter(text)) return parameterFor(text, field);
  if (hasDatesAsText(field))
    return readDate(text, exampleDate(field), zone) ?? (field?.types.includes('string') ? typed : null);
  if (field?.types.includes('boolean') && /^(?:true|false)$/.test(text)) return text === 'true';
  const isOfAnyType = !field?.types.length;
  const canBeNumber = isOfAnyType || hasNumbers(field);
  const canBeText = isOfAnyType || field.types.includes('string');
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text.replace(decimalMark(), '.'));
  // Blanks around a text are part of it: they were removed from one that was typed.
  if (!canBeNumber || (canBeText && !isNumber)) return typed;
  const number = typedNumber(text) ?? null;
  // Digits beyond those of a number would be another value.
  return number !== null && Math.abs(number) > Number.MAX_SAFE_INTEGER ? (canBeText ? typed : null) : number;
}

/**
 * The numbers of a list with decimal points: all have commas at most, and one of them can't be what the window has commas
 * for, so that all are decimal commas.
 */
function withPoints(typed: readonly string[]): readonly string[] {
  const hasDecimalCommas =
    typed.every((text) => /^-?\d+(?:,\d+)?$/.test(text)) &&
    typed.some((text) => typedNumber(text) === undefined);
  return hasDecimalCommas ? typed.map((text) => text.replace(',', '.')) : typed;
}

/** A value of a filter as a form has it, which {@link readFilterValues} reads. */
export const filterValueText = (value: FilterValue): string =>
  typeof value === 'number' ? inputText(value) : String(value);

/** Whether a field has numbers with decimals; between integers, a comma separates. */
const hasDecimals = (field: DatasetField | undefined): boolean => field?.types.includes('number') ?? false;

/** How a list of a field's values is written. */
export const listKindOf = (field: DatasetField | undefined): ListOf =>
  hasDecimals(field) && decimalMark() === ',' ? 'decimals' : 'texts';

/** The values of a list as typed; proposed ones keep the blanks around them. */
export const listedValues = (text: string, proposed: readonly string[], kind: ListOf = 'texts'): string[] =>
  readList(text, kind).map(
    (value) =>
      proposed.find((option) => option === value) ??
      proposed.find((option) => option.trim() === value) ??
      value,
  );

/**
 * The values of a filter as typed: parameters, numbers for a field of numbers, otherwise texts.
 * @param before those that the filter had, which keep their types
 * @param zone of typed times without one
 * @returns null: one is missing, or isn't of the type of the field
 */
export function readFilterValues(
  operator: FilterOperator,
  typed: readonly string[],
  field: DatasetField | undefined,
  before: readonly FilterValue[] = [],
  zone = 'UTC',
): readonly FilterValue[] | null {
  if (operator === 'hasValue' || operator === 'hasNone') return [];
  if (operator === 'contains') {
    const text = typed[0]?.trim() ?? '';
    return text === '' || isParameter(text) ? null : [text];
  }
  const count = operator === 'between' ? 2 : operator === 'oneOf' ? Math.max(typed.length, 1) : 1;
  const isOfDecimals = operator === 'oneOf' && hasDecimals(field) && !field?.types.includes('string');
  const texts = isOfDecimals ? withPoints(typed) : typed;
  const values = Array.from(
    { length: count },
    (_, at) =>
      before.find((value) => filterValueText(value) === typed[at]) ?? readValue(texts[at] ?? '', field, zone),
  );
  return values.includes(null) ? null : values.filter((value) => value !== null);
}

const isoDate = /^\d{4}-\d{2}-\d{2}/;

/**
 * Whether a range of values has its end before its start, so that no record can match.
 * @param values its two ends
 * @returns false if the ends can't be compared before the run, as with a parameter
 */
export function isBackwards([from, to]: readonly FilterValue[]): boolean {
  if (typeof from === 'number' && typeof to === 'number') return from > to;
  if (typeof from !== 'string' || typeof to !== 'string' || isParameter(from) || isParameter(to))
    return false;
  if (from <= to) return false;
  // Times with different offsets are in order as times, though not as texts.
  const areTimes = isoDate.test(from) && isoDate.test(to);
  return !areTimes || instantOf(from) > instantOf(to);
}

/** What a rig does, as the texts of its states say it. “Non-drilling” doesn't count as drilling. */
const states = {
  onBottom: /(?<!\bno[nt]?[-\s])\b(?:drill|on.?bottom|sliding\b)/i,
  rotating: /(?<!\bno[nt]?[-\s])\brota[rt]/i,
  inSlips: /(?<!\bno[nt]?[-\s])\bslips?\b/i,
} as const;
export type QuickFilterId = keyof typeof states;

/** The rate, in turns a minute, from which a string rotates. */
const minRpm = 10;
const rotaryRpm = 'rotary_rpm';

export interface QuickFilter {
  readonly id: QuickFilterId;
  readonly filter: Filter;
}

const nameOf = ({ path }: DatasetField): string => pathNames(path).at(-1) ?? path;

/**
 * What the rig did in all records that conditions match, by the filters of a dataset; empty: anything.
 * @param conditions relaxed JSON
 */
export function statesOf(conditions: string, fields: readonly DatasetField[]): readonly QuickFilterId[] {
  const filters = readFilters(conditions, [])?.filters ?? [];
  return quickFilters(fields).flatMap(({ id, filter: { path, operator, values } }) =>
    filters.some((filter) =>
      filter.path !== path
        ? false
        : operator === 'above'
          ? filter.operator === operator && filter.values[0] === values[0]
          : (filter.operator === 'is' || filter.operator === 'oneOf') &&
            values.every((value) => filter.values.includes(value)) &&
            filter.values.every((value) => states[id].test(String(value))),
    )
      ? [id]
      : [],
  );
}

const stateFilter = (path: string, values: Filter['values']): Filter => ({
  path,
  operator: values.length === 1 ? 'is' : 'oneOf',
  values,
});

/**
 * A filter by what the rig does in all of its states: sampled records may have only some of them.
 * @param all the states that the service has
 */
export const withAllStates = ({ id, filter }: QuickFilter, all: readonly string[]): Filter =>
  stateFilter(filter.path, [
    ...new Set([...filter.values, ...all.filter((value) => states[id].test(value))]),
  ]);

/** The filters by what the rig does that a dataset can have: by its states, or else by the rotary RPM. */
export function quickFilters(fields: readonly DatasetField[]): readonly QuickFilter[] {
  const state = fields.find((field) => isRigState(nameOf(field)) && (field.values?.length ?? 0) > 1);
  const rpm = fields.find((field) => nameOf(field) === rotaryRpm && hasNumbers(field));
  return (Object.keys(states) as QuickFilterId[]).flatMap((id): QuickFilter[] => {
    const values = state?.values?.filter((value) => states[id].test(value)) ?? [];
    if (state && values.length > 0) return [{ id, filter: stateFilter(state.path, values) }];
    return id === 'rotating' && rpm
      ? [{ id, filter: { path: rpm.path, operator: 'above', values: [minRpm] } }]
      : [];
  });
}

/** What to enter when a value is missing or doesn’t suit the field. */
export function problemOf(operator: FilterOperator, typed: readonly string[], field?: DatasetField): string {
  const w = words.query.filter;
  if (operator === 'contains') return typed[0]?.trim() ? w.noParameter : w.noValue.one;
  const count = operator === 'between' ? 'two' : 'one';
  if (field && hasDatesAsText(field)) return w.noDate(count, exampleDate(field), holdsIsoText(field.path));
  return w.noValue[count];
}
