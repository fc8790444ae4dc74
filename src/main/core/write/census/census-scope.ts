import { minPlausibleMs } from '../../../../shared/instants.ts';
import type { JsonObject, JsonValue } from '../../../../shared/json.ts';
import { queryInRange } from '../../requests.ts';
import type { PartitionPlan } from './partition.ts';

/** The records that a folder copies, and how they are divided. */
export interface CensusScope {
  /** The query of the folder. */
  readonly query: JsonObject;
  readonly partition: PartitionPlan;
  /** Times from here on, in milliseconds, are wrong. */
  readonly maxTimeMs: number;
  /** Later records, in milliseconds, aren't compared; null: all are. */
  readonly belowMs: number | null;
}

/** The values that a well can have in the service, by its text in the name of a folder. */
export const wellValues = (asset: string | null): JsonValue[] =>
  asset === null ? [null] : /^-?\d{1,15}$/.test(asset) ? [Number(asset), asset] : [asset];

export interface TimeRange {
  readonly fromMs: number;
  /** Without this moment. */
  readonly toMs: number;
}

/** A time as the service stores it in a field. */
const timeValue = (path: string, ms: number): JsonValue =>
  path === 'datetime' ? new Date(ms).toISOString() : ms;

/**
 * A query for its records in a range of time; the user's own limits remain where they are stricter.
 * @returns null if the user's condition can't be combined with a range
 */
export const queryInTime = (
  query: JsonObject,
  path: string,
  { fromMs, toMs }: TimeRange,
): JsonObject | null =>
  queryInRange(query, path, { from: timeValue(path, fromMs), to: timeValue(path, toMs) });

/** Texts of times have years of four digits; others are not in the order of time. */
const textYears = [Date.parse('0000-01-01T00:00:00Z'), Date.parse('9999-12-31T23:59:59.999Z')] as const;
const allNumbers = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

/**
 * The queries for records without a plausible time: without any, as a value of another type, too early, or too late. With
 * a condition of the user on the time, only the last two can match.
 */
export function queriesWithoutTime(query: JsonObject, path: string, maxTimeMs: number): JsonObject[] {
  if (query[path] !== undefined) {
    const [firstMs, endMs] = path === 'datetime' ? textYears : allNumbers;
    const outside = [
      { fromMs: maxTimeMs, toMs: endMs },
      { fromMs: firstMs, toMs: minPlausibleMs },
    ];
    return outside
      .filter((range) => range.fromMs < range.toMs)
      .map((range) => queryInTime(query, path, range))
      .filter((inner) => inner !== null);
  }
  const conditions =
    path === 'datetime'
      ? [
          null,
          { $gte: timeValue(path, maxTimeMs) },
          { $lt: timeValue(path, minPlausibleMs) },
          { $gte: -1e300 },
        ]
      : [null, { $gte: maxTimeMs }, { $lt: minPlausibleMs }, { $gte: '' }];
  return conditions.map((condition) => ({ ...query, [path]: condition }));
}
