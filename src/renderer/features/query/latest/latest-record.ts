import { instantOf } from '../../../../shared/instants.ts';
import { isObject } from '../../../../shared/json.ts';
import { nameOf } from '../../../../shared/language/scope.ts';
import {
  readRange,
  writeRange,
  type Range,
  type RangeField,
} from '../../../../shared/language/text/conditions.ts';
import type { RecordsRequest } from '../../../../shared/query/query.ts';
import type { Api } from '../../../api/api.ts';
import { parseRecords } from '../../records/request.ts';
import { conditionsOfRequest } from '../../datasets/conditions.ts';

/** The conditions of a sent query without its range; null: it has none, or its range isn't why it has no result. */
function withoutRange(request: RecordsRequest, field: RangeField): string | null {
  const conditions = conditionsOfRequest(request);
  if (conditions === null || ('skip' in request.request && request.request.skip > 0)) return null;
  const range = readRange(conditions, field);
  if (range.kind === 'odd' || (range.from === null && range.to === null)) return null;
  return writeRange(conditions, field, { from: null, to: null });
}

/**
 * The index value of the newest or deepest record that matches a sent query without its range: Unix milliseconds, or
 * a depth. Null: the query has no range, or no record matches.
 * @throws AppError
 */
export async function findLatest(
  find: Api['query']['find'],
  sent: RecordsRequest,
  field: RangeField,
  signal: AbortSignal,
): Promise<number | null> {
  const query = withoutRange(sent, field);
  if (query === null) return null;
  const { connection, provider, dataset } = sent.request;
  const sort = `{ ${nameOf(field.path)}: -1 }`;
  const request = { connection, provider, dataset, query, sort, limit: 1, fields: [field.path] };
  const { records } = await find(request, { signal });
  const [record = null] = parseRecords(records);
  const value = isObject(record) ? record[field.path] : null;
  const number = typeof value === 'string' && field.of === 'time' ? instantOf(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return null;
  return field.of === 'time' && Math.abs(number) > maxTimeMs ? null : number;
}

/** Dates end here, in Unix milliseconds. */
const maxTimeMs = 8.64e15;

/** How far a range before the latest record reaches: a day in milliseconds, or a depth in the dataset's unit. */
export const reach = { time: 86_400_000, depth: 1000 } as const;

const secondMs = 1000;

/** The range that ends with the latest record, which it includes. */
export function rangeBefore(latest: number, { of }: RangeField): Range {
  if (of === 'depth') {
    const end = Math.floor(latest) + 1;
    return { from: { kind: 'depth', depth: end - reach.depth }, to: { kind: 'depth', depth: end } };
  }
  const end = (Math.floor(latest / secondMs) + 1) * secondMs;
  return { from: { kind: 'time', ms: end - reach.time }, to: { kind: 'time', ms: end } };
}
