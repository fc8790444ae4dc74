import { isObject, type JsonValue } from '../../../shared/json.ts';
import type { PageRequest } from '../../../shared/query/query.ts';
import type { Cell } from './table.ts';

/**
 * How many records at the beginning of a page stood at the end of the page before already: so many came in front of
 * them since, for pages are counted from the beginning. Records are told apart by `_id`; where they show none, none is
 * known to be repeated.
 * @param before the ids of the rows before, in their order
 */
export function repeated(before: readonly Cell[], page: readonly JsonValue[]): number {
  const seen = new Set(before.filter((id) => typeof id === 'string'));
  let count = 0;
  for (const record of page) {
    const id = isObject(record) ? record['_id'] : undefined;
    if (typeof id !== 'string' || !seen.has(id)) break;
    count += 1;
  }
  return count;
}

/**
 * The bound of the pages after the first, so that what comes to a dataset meanwhile moves none of them.
 * @param along the field along which records grow, and which the question is sorted by, descending
 * @returns null where the first record shows no such number
 */
export function boundOf(along: string | null, [first]: readonly JsonValue[]): PageRequest['upTo'] | null {
  const value = along !== null && first !== undefined && isObject(first) ? first[along] : undefined;
  return along !== null && typeof value === 'number' ? { field: along, value } : null;
}
