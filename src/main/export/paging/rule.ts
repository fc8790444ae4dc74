import * as z from 'zod';
import { kindOf, compareValues } from './values.ts';

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

/** What paging must know of the records of a page: ids and values of the key field, as JSON text. */
export interface PageKeys {
  readonly count: number;
  id(record: number): string | null;
  value(record: number): string | null;
}

/** A record of a page: its value and its id, as JSON text. */
export const landmark = z.object({ value: z.string().nullable(), id: z.string().nullable() });
export type Landmark = z.infer<typeof landmark>;

/**
 * What a page leads to: which of its records are written, in this order, and what to ask for next. `met`: the first
 * record at or beyond the seam up to which was to be read.
 */
export type Step<C> =
  | { readonly emit: readonly number[]; readonly next: C; readonly met?: Landmark }
  | { readonly giveUp: string };

export const isAbove = (rule: WindowRule, value: string): boolean => compareValues(value, rule.upper) > 0;

/** Whether nothing can lie beyond a value in the rule's direction. */
export const isLast = (rule: WindowRule, value: string): boolean =>
  rule.direction === 1 && compareValues(value, rule.upper) >= 0;

/** Whether a value belongs to the band behind a seam: seams begin bands ascending, and end them descending. */
export function isPast({ direction }: WindowRule, value: string | null, seam: string): boolean {
  if (value === null) return direction === -1;
  const order = compareValues(value, seam);
  return direction === 1 ? order >= 0 : order < 0;
}

export const fits = (rule: WindowRule, value: string): boolean => kindOf(value) === rule.kind;
