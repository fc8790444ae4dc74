import type { JsonObject } from '../../../shared/json.ts';
import { isAppError } from '../../../shared/errors.ts';
import type { WindowRule } from './rule.ts';
import { kindOf } from './values.ts';

/** Which field an export could be cut by, from its sort. */
export type WindowWish = Pick<WindowRule, 'field' | 'direction' | 'tie'>;

/** What the survey found out: the rule for windows, or why there can be none. */
export type Survey = { readonly rule: WindowRule } | { readonly rule: null; readonly why: string };

/**
 * Looks at the lowest and the highest value of a field: they fix the upper bound, and show whether there are records
 * without a value and whether all values are of one kind.
 * @param firstKey the field's value, as JSON text, of the first record by a sort; null when it has none, undefined
 *   when there is no record
 */
export async function survey(
  wish: WindowWish,
  firstKey: (sort: JsonObject) => Promise<string | null | undefined>,
): Promise<Survey> {
  const { field } = wish;
  try {
    const [lowest, highest] = await Promise.all([firstKey({ [field]: 1 }), firstKey({ [field]: -1 })]);
    if (highest === undefined || lowest === undefined) return { rule: null, why: 'there are no records' };
    if (highest === null) return { rule: null, why: `not every record has ${field}` };
    const kind = kindOf(highest);
    if (kind === 'other' || (lowest !== null && kindOf(lowest) !== kind))
      return { rule: null, why: `${field} does not hold numbers only, or texts only` };
    return { rule: { ...wish, kind, upper: highest, nulls: lowest === null } };
  } catch (error) {
    if (isAppError(error, 'refused')) return { rule: null, why: `the service refuses to sort by ${field}` };
    throw error;
  }
}
