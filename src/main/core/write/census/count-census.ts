import { AppError, isAppError } from '../../../../shared/errors/errors.ts';
import { minPlausibleMs } from '../../../../shared/instants.ts';
import type { JsonObject, JsonValue } from '../../../../shared/json.ts';
import { partitionFolder, partitionScope, periodAt } from './partition.ts';
import {
  type CensusScope,
  queriesWithoutTime,
  queryInTime,
  type TimeRange,
  wellValues,
} from './census-scope.ts';
import type { Difference } from './differences.ts';
import type { Census } from './tally.ts';
import { append } from '../../../../shared/lists.ts';

/** Maximum number of counts in one comparison. */
const maxCounts = 2000;
/** Maximum number of wells that are compared one by one. */
const maxWells = 50;

type Count = (query: JsonObject) => Promise<number>;

class TooManyCounts extends Error {}

const transientErrors = ['not_authenticated', 'unreachable', 'too_many_requests', 'cancelled'] as const;

/**
 * Finds the differences between a copy and the service where only counts are possible: ranges of time whose counts
 * differ are halved, up to 50 wells one by one. Records that were replaced by as many others are not found.
 * @returns null if the service doesn't count, or if more than 2,000 counts are needed
 * @throws AppError of the data service: `not_authenticated`, `unreachable`, `too_many_requests`, `cancelled`
 */
export async function differencesByCount(
  countRecords: Count,
  scope: CensusScope,
  held: Census,
): Promise<Difference[] | null> {
  let counts = 0;
  async function count(query: JsonObject): Promise<number> {
    counts += 1;
    if (counts > maxCounts) throw new TooManyCounts();
    return countRecords(query);
  }
  try {
    const { timePath, period } = scope.partition;
    if (timePath === null || period === null) return await wholeDifference(count, scope, held);
    const copy = { count, scope, held, timePath };
    const inTime = await differencesInTime(copy);
    return inTime && [...inTime, ...(await differenceWithoutTime(copy))];
  } catch (error) {
    if (error instanceof TooManyCounts) return null;
    if (!(error instanceof AppError) || transientErrors.some((code) => isAppError(error, code))) throw error;
    return null;
  }
}

interface ComparedCopy {
  readonly count: Count;
  readonly scope: CensusScope;
  readonly held: Census;
  readonly timePath: string;
}

const rowsIn = (held: Census, isCounted: (partition: string) => boolean): number =>
  [...held].reduce((sum, [partition, { rows }]) => (isCounted(partition) ? sum + rows : sum), 0);

/** The partitions of all wells in the period of a time; null: those without a time. */
function anyWell({ partition }: CensusScope, ms: number | null): string {
  const period = partitionFolder({ ...partition, assetPath: null }, null, ms);
  return partition.assetPath === null ? period : period === '' ? '*' : `*/${period}`;
}

async function wholeDifference(count: Count, scope: CensusScope, held: Census): Promise<Difference[]> {
  const { query, partition, belowMs, maxTimeMs } = scope;
  const later =
    partition.timePath === null || belowMs === null || belowMs >= maxTimeMs
      ? null
      : queryInTime(query, partition.timePath, { fromMs: belowMs, toMs: maxTimeMs });
  const rows = (await count(query)) - (later ? await count(later) : 0);
  if (rows === rowsIn(held, () => true)) return [];
  return [{ partition: anyWell(scope, null), wells: null, period: undefined, rows }];
}

async function differenceWithoutTime({ count, scope, held, timePath }: ComparedCopy): Promise<Difference[]> {
  let rows = 0;
  for (const query of queriesWithoutTime(scope.query, timePath, scope.maxTimeMs)) rows += await count(query);
  if (rows === rowsIn(held, (partition) => partitionScope(partition).period === null)) return [];
  return [{ partition: anyWell(scope, null), wells: null, period: null, rows }];
}

async function differencesInTime({
  count,
  scope,
  held,
  timePath,
}: ComparedCopy): Promise<Difference[] | null> {
  const { query, partition } = scope;
  const { assetPath } = partition;
  const endMs = Math.min(scope.belowMs ?? scope.maxTimeMs, scope.maxTimeMs);
  const whole = { fromMs: minPlausibleMs, toMs: endMs };
  if (!queryInTime(query, timePath, whole)) return null;
  const countOf =
    (wells: readonly JsonValue[] | null) =>
    async (range: TimeRange): Promise<number> => {
      const scoped =
        wells === null || assetPath === null ? query : { ...query, [assetPath]: { $in: [...wells] } };
      const bounded = queryInTime(scoped, timePath, { ...range, toMs: Math.min(range.toMs, endMs) });
      return bounded ? count(bounded) : 0;
    };
  const assets = [...new Set([...held.keys()].map((partition) => partitionScope(partition).asset))];
  const heldIn =
    (asset: string | null | undefined) =>
    ({ fromMs, toMs }: TimeRange): number =>
      rowsIn(held, (partition) => {
        const { asset: of, period } = partitionScope(partition);
        const isOfWell = asset === undefined || of === asset;
        return isOfWell && period ? period.fromMs >= fromMs && period.fromMs < toMs : false;
      });
  const differences: Difference[] = [];
  async function compare(
    wells: readonly JsonValue[] | null,
    partitionAt: (ms: number) => string,
    expected: (range: TimeRange) => number | Promise<number>,
  ): Promise<void> {
    const countIn = countOf(wells);
    for await (const { period, rows } of differingPeriods(whole, partition.period, { countIn, expected }))
      differences.push({ partition: partitionAt(period.fromMs), wells, period, rows });
  }
  if (assetPath === null || assets.length > maxWells) {
    await compare(null, (ms) => anyWell(scope, ms), heldIn(undefined));
    return differences;
  }
  const wellNames: JsonValue[] = [];
  for (const asset of assets) {
    const name = asset ?? null;
    append(wellNames, wellValues(name));
    await compare(wellValues(name), (ms) => partitionFolder(partition, name, ms), heldIn(asset));
  }
  // Records beyond those of these wells are of wells that came since.
  await compare(null, (ms) => anyWell(scope, ms), countOf(wellNames));
  return differences;
}

interface Counts {
  readonly countIn: (range: TimeRange) => Promise<number>;
  readonly expected: (range: TimeRange) => number | Promise<number>;
}

interface DifferingPeriod {
  readonly period: TimeRange;
  readonly rows: number;
}

/** Halves a range until the days or months remain whose counts differ. */
async function* differingPeriods(
  range: TimeRange,
  unit: CensusScope['partition']['period'],
  counts: Counts,
  counted?: number,
): AsyncGenerator<DifferingPeriod> {
  const rows = counted ?? (await counts.countIn(range));
  if (rows === (await counts.expected(range))) return;
  const first = periodAt(unit, range.fromMs);
  if (first.toMs >= range.toMs) {
    yield { period: first, rows };
    return;
  }
  const middle = periodAt(unit, (range.fromMs + range.toMs) / 2).fromMs;
  const at = middle > range.fromMs ? middle : first.toMs;
  const left = { fromMs: range.fromMs, toMs: at };
  const leftRows = await counts.countIn(left);
  yield* differingPeriods(left, unit, counts, leftRows);
  yield* differingPeriods({ fromMs: at, toMs: range.toMs }, unit, counts, rows - leftRows);
}
