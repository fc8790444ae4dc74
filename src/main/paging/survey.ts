import type { JsonObject } from '../../shared/json.ts';
import { isAppError } from '../../shared/errors/errors.ts';
import type { WindowField, WindowRule } from './rule.ts';
import { kindOf } from './values.ts';

/** What the survey found out: the rule for windows, or why there can be none. */
export type Survey = { readonly rule: WindowRule } | { readonly rule: null; readonly why: string };

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
      return { rule: null, why: `${field} does not hold numbers only, or texts only` };
    return { rule: { ...window, kind, upper: highest, nulls: lowest === null } };
  } catch (error) {
    if (isAppError(error, 'refused')) return { rule: null, why: `the service refuses to sort by ${field}` };
    throw error;
  }
}
