import { isObject, stringifyJson, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { isNullNumber } from '../../../../shared/upload/null-tokens.ts';
import { type FieldType, fieldType } from '../../../../shared/datasets/fields.ts';
import { millisecondsOf } from '../../../../shared/language/dates.ts';

/** Limits for records of any depth and width; what exceeds them isn't listed. */
const maxDepth = 8;
const maxPaths = 2000;
const maxElements = 100;
const maxTexts = 200;
const maxTextLength = 200;
const maxExampleElements = 20;

/** Poor examples, such as the zeros of an idle rig. */
const saysLittle = new Set(['0', '""', '[]']);

/** What a number of records have at one path. Counts are of records, however often a record has the path in its arrays. */
export interface Observed {
  readonly path: string;
  readonly types: Set<FieldType>;
  /** Records with a value that is not null. */
  values: number;
  /** Records in which it is there and null. */
  nulls: number;
  readonly tokens: Map<number, number>;
  /** The lowest and highest number. */
  min: number;
  max: number;
  /** Count of each text, up to a maximum number of texts. */
  readonly texts: Map<string, number>;
  example: string | undefined;
}

/** What one record has at a path: `value` wins over `null`. */
type RecordValues = Map<Observed, { value: boolean; tokens: Set<number> }>;

/** Collects the paths of records: of objects by their keys, and of arrays of objects by those of their elements. */
export function createObserver() {
  const all = new Map<string, Observed>();
  let records = 0;
  let more = false;

  function at(path: string): Observed | null {
    const existing = all.get(path);
    if (existing) return existing;
    if (all.size >= maxPaths) {
      more = true;
      return null;
    }
    const created: Observed = {
      path,
      types: new Set(),
      values: 0,
      nulls: 0,
      tokens: new Map(),
      min: Infinity,
      max: -Infinity,
      texts: new Map(),
      example: undefined,
    };
    all.set(path, created);
    return created;
  }

  function observeObject(
    object: JsonObject,
    parent: Observed | null,
    depth: number,
    values: RecordValues,
  ): void {
    if (depth > maxDepth) {
      more = true;
      return;
    }
    for (const [key, value] of Object.entries(object)) {
      const observed = at(parent === null ? key : `${parent.path}.${key}`);
      if (observed) observeValue(observed, value, depth, values);
    }
  }

  function observeValue(observed: Observed, value: JsonValue, depth: number, values: RecordValues): void {
    const state = values.get(observed) ?? { value: false, tokens: new Set<number>() };
    values.set(observed, state);
    if (value === null) return;
    state.value = true;
    if (typeof value === 'number' && isNullNumber(value)) {
      state.tokens.add(value);
      return;
    }
    observed.types.add(typeOfValue(value));
    if (typeof value === 'string') countText(observed.texts, value);
    if (typeof value === 'number' && Number.isFinite(value)) {
      observed.min = Math.min(observed.min, value);
      observed.max = Math.max(observed.max, value);
    }
    if (observed.example === undefined || saysLittle.has(observed.example))
      observed.example = exampleOf(value) ?? observed.example;
    if (isObject(value)) observeObject(value, observed, depth + 1, values);
    else if (Array.isArray(value))
      for (const element of value.slice(0, maxElements))
        if (isObject(element)) observeObject(element, observed, depth + 1, values);
  }

  return {
    add(record: JsonValue): void {
      if (!isObject(record)) return;
      records += 1;
      const values: RecordValues = new Map();
      observeObject(record, null, 1, values);
      for (const [observed, { value, tokens }] of values) {
        if (value) observed.values += 1;
        else observed.nulls += 1;
        for (const token of tokens) observed.tokens.set(token, (observed.tokens.get(token) ?? 0) + 1);
      }
    },
    get records(): number {
      return records;
    },
    /** Whether paths were skipped because they are too many or too deep. */
    get more(): boolean {
      return more;
    },
    /** In the order in which they were first seen. */
    paths: (): Observed[] => [...all.values()],
  };
}

function countText(texts: Map<string, number>, text: string): void {
  const count = texts.get(text);
  if (count !== undefined || texts.size < maxTexts) texts.set(text, (count ?? 0) + 1);
}

/** A value as JSON text, if it is short: of objects and long lists the parts are shown instead. */
function exampleOf(value: JsonValue): string | undefined {
  if (isObject(value)) return undefined;
  if (typeof value === 'string')
    return JSON.stringify(value.length > maxTextLength ? `${value.slice(0, maxTextLength)}…` : value);
  if (!Array.isArray(value)) return stringifyJson(value);
  const plain = value.length <= maxExampleElements && value.every((part) => typeof part !== 'object');
  const text = plain ? stringifyJson(value) : undefined;
  return text !== undefined && text.length <= maxTextLength ? text : undefined;
}

const finerThanMs = /(\d{2}:\d{2}:\d{2}[.,]\d{3})\d+/;

/** Whether a text is a day or a time in ISO 8601, however fine. */
const isDate = (text: string): boolean =>
  text.length >= 10 && text.length <= 40 && millisecondsOf(text.replace(finerThanMs, '$1')) !== undefined;

function typeOfValue(value: JsonValue): FieldType {
  if (value === null) return 'null';
  if (typeof value === 'string') return isDate(value) ? 'date' : 'string';
  if (typeof value === 'number') return Number.isInteger(value) ? 'integer' : 'number';
  if (typeof value === 'bigint') return 'integer';
  if (typeof value === 'boolean') return 'boolean';
  return Array.isArray(value) ? 'array' : 'object';
}

/** Types in a fixed order; a number among integers makes numbers of them. */
export function simplifyTypes(types: Iterable<FieldType>): FieldType[] {
  const distinctTypes = new Set(types);
  if (distinctTypes.has('number')) distinctTypes.delete('integer');
  return fieldType.options.filter((type) => distinctTypes.has(type));
}
