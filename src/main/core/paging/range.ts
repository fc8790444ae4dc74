import { withoutUndefined } from '../../../shared/defined.ts';
import type { JsonObject, JsonValue } from '../../../shared/json.ts';
import { canBeWindowed, operatorsOf } from './request.ts';

/** Values from one up to another, without it; an absent end is open. */
export interface ValueRange {
  readonly from?: JsonValue | undefined;
  readonly to?: JsonValue | undefined;
}

/** Whether the user's limit is stricter than that of a range, which has its start but not its end; or can't be compared. */
function isStricter(user: JsonValue | undefined, limit: JsonValue, isLower: boolean): boolean {
  if (user === undefined) return false;
  const isComparable =
    (typeof user === 'string' && typeof limit === 'string') ||
    (typeof user === 'number' && typeof limit === 'number');
  return !isComparable || (isLower ? user >= limit : user < limit);
}

/**
 * A query for its records in a range of values; the user's own limits remain where they are stricter.
 * @returns null if the user's condition can't be combined with a range
 */
export function queryInRange(query: JsonObject, path: string, { from, to }: ValueRange): JsonObject | null {
  if (!canBeWindowed(query, path)) return null;
  const { $gt, $gte, $lt, $lte, ...others } = operatorsOf(query, path);
  // A query may have two limits on one side, of which the stricter one applies.
  const keepsLower = from === undefined || [$gte, $gt].some((limit) => isStricter(limit, from, true));
  const keepsUpper = to === undefined || [$lte, $lt].some((limit) => isStricter(limit, to, false));
  const lower = keepsLower ? { $gte, $gt } : { $gte: from };
  const upper = keepsUpper ? { $lte, $lt } : { $lt: to };
  return { ...query, [path]: { ...others, ...withoutUndefined({ ...lower, ...upper }) } };
}
