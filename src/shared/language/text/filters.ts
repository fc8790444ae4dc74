import { isObject, type JsonValue } from '../../json.ts';
import { maxOf } from '../../lists.ts';
import { isNullNumber, nullTokens } from '../../upload/null-tokens.ts';
import { looksLikeParameter, refuseQuoted } from '../parameters.ts';
import { createReader } from '../reader.ts';
import { read } from '../relaxed.ts';
import { withCondition, conditionOn } from './conditions.ts';
import { objectOutlineOf } from './edits.ts';

export const filterOperators = [
  'is',
  'isNot',
  'above',
  'atLeast',
  'below',
  'atMost',
  'between',
  'oneOf',
  'contains',
  'hasValue',
  'hasNone',
] as const;
export type FilterOperator = (typeof filterOperators)[number];

/** A value that a filter compares with; a text that is a parameter stands for the parameter's value. */
export type FilterValue = string | number | boolean;

/** One condition on one field, as a form has it. */
export interface Filter {
  /** Dotted, such as `data.rop`. */
  readonly path: string;
  readonly operator: FilterOperator;
  /** Two of `between`, none of `hasValue` and `hasNone`, any number of `oneOf`, otherwise one. */
  readonly values: readonly FilterValue[];
}

/** The filters of a query, and how many other conditions it has. */
interface QueryFilters {
  readonly filters: readonly Filter[];
  readonly others: number;
}

/** The filter operators with one value, and the query operators that they write. */
const comparisons = { isNot: '$ne', above: '$gt', atLeast: '$gte', below: '$lt', atMost: '$lte' } as const;
const comparisonNames = Object.keys(comparisons) as readonly (keyof typeof comparisons)[];

const isValue = (value: JsonValue | undefined): value is FilterValue =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

const isNullValue = (value: JsonValue): boolean =>
  value === null || (typeof value === 'number' && isNullNumber(value));

const special = /[\\^$.*+?()[\]{}|]/g;
const escaped = (text: string): string => text.replace(special, String.raw`\$&`);
/** The text that a pattern looks for; null: the pattern has special characters that aren't escaped. */
function unescaped(pattern: string): string | null {
  const text = pattern.replaceAll(/\\([\\^$.*+?()[\]{}|])/g, '$1');
  return escaped(text) === pattern ? text : null;
}

/**
 * Whether a text is a parameter, such as `{{now-24h}}`, and nothing else.
 * @param text the text, without spaces around it
 * @returns true also for a parameter with a mistake, which a run explains
 */
export function isParameter(text: string): boolean {
  const written = /^\{\{([^{}\r\n]*)\}\}$/.exec(text)?.[1];
  return written !== undefined && looksLikeParameter(written);
}

const valueText = (value: FilterValue): string =>
  typeof value === 'string' && isParameter(value) ? value : JSON.stringify(value);

/** The largest of the numbers such as -999.25 that mean null. No operator of the specification excludes each of them alone. */
const maxNull = maxOf(nullTokens);

/** Whether numbers up to a value have some that mean null. A parameter may be any number, and a smaller value asks for them. */
const includesNulls = (value: FilterValue | undefined): boolean =>
  typeof value === 'number' ? value > maxNull : typeof value === 'string' && isParameter(value);

/** @param isOfNumbers default: whether the filter's value is a number */
function conditionText({ operator, values }: Filter, isOfNumbers = typeof values[0] === 'number'): string {
  const [first = null, second = null] = values.map(valueText);
  if (operator === 'hasNone')
    return isOfNumbers ? `{ $in: [${['null', ...nullTokens].join(', ')}] }` : 'null';
  if (operator === 'hasValue') return isOfNumbers ? `{ $gt: ${maxNull} }` : '{ $ne: null }';
  if (operator === 'is') return `${first}`;
  if (operator === 'between') return `{ $gte: ${first}, $lte: ${second} }`;
  if (operator === 'oneOf') return `{ $in: [${values.map(valueText).join(', ')}] }`;
  if (operator === 'contains')
    return `{ $regex: ${JSON.stringify(escaped(String(values[0] ?? '')))}, $options: "i" }`;
  const isBelow = operator === 'below' || operator === 'atMost';
  const notNull = isBelow && isOfNumbers && includesNulls(values[0]) ? `$gt: ${maxNull}, ` : '';
  return `{ ${notNull}${comparisons[operator]}: ${first} }`;
}

