import * as z from 'zod';
import { kindOf, compareValues } from '../records/values.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { withBound, withValue, type Bound } from '../requests.ts';
import type { FindArguments } from '../wire/services/services.ts';
import { isAppError } from '../../../shared/errors/errors.ts';

const direction = z.union([z.literal(1), z.literal(-1)]);

/** How windows are cut; fixed by the survey at the start of an export. */
const windowRule = z.object({
  /** The top-level field that orders the records. */
  field: z.string(),
  direction,
  /** The direction of `_id` within one value. */
  tie: direction,
  kind: z.enum(['number', 'string']),
  /** The highest value at the start, as JSON text; later records beyond it are skipped. */
  upper: z.string(),
  /** Whether there are records without a value. */
  nulls: z.boolean(),
});
export type WindowRule = z.infer<typeof windowRule>;

/** The key field of pages, from the requested sort. */
export const windowField = windowRule.pick({ field: true, direction: true, tie: true });
export type WindowField = z.infer<typeof windowField>;

/**
 * The result of a page: the records to write, in order, and the next cursor. `recordsBeforeNext`: number of
 * its records before the next cursor, if that is a window. `isDetached`: the page was prefetched and doesn't
 * start before the cursor, so records may be missing in between. `fallbackReason`: windows can't be used.
 */
export type PageStep<C> =
  | { readonly emit: readonly number[]; readonly next: C; readonly recordsBeforeNext?: number }
  | { readonly fallbackReason: string }
  | { readonly isDetached: true };

export interface PageOrigin {
  /** Whether the page was requested from before the cursor, so it must start with written records. */
  readonly overlaps: boolean;
  readonly isLastPage: boolean;
}

/**
 * Whether a value is above the upper bound of the start. A service orders texts by their characters, so one of a later time
 * with another offset from UTC can come before that bound.
 */
export const isAbove = (rule: WindowRule, value: string): boolean =>
  compareValues(value, rule.upper) > 0 && (rule.kind === 'number' || value > rule.upper);

/** Whether no value can follow in the rule's direction. */
export const isLastValue = (rule: WindowRule, value: string): boolean =>
  rule.direction === 1 && (compareValues(value, rule.upper) === 0 || isAbove(rule, value));

/** Whether a value has the kind of the bounds, so that it can be compared with them. */
export const isOfKind = (rule: WindowRule, value: string): boolean => kindOf(value) === rule.kind;

/** The rule for windows. `reason`: why there is none, if windows were planned. */
export const survey = z.object({ rule: windowRule.nullable(), reason: z.string().nullable() });
export type Survey = z.infer<typeof survey>;

/**
 * Reads the highest value of a field, which becomes the upper bound. In descending order records without a
 * value come last, so the lowest value is read too, to find out if there are any.
 * @param firstKey the first record's value by a sort, as JSON text; null without a value, undefined without a
 *   record
 * @throws AppError of the services, except `refused`
 */
export async function surveyWindow(
  window: WindowField,
  firstKey: (sort: JsonObject) => Promise<string | null | undefined>,
): Promise<Survey> {
  const { field, direction } = window;
  try {
    const highestKey = firstKey({ [field]: -1 });
    const [highest, lowest] = await Promise.all([
      highestKey,
      direction === -1 ? firstKey({ [field]: 1 }) : highestKey,
    ]);
    if (highest === undefined || lowest === undefined) return { rule: null, reason: 'there are no records' };
    if (highest === null) return { rule: null, reason: `not every record has ${field}` };
    const kind = kindOf(highest);
    if (kind === 'other' || (lowest !== null && kindOf(lowest) !== kind))
      return { rule: null, reason: `${field} has neither only numbers nor only text` };
    return { rule: { ...window, kind, upper: highest, nulls: lowest === null }, reason: null };
  } catch (error) {
    if (isAppError(error, 'refused')) return { rule: null, reason: `the service doesn't sort by ${field}` };
    throw error;
  }
}

/** A value as the JSON text of the response, so that a number is sent back unchanged. */
const jsonText = z.string();

/** The open side of a window. Every service of the specification supports these operators. */
const bound = z.object({ op: z.enum(['$gt', '$gte', '$lt']), value: jsonText });

/**
 * Pages by the key field: the records beyond the last complete value. The last value of a page is held back,
 * because more of its records may follow; the next page starts with it.
 */
const windowCursor = z.object({
  at: z.literal('window'),
  bound: bound.nullable(),
  /** A value that must come again, which proves that the service's filter matches it. Null: proven. */
  expect: jsonText.nullable(),
  /**
   * Ids of the last written value, dropped if they come again (from a service that rounds the values it
   * shows).
   */
  known: z.array(z.string()),
});
export type WindowCursor = z.infer<typeof windowCursor>;

/**
 * Pages by `skip`: through all records, through one value that fills pages, or through records without a
 * value. Each page starts with a known record; otherwise a record was deleted and the run steps back.
 */
