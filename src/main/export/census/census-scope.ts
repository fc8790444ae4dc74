import { type JsonObject, type JsonValue, isObject } from '../../../shared/json.ts';
import { canBeWindowed } from '../../paging/request.ts';
import { minPlausibleMs, type PartitionPlan } from './partition.ts';

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

/** The later of two lower limits, or the earlier of two upper ones; the user's wins if they can't be compared. */
function stricter(user: JsonValue | undefined, ours: JsonValue, isLower: boolean): boolean {
  if (user === undefined) return false;
  if (typeof user === 'string' && typeof ours === 'string') return isLower ? user > ours : user < ours;
  return typeof user !== 'number' || typeof ours !== 'number' || (isLower ? user > ours : user < ours);
}

/**
 * A query for its records in a range of time; the user's own limits remain where they are stricter.
 * @returns null if the user's condition can't be combined with a range
 */
export function queryInRange(
  query: JsonObject,
  path: string,
  { fromMs, toMs }: TimeRange,
): JsonObject | null {
  if (!canBeWindowed(query, path)) return null;
  const condition = query[path];
  const operators = isObject(condition) ? condition : condition === undefined ? {} : { $in: [condition] };
  const [from, to] = [timeValue(path, fromMs), timeValue(path, toMs)];
  const { $gt, $gte, $lt, $lte, ...others } = operators;
  const lower = stricter($gte ?? $gt, from, true) ? { $gte, $gt } : { $gte: from };
  const upper = stricter($lte ?? $lt, to, false) ? { $lte, $lt } : { $lt: to };
  const limits: JsonObject = {};
  for (const [name, value] of Object.entries({ ...lower, ...upper }))
    if (value !== undefined) limits[name] = value;
  return { ...query, [path]: { ...others, ...limits } };
}

/**
 * The queries for records without a plausible time: without any, as a value of another type, too early, or too late. With
 * a condition of the user on the time, only the last two can match.
 */
export function queriesWithoutTime(query: JsonObject, path: string, maxTimeMs: number): JsonObject[] {
  if (query[path] !== undefined) {
    const outside = [
      { fromMs: maxTimeMs, toMs: Number.MAX_SAFE_INTEGER },
      { fromMs: -Number.MAX_SAFE_INTEGER, toMs: minPlausibleMs },
    ];
    if (path === 'datetime') return [];
    return outside.map((range) => queryInRange(query, path, range)).filter((each) => each !== null);
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