function filterIn(path: string, condition: JsonValue | undefined): Filter | null {
  if (condition === null) return { path, operator: 'hasNone', values: [] };
  if (isValue(condition)) return { path, operator: 'is', values: [condition] };
  if (!isObject(condition)) return null;
  const keys = Object.keys(condition);
  const [key = ''] = keys;
  if (keys.length === 2) {
    const { $gte: from, $lte: to, $regex: pattern, $options: flags, $gt: above, $lt: below } = condition;
    if (isValue(from) && isValue(to)) return { path, operator: 'between', values: [from, to] };
    const max = below ?? to;
    if (above === maxNull && isValue(max) && includesNulls(max))
      return { path, operator: below === undefined ? 'atMost' : 'below', values: [max] };
    const text = typeof pattern === 'string' && flags === 'i' ? unescaped(pattern) : null;
    return text === null ? null : { path, operator: 'contains', values: [text] };
  }
  const value = condition[key];
  if (keys.length !== 1) return null;
  if ((key === '$ne' && value === null) || (key === '$gt' && value === maxNull))
    return { path, operator: 'hasValue', values: [] };
  if (key === '$eq' && isValue(value)) return { path, operator: 'is', values: [value] };
  if (key === '$in' && Array.isArray(value) && value.includes(null))
    return value.every(isNullValue) ? { path, operator: 'hasNone', values: [] } : null;
  if (key === '$in' && Array.isArray(value) && value.every(isValue))
    return { path, operator: 'oneOf', values: value };
  const operator = comparisonNames.find((name) => comparisons[name] === key);
  return operator && isValue(value) ? { path, operator, values: [value] } : null;
}

/** The condition on a field, and the number of its parameters; null: it has none, or it can't be read. */
function parsedCondition(query: string, path: string) {
  const condition = conditionOn(query, path);
  if (condition.kind !== 'found') return null;
  // A list resolves its parameters twice.
  const parameters = new Set<number>();
  const reader = createReader(condition.value, '', (written, { start }) => {
    parameters.add(start);
    return { kind: 'value', value: `{{${written}}}` };
  });
  refuseQuoted(reader);
  const parsed = read(reader);
  return reader.issues.length > 0 ? null : { value: parsed?.value, parameters: parameters.size };
}

function readFilter(query: string, path: string): Filter | null {
  const parsed = parsedCondition(query, path);
  const filter = parsed && filterIn(path, parsed.value);
  // A text that only looks like a parameter would become one when a form writes it.
  const parameterValues =
    filter === null || filter.operator === 'contains'
      ? []
      : filter.values.filter((value) => typeof value === 'string' && isParameter(value));
  return parameterValues.length === parsed?.parameters ? filter : null;
}

/**
 * The conditions of a query that a form can show, one for each field.
 * @param besides the paths that other controls show, such as those of the wells and the range
 * @returns null: the query can't be read
 */
export function readFilters(query: string, besides: readonly string[]): QueryFilters | null {
  if (query.trim() === '') return { filters: [], others: 0 };
  const outline = objectOutlineOf(query);
  if (!outline) return null;
  const paths = outline.items.map(({ key }) => key).filter((key) => !besides.includes(key));
  const filters = paths.flatMap((path) => readFilter(query, path) ?? []);
  return { filters, others: paths.length - filters.length };
}

/** Whether a query has a filter, and no other condition on its field. */
export const hasFilter = (query: string, filter: Filter): boolean =>
  JSON.stringify(readFilter(query, filter.path)) === JSON.stringify(filter);

/**
 * Writes the condition of a filter in place of the one on its field, or after the others.
 * @param isOfNumbers whether numbers such as -999.25 mean null; default: as the condition on the field says
 * @returns null: the query can't be read, or has several conditions on the field
 */
export function writeFilter(query: string, filter: Filter, isOfNumbers?: boolean): string | null {
  const before = isOfNumbers === undefined ? parsedCondition(query, filter.path)?.value : undefined;
  const { $gt: above, $gte: from = above, $in: list, ...others } = isObject(before) ? before : {};
  const isUpTo = from === undefined && ('$lt' in others || '$lte' in others);
  const isWithoutNulls = above === maxNull || (Array.isArray(list) && list.includes(null)) || undefined;
  const takesNulls = isOfNumbers ?? (isUpTo ? false : isWithoutNulls);
  return withCondition(query, filter.path, conditionText(filter, takesNulls), 'last');
}

/**
 * Removes the condition on a field.
 * @param path the dotted path of the field
 * @returns null: the query can't be read, or has several conditions on the field
 */
export const removeFilter = (query: string, path: string): string | null => withCondition(query, path, null);
