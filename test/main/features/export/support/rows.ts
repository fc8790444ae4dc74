import { isDeepStrictEqual } from 'node:util';
import type { FindArguments } from '../../../../../src/main/core/wire/services/services.ts';
import { AppError } from '../../../../../src/shared/errors/errors.ts';
import {
  isObject,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../../../../src/shared/json.ts';

export type FindPart = Pick<FindArguments, 'query' | 'sort' | 'limit' | 'skip' | 'fields'>;

/** Behavior of a service, within the specification and beyond it. */
export interface Behavior {
  /** The maximum number of records in the nth response, whatever the request. */
  cap?: (limit: number, nth: number) => number;
  /** Records with equal sort keys come in a different order in each response. */
  shuffles?: boolean;
  /** Values of this field are stored as dates: text filters match none of them. */
  dates?: string;
  /** Conditions on this field are ignored. */
  ignores?: string;
  /** A value of this field is shown rounded to this many decimals. */
  rounds?: { field: string; places: number };
  /** Rejects a sort by more than one field. */
  oneSortField?: boolean;
  /** Called before each response with its number, from 1: adds and deletes records. */
  before?: (nth: number) => unknown;
}

interface Row {
  readonly text: string;
  readonly value: JsonObject;
}

const maxRequests = 5000;
const known = new Set(['$in', '$gte', '$gt', '$lt']);
const kinds = ['undefined', 'number', 'string', 'object'];
const kindOf = (value: JsonValue | undefined): number =>
  value === null ? 0 : kinds.indexOf(typeof value === 'bigint' ? 'number' : typeof value);

function compare(a: JsonValue | undefined, b: JsonValue | undefined): number {
  const byKind = kindOf(a) - kindOf(b);
  if (byKind !== 0) return byKind;
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0;
  const [x, y] = [a ?? 0, b ?? 0];
  return x < y ? -1 : x > y ? 1 : 0;
}

const at = (record: JsonObject, path: string): JsonValue | undefined =>
  path
    .split('.')
    .reduce<JsonValue | undefined>((value, key) => (isObject(value) ? value[key] : undefined), record);

/** A member of a record, or the parts of it that are requested. */
function projected(key: string, member: JsonValue, fields: readonly string[]): [string, JsonValue][] {
  if (key === '_id' || fields.includes(key)) return [[key, member]];
  if (!isObject(member) || !fields.some((field) => field.startsWith(`${key}.`))) return [];
  const parts = Object.entries(member).filter(([part]) => fields.includes(`${key}.${part}`));
  return [[key, Object.fromEntries(parts)]];
}

const equal = (a: JsonValue | undefined, b: JsonValue | undefined): boolean =>
  (a ?? null) === (b ?? null) || compare(a, b) === 0 || isDeepStrictEqual(a, b);

function holds(value: JsonValue | undefined, condition: JsonValue): boolean {
  if (!isObject(condition) || !Object.keys(condition).some((name) => name.startsWith('$')))
    return equal(value, condition);
  return Object.entries(condition).every(([operator, operand]) => {
    if (!known.has(operator)) throw new AppError('refused', { service: 'data', status: 400, said: operator });
    if (operator === '$in') return Array.isArray(operand) && operand.some((one) => equal(value, one));
    if (kindOf(value) !== kindOf(operand) || kindOf(value) === 0) return false;
    const order = compare(value, operand);
    return operator === '$gt' ? order > 0 : operator === '$gte' ? order >= 0 : order < 0;
  });
}

/** A dataset in memory that supports only `$in $gte $gt $lt`, as in the specification. */
export class Rows {
  readonly behavior: Behavior;
  #rows: Row[] = [];
  #requestCount = 0;

  /** @param records JSON texts, sent unchanged */
  constructor(records: readonly string[], behavior: Behavior = {}) {
    this.behavior = behavior;
    this.add(...records);
  }

  add(...records: string[]): void {
    for (const text of records) this.#rows.push({ text, value: parseJson(text) as JsonObject });
  }

  remove(...ids: string[]): void {
    this.#rows = this.#rows.filter(({ value }) => !ids.includes(String(value['_id'])));
  }

  /** All current records. */
  get records(): JsonObject[] {
    return this.#rows.map(({ value }) => value);
  }

  /** Number of responses. */
  get requestCount(): number {
    return this.#requestCount;
  }

  count(query: JsonObject): number {
    return this.#matching(query).length;
  }

  /** JSON text of an array of records. @throws AppError refused, for an unsupported query */
  find({ query, sort, limit, skip = 0, fields = [] }: FindPart): string {
    this.#requestCount += 1;
    if (this.#requestCount > maxRequests)
      throw new Error(`more than ${maxRequests} requests: reading goes round in circles`);
    this.behavior.before?.(this.#requestCount);
    if (this.behavior.oneSortField && Object.keys(sort).length > 1) {
      throw new AppError('refused', { service: 'data', status: 412, said: 'No matching index found' });
    }
    const cap = Math.max(1, Math.min(limit, this.behavior.cap?.(limit, this.#requestCount) ?? limit));
    const page = this.#ordered(this.#matching(query), sort).slice(skip, skip + cap);
    return `[${page.map((row) => this.#shown(row, fields)).join(',')}]`;
  }

  #matching(query: JsonObject): Row[] {
    const { dates, ignores } = this.behavior;
    const conditions = Object.entries(query).filter(([path]) => path !== ignores);
    return this.#rows.filter(({ value }) =>
      conditions.every(([path, condition]) => {
        const found = at(value, path);
        return holds(path === dates && found !== undefined ? { $date: found } : found, condition);
      }),
    );
  }

  #ordered(rows: Row[], sort: JsonObject): Row[] {
    const { shuffles } = this.behavior;
    const noise = ({ value }: Row): number =>
      Number(`0x${String(value['_id']).slice(-6)}`) * (this.#requestCount * 7919 + 1);
    const tie = (a: Row, b: Row): number => (shuffles ? (noise(a) % 1009) - (noise(b) % 1009) : 0);
    return [...rows].sort((a, b) => {
      for (const [path, direction] of Object.entries(sort)) {
        const order = compare(at(a.value, path), at(b.value, path));
        if (order !== 0) return order * Number(direction);
      }
      return tie(a, b);
    });
  }

  #shown({ text, value }: Row, fields: readonly string[]): string {
    const { rounds } = this.behavior;
    if (rounds && typeof value[rounds.field] === 'number') {
      const rounded = Number(Number(value[rounds.field]).toFixed(rounds.places));
      return stringifyJson({ ...value, [rounds.field]: rounded });
    }
    if (fields.length === 0) return text;
    const wanted = Object.entries(value).flatMap(([key, member]) => projected(key, member, fields));
    return stringifyJson(Object.fromEntries(wanted));
  }
}

/** An `_id` as services generate them. */
export const idAt = (n: number): string => n.toString(16).padStart(24, '0');
