import * as z from 'zod';
import { kindOf, compareValues } from './values.ts';
import type { JsonObject } from '../../shared/json.ts';
import { isAppError } from '../../shared/errors/errors.ts';

export const direction = z.union([z.literal(1), z.literal(-1)]);

/** How windows are cut; what the survey at the start fixed is part of it. */
export const windowRule = z.object({
  /** The top-level field that records are ordered by. */
  field: z.string(),
  direction,
  /** In which direction records of one value are ordered by `_id`. */
  tie: direction,
  kind: z.enum(['number', 'string']),
  /** The highest value there was at the start, as JSON text: what lies above came later and is left out. */
  upper: z.string(),
  /** Whether there are records without a value. */
  nulls: z.boolean(),
});
export type WindowRule = z.infer<typeof windowRule>;

/** The field that pages are cut by, as the sort asks for it. */
export type WindowField = Pick<WindowRule, 'field' | 'direction' | 'tie'>;

/** What paging must know of the records of a page: ids and values of the key field, as JSON text. */
export interface PageKeys {
  readonly count: number;
  id(record: number): string | null;
  value(record: number): string | null;
}

/**
 * What a page leads to: which of its records are written, in this order, and what to ask for next.
 * `passed`: how many of its records lie before the next cursor, where that is a window. `isDetached`: the page was asked
 * for ahead, and does not begin before the cursor, so that records may be missing between the two.
 */
export type Step<C> =
  | { readonly emit: readonly number[]; readonly next: C; readonly passed?: number }
  | { readonly giveUp: string }
  | { readonly isDetached: true };

/** What is known of the request that a page answers. */
export interface PageOrigin {
  /** Whether the page was asked for from before the cursor, so that it has to begin with records that are written already. */
  readonly overlaps: boolean;
  /** Whether no record can follow the page. */
  readonly isLast: boolean;
}

export const isAbove = (rule: WindowRule, value: string): boolean => compareValues(value, rule.upper) > 0;

/** Whether nothing can lie beyond a value in the rule's direction. */
export const isLast = (rule: WindowRule, value: string): boolean =>
  rule.direction === 1 && compareValues(value, rule.upper) >= 0;

export const fits = (rule: WindowRule, value: string): boolean => kindOf(value) === rule.kind;

/** What the survey found out: the rule for windows, or why there can be none. */
type Survey = { readonly rule: WindowRule } | { readonly rule: null; readonly why: string };

/**
 * Looks at the highest value of a field, which fixes the upper bound. Read downwards, records without a value come last,
 * so that the lowest is looked at too: it shows whether there are any.
 * @param firstKey the field's value, as JSON text, of the first record by a sort; null when it has none, undefined
 *   when there is no record
 */
export async function survey(
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
    if (highest === undefined || lowest === undefined) return { rule: null, why: 'there are no records' };
    if (highest === null) return { rule: null, why: `not every record has ${field}` };
    const kind = kindOf(highest);
    if (kind === 'other' || (lowest !== null && kindOf(lowest) !== kind))
      return { rule: null, why: `${field} has neither only numbers nor only text` };
    return { rule: { ...window, kind, upper: highest, nulls: lowest === null } };
  } catch (error) {
    if (isAppError(error, 'refused')) return { rule: null, why: `the service doesn't sort by ${field}` };
    throw error;
  }
}