const runCursor = z.object({
  at: z.literal('run'),
  of: z.enum(['all', 'value', 'nulls']),
  /**
   * How one value is queried: by equality, or, where that doesn't match, as the start of the range beyond
   * `bound`.
   */
  by: z.enum(['equal', 'range']),
  value: jsonText.nullable(),
  bound: bound.nullable(),
  skip: z.int().min(0),
  /**
   * The expectation for the first record. `plain`: none. `overlap`: it was seen before. `confirm`: it follows
   * the last one seen, after a page with only that one. `check`: it is `anchor`, the last one before the
   * confirm, because a record may have been deleted in between.
   */
  step: z.enum(['plain', 'overlap', 'confirm', 'check']),
  anchor: z.string().nullable(),
  /** The result of a confirm: the id of a record, or the value of one beyond the run. */
  confirmedId: z.string().nullable(),
  valueBeyond: jsonText.nullable(),
  /** Ids of written records for which it isn't proven yet that all records before them were seen. */
  unprovenIds: z.array(z.string()),
  lastStepBack: z.int(),
  /** Whether `_id` is the last field of the sort; false if the service refuses it. */
  tie: z.boolean(),
  /** The range of this run in the file of ids. */
  idsFrom: z.int(),
  seen: z.int(),
});
export type RunCursor = z.infer<typeof runCursor>;

/** Whether a run starts, or starts again, so that none of its records are known. */
export const isStartOfRun = ({ step, skip, seen }: RunCursor): boolean =>
  step === 'plain' && skip === 0 && seen === 0;

export type PageCursor = WindowCursor | RunCursor;

/** `whole`: a response with all records, all of which are written, duplicate ids included. */
export type ReadPosition = PageCursor | { readonly at: 'whole' };

/** The position of an export between two requests; stored in the journal for a resume. */
export const cursor = z.discriminatedUnion('at', [
  windowCursor,
  runCursor,
  z.object({ at: z.literal('end') }),
]);
export type Cursor = z.infer<typeof cursor>;

export const endCursor: Cursor = { at: 'end' };

export const firstWindow: WindowCursor = { at: 'window', bound: null, expect: null, known: [] };

/** @param idsFrom number of ids in the file of ids */
export function firstRun(
  of: RunCursor['of'],
  idsFrom: number,
  { value = null, bound = null }: { value?: string | null; bound?: Bound | null } = {},
): RunCursor {
  const by = of === 'value' ? 'equal' : 'range';
  const start = {
    skip: 0,
    step: 'plain' as const,
    anchor: null,
    confirmedId: null,
    valueBeyond: null,
    unprovenIds: [],
    lastStepBack: 0,
    tie: true,
    idsFrom,
    seen: 0,
  };
  return { at: 'run', of, by, value, bound, ...start };
}

/** The user's query, as far as requests need it. */
export interface PageQuery {
  readonly query: JsonObject;
  readonly sort: JsonObject;
  /** Field paths to return; empty: all. */
  readonly fields: readonly string[];
}

type PageRequest = Pick<FindArguments, 'query' | 'sort' | 'skip'>;

/**
 * The query, sort, and skip of the page at a cursor.
 * @param rule null for a run through all records
 * @throws SyntaxError if a value of the cursor isn’t JSON
 */
export function pageRequest(pageQuery: PageQuery, rule: WindowField | null, cursor: PageCursor): PageRequest {
  const { query, sort } = pageQuery;
  if (cursor.at === 'window')
    return { query: rule && cursor.bound ? withBound(query, rule.field, cursor.bound) : query, sort };
  if (rule === null || cursor.of === 'all')
    return { query, sort: withIdSort(sort, cursor.tie, 1), skip: cursor.skip };
  return runRequest(pageQuery, rule, cursor);
}

function runRequest(
  { query }: PageQuery,
  rule: WindowField,
  { of, by, value, bound, skip, tie }: RunCursor,
): PageRequest {
  const { field } = rule;
  // Records without a value come first only in ascending order.
  const sort = withIdSort({ [field]: of === 'nulls' ? 1 : rule.direction }, tie, rule.tie);
  if (of === 'value' && by === 'equal' && value !== null)
    return { query: withValue(query, field, value), sort, skip };
  return { query: of === 'value' && bound ? withBound(query, field, bound) : query, sort, skip };
}

const withIdSort = (sort: JsonObject, tie: boolean, direction: 1 | -1): JsonObject =>
  tie && !('_id' in sort) ? { ...sort, _id: direction } : sort;

/** The fields to request: the given ones, `_id`, and the key field. Empty: all. */
export function fieldsToRequest(fields: readonly string[], keyField: string | null): string[] {
  if (fields.length === 0) return [];
  return [...new Set([...fields, '_id', ...(keyField === null ? [] : [keyField])])];
}
