import { isObject, stringifyJson, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import { type FieldType, fieldType } from '../../../shared/datasets/fields.ts';
import { millisecondsOf } from '../../../shared/language/dates.ts';

/** Records may be of any depth and width; what lies beyond is not listed. */
const deepest = 8;
const mostPaths = 2000;
const mostElements = 100;
const mostTexts = 200;
const longestText = 200;
const mostInExample = 20;

/** Examples that another one is better than: a rig that stands still reports noughts. */
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
  /** How often each text occurs; no more are added when there are very many. */
  readonly texts: Map<string, number>;
  example: string | undefined;
}

/** What one record has at a path: `value` wins over `null`. */
type Seen = Map<Observed, { value: boolean; tokens: Set<number> }>;

/** Learns of fields from records. Objects are entered by their keys and arrays of objects by those of their elements. */
export function createObserver() {
  const all = new Map<string, Observed>();
  let records = 0;
  let more = false;

  function at(path: string): Observed | null {
    const known = all.get(path);
    if (known) return known;
    if (all.size >= mostPaths) {
      more = true;
      return null;
    }
    const made: Observed = {
      path,
      types: new Set(),
      values: 0,
      nulls: 0,
      tokens: new Map(),
      texts: new Map(),
      example: undefined,
    };
    all.set(path, made);
    return made;
  }

  function enter(object: JsonObject, parent: Observed | null, depth: number, seen: Seen): void {
    if (depth > deepest) {
      more = true;
      return;
    }
    for (const [key, value] of Object.entries(object)) {
      const here = at(parent === null ? key : `${parent.path}.${key}`);
      if (here) note(here, value, depth, seen);
    }
  }

  function note(here: Observed, value: JsonValue, depth: number, seen: Seen): void {
    const state = seen.get(here) ?? { value: false, tokens: new Set<number>() };
    seen.set(here, state);
    if (value === null) return;
    state.value = true;
    if (typeof value === 'number' && isNullNumber(value)) {
      state.tokens.add(value);
      return;
    }
    here.types.add(typeOfValue(value));
    if (typeof value === 'string') countText(here.texts, value);
    if (here.example === undefined || saysLittle.has(here.example))
      here.example = exampleOf(value) ?? here.example;
    if (isObject(value)) enter(value, here, depth + 1, seen);
    else if (Array.isArray(value))
      for (const element of value.slice(0, mostElements))
        if (isObject(element)) enter(element, here, depth + 1, seen);
  }

  return {
    add(record: JsonValue): void {
      if (!isObject(record)) return;
      records += 1;
      const seen: Seen = new Map();
      enter(record, null, 1, seen);
      for (const [here, { value, tokens }] of seen) {
        if (value) here.values += 1;
        else here.nulls += 1;
        for (const token of tokens) here.tokens.set(token, (here.tokens.get(token) ?? 0) + 1);
      }
    },
    get records(): number {
      return records;
    },
    /** Whether some paths are left out because there are too many, or they lie too deep. */
    get more(): boolean {
      return more;
    },
    /** In the order in which they were first seen. */
    paths: (): Observed[] => [...all.values()],
  };
}

function countText(texts: Map<string, number>, text: string): void {
  const count = texts.get(text);
  if (count !== undefined || texts.size < mostTexts) texts.set(text, (count ?? 0) + 1);
}

/** A value as JSON text, if it is short: of objects and long lists the parts are shown instead. */
function exampleOf(value: JsonValue): string | undefined {
  if (isObject(value)) return undefined;
  if (typeof value === 'string')
    return JSON.stringify(value.length > longestText ? `${value.slice(0, longestText)}…` : value);
  if (!Array.isArray(value)) return stringifyJson(value);
  const plain = value.length <= mostInExample && value.every((part) => typeof part !== 'object');
  const text = plain ? stringifyJson(value) : undefined;
  return text !== undefined && text.length <= longestText ? text : undefined;
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
export function simplified(types: Iterable<FieldType>): FieldType[] {
  const seen = new Set(types);
  if (seen.has('number')) seen.delete('integer');
  return fieldType.options.filter((type) => seen.has(type));
}
