import { invalidInput } from '../../../shared/errors/errors.ts';
import { instantOf } from '../../../shared/instants.ts';
import { isObject, type JsonObject, type JsonValue } from '../../../shared/json.ts';
import { lengthOf } from '../../../shared/quality/quality.ts';
import { maxIndex } from '../../../shared/quality/batch.ts';
import type { CheckSpec, RecordShape } from './quality-plan.ts';

function placeOf(value: JsonValue | undefined, kind: 'time' | 'depth' | 'number'): number | null {
  const place = typeof value === 'string' && kind === 'time' ? instantOf(value) : value;
  return typeof place === 'number' && Math.abs(place) <= maxIndex ? place : null;
}

/**
 * The range of the index that a query asks for; of two limits on one side, the stricter one.
 * @param query strict JSON
 * @param index the index of the dataset; null: it has none
 * @returns a range that is open where it has no limit
 */
export function rangeOf(query: JsonObject, index: RecordShape['index']): CheckSpec['range'] {
  const condition = index ? query[index.field] : undefined;
  if (!index || !isObject(condition)) return { from: null, to: null, excludesFrom: false, includesTo: false };
  const limit = (operator: '$gte' | '$gt' | '$lt' | '$lte') => placeOf(condition[operator], index.kind);
  const [atLeast, above, below, atMost] = [limit('$gte'), limit('$gt'), limit('$lt'), limit('$lte')];
  const excludesFrom = above !== null && above >= (atLeast ?? -Infinity);
  const includesTo = atMost !== null && atMost < (below ?? Infinity);
  return {
    from: excludesFrom ? above : atLeast,
    to: includesTo ? atMost : below,
    excludesFrom,
    includesTo,
  };
}

/** The wells that a query names; empty: it doesn't. */
export function wellsOf(query: JsonObject, wellFields: readonly string[]): string[] {
  const field = wellFields.find((path) => query[path] !== undefined);
  const condition = field === undefined ? undefined : query[field];
  const values = isObject(condition) ? (condition['$in'] ?? [condition['$eq']]) : [condition];
  return Array.isArray(values)
    ? values.flatMap((value) =>
        typeof value === 'number' || typeof value === 'string' ? [String(value)] : [],
      )
    : [];
}

/** The expected step of an index. @throws AppError `invalid_input` if its unit doesn't suit the index */
export function stepOf(
  text: string | undefined,
  index: Omit<NonNullable<RecordShape['index']>, 'field'> | null,
): number | null {
  if (text === undefined || index === null) return null;
  const step = lengthOf(text, index.kind, index.unit);
  if (step !== null) return step;
  const examples = index.kind === 'time' ? '1s or 1m' : '0.5ft or 0.1m';
  throw invalidInput(`“${text}” isn’t a step of the index. Enter one like ${examples}.`, { field: 'step' });
}
