import * as z from 'zod';
import { kindOf, compareValues } from '../records/values.ts';
import type { JsonObject } from '../../../shared/json.ts';
import { isAppError } from '../../../shared/errors/errors.ts';

const direction = z.union([z.literal(1), z.literal(-1)]);

/** How windows are cut; fixed by the survey at the start of an export. */
export const windowRule = z.object({
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

/** How the page was requested. */
export interface PageOrigin {
  /** Whether the page was requested from before the cursor, so it must start with written records. */
  readonly overlaps: boolean;
  /** Whether no record can follow the page. */
  readonly isLastPage: boolean;
}

/** Whether a value is above the upper bound of the start. */
export const isAbove = (rule: WindowRule, value: string): boolean => compareValues(value, rule.upper) > 0;

/** Whether no value can follow in the rule's direction. */
export const isLastValue = (rule: WindowRule, value: string): boolean =>
  rule.direction === 1 && compareValues(value, rule.upper) >= 0;

/** Whether a value has the kind of the bounds, so that it can be compared with them. */
export const isOfKind = (rule: WindowRule, value: string): boolean => kindOf(value) === rule.kind;

/** The rule for windows; `why` is the reason for none, if windows were planned. */
export interface Survey {
  readonly rule: WindowRule | null;
  readonly why: string | null;
}

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
    if (highest === undefined || lowest === undefined) return { rule: null, why: 'there are no records' };
    if (highest === null) return { rule: null, why: `not every record has ${field}` };
    const kind = kindOf(highest);
    if (kind === 'other' || (lowest !== null && kindOf(lowest) !== kind))
      return { rule: null, why: `${field} has neither only numbers nor only text` };
    return { rule: { ...window, kind, upper: highest, nulls: lowest === null }, why: null };
  } catch (error) {
    if (isAppError(error, 'refused')) return { rule: null, why: `the service doesn't sort by ${field}` };
    throw error;
  }
}
