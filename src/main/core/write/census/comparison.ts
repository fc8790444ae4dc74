import { AppError, type ErrorCode, isAppError } from '../../../../shared/errors/errors.ts';
import type { DatasetAddress } from '../../../../shared/datasets/datasets.ts';
import { minPlausibleMs } from '../../../../shared/instants.ts';
import {
  isObject,
  parseJson,
  stringifyJson,
  type JsonObject,
  type JsonValue,
} from '../../../../shared/json.ts';
import { append } from '../../../../shared/lists.ts';
import { maxOffsetMs, queryInRange, textsOfTimes, textYears } from '../../requests.ts';
import type { DataService } from '../../wire/services/services.ts';
import {
  assetText,
  dayMs,
  partitionAt,
  partitionFolder,
  type PartitionPlan,
  type PartitionScope,
  partitionScope,
  periodAt,
  type TimeRange,
} from './partition.ts';
import { type Census, censusDifferences, type Tally, tallySum } from './tally.ts';

/** The records that a folder copies, and how they are divided. */
export interface CensusScope {
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

/** A time as the service stores it in a field. */
const timeValue = (path: string, ms: number): JsonValue =>
  path === 'datetime' ? new Date(ms).toISOString() : ms;

/**
 * A query for its records in a range of time, where texts count as they are written; the user's own limits remain where
 * they are stricter.
 * @returns null if the user's condition can't be combined with a range
 */
const queryInTime = (query: JsonObject, path: string, { fromMs, toMs }: TimeRange): JsonObject | null =>
  queryInRange(query, path, { from: timeValue(path, fromMs), to: timeValue(path, toMs) });

/** A query for all its records in a range of time, and if times are texts, for some others. */
export const queryAround = (query: JsonObject, path: string, range: TimeRange): JsonObject | null =>
  path === 'datetime'
    ? queryInRange(query, path, textsOfTimes(range.fromMs, range.toMs))
    : queryInTime(query, path, range);

const allNumbers = [-Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

/**
 * The queries for records without a plausible time: without any, as a value of another type, too early, or too late. With
 * a condition of the user on the time, only the last two can match.
 * @param lateMs times from here on are too late, and those before `earlyMs` too early
 */
function queriesWithoutTime(query: JsonObject, path: string, lateMs: number, earlyMs: number): JsonObject[] {
  if (query[path] !== undefined) {
    const [firstMs, endMs] = path === 'datetime' ? textYears : allNumbers;
    const outside = [
      { fromMs: lateMs, toMs: endMs },
      { fromMs: firstMs, toMs: earlyMs },
    ];
    return outside
      .filter((range) => range.fromMs < range.toMs)
      .map((range) => queryInTime(query, path, range))
      .filter((inner) => inner !== null);
  }
  const conditions =
    path === 'datetime'
      ? [null, { $gte: timeValue(path, lateMs) }, { $lt: timeValue(path, earlyMs) }, { $gte: -1e300 }]
      : [null, { $gte: lateMs }, { $lt: earlyMs }, { $gte: '' }];
  return conditions.map((condition) => ({ ...query, [path]: condition }));
}

/** Records of a folder that differ from those of the service. */
export interface Difference {
  /** The partition; `*` in place of a folder name stands for any. */
  readonly partition: string;
  /** The wells to read; null: all. */
  readonly wells: readonly JsonValue[] | null;
  readonly period: PartitionScope['period'];
  /** The number of records of the service that were compared. */
  readonly rows: number;
}

/** A read of the service, for partitions that it replaces. */
export interface Reread extends Pick<CensusScope, 'maxTimeMs'> {
  readonly queries: readonly JsonObject[];
  readonly partitions: readonly string[];
}

/** Maximum number of records that are read at once, so that their temporary files stay small. */
const maxBatchRows = 1_000_000;

function differenceAt(partition: string, rows: number, values?: Difference['wells']): Difference {
  const { asset, period } = partitionScope(partition);
  return { partition, wells: values ?? wellValues(asset ?? null), period, rows };
}

/** The partitions in which the service has other records than a copy. */
export const differencesFrom = (held: Census, { tallies, wells }: ServiceCensus): Difference[] =>
  censusDifferences(held, tallies).map((partition) =>
    differenceAt(partition, tallies.get(partition)?.rows ?? 0, wells.get(partition)),
  );

/** The partitions of some files, as differences. */
export const partitionsOf = (
  parts: readonly { readonly path: string; readonly rows: number }[],
): Difference[] =>
  // The service can have records of it, even if the file had none.
  parts.map(({ path, rows }) => differenceAt(partitionAt(path), Math.max(1, rows)));

/** Differences that are read together. */
interface JoinedDifference extends Omit<Difference, 'partition'>, Pick<Reread, 'partitions'> {}

/** Joins neighbors, as far as a function can, and a batch has room. */
function joinNeighbors(
  differences: readonly JoinedDifference[],
  join: (a: JoinedDifference, b: JoinedDifference) => Pick<JoinedDifference, 'wells' | 'period'> | null,
): JoinedDifference[] {
  const joined: JoinedDifference[] = [];
  for (const next of differences) {
    const last = joined.at(-1);
    const together = last && last.rows + next.rows <= maxBatchRows ? join(last, next) : null;
    if (!last || !together) joined.push(next);
    else
      joined[joined.length - 1] = {
        ...together,
        rows: last.rows + next.rows,
        partitions: [...last.partitions, ...next.partitions],
      };
  }
  return joined;
}

const wellsText = ({ wells }: Pick<Difference, 'wells'>): string => stringifyJson(wells && [...wells]);
const periodText = ({ period }: Pick<Difference, 'period'>): string =>
  period ? `${period.fromMs} ${period.toMs}` : String(period);

/** Neighboring periods of the same wells, then the wells of the same periods. */
function joinDifferences(differences: readonly Difference[]): JoinedDifference[] {
  const singly = differences.map(({ partition, ...rest }) => ({ ...rest, partitions: [partition] }));
  const start = ({ period }: JoinedDifference): number => period?.fromMs ?? Number.NEGATIVE_INFINITY;
  const byWells = [...Map.groupBy(singly, wellsText).values()].flatMap((group) =>
    joinNeighbors(
      group.toSorted((a, b) => start(a) - start(b)),
      ({ wells, period: a }, { period: b }) =>
        a && b && a.toMs === b.fromMs ? { wells, period: { fromMs: a.fromMs, toMs: b.toMs } } : null,
    ),
  );
  return [...Map.groupBy(byWells, periodText).values()].flatMap((group) =>
    joinNeighbors(group, ({ wells: a, period }, { wells: b }) =>
      a && b ? { period, wells: [...new Set([...a, ...b])] } : null,
    ),
  );
}

/** A query for its records of some wells. @param wells null: all */
const queryOf = (query: JsonObject, { assetPath }: PartitionPlan, wells: Difference['wells']): JsonObject =>
  assetPath === null || wells === null ? query : { ...query, [assetPath]: { $in: [...wells] } };

/** The queries for some records; none if the service has none. */
function queriesFor({ wells, period, rows }: JoinedDifference, scope: CensusScope): JsonObject[] {
  const { belowMs, maxTimeMs, partition } = scope;
  const { timePath } = partition;
  const isCompared = period !== undefined && (!period || belowMs === null || period.toMs <= belowMs);
  if (rows === 0 && isCompared) return [];
  const query = queryOf(scope.query, partition, wells);
  if (period === undefined || timePath === null) return [query];
  if (period === null) {
    const marginMs = timePath === 'datetime' ? maxOffsetMs : 0;
    return queriesWithoutTime(query, timePath, maxTimeMs - marginMs, minPlausibleMs + marginMs);
  }
  const toMs = Math.min(period.toMs, maxTimeMs);
  const range = queryAround(query, timePath, { fromMs: period.fromMs, toMs });
  return range ? [range] : [];
}

/** The reads that bring a copy up to date, in batches of bounded size. */
export function rereadsFor(differences: readonly Difference[], scope: CensusScope): Reread[] {
  const batches: { queries: JsonObject[]; partitions: string[]; rows: number; isApart: boolean }[] = [];
  for (const joined of joinDifferences(differences)) {
    const batch = batches.at(-1);
    const queries = queriesFor(joined, scope);
    // The records of these queries can match other queries, too; in one batch they would come twice.
    const isApart = joined.wells === null || scope.partition.timePath === 'datetime';
    if (batch && !batch.isApart && !isApart && batch.rows + joined.rows <= maxBatchRows) {
      append(batch.queries, queries);
      append(batch.partitions, joined.partitions);
      batch.rows += joined.rows;
    } else batches.push({ queries, partitions: [...joined.partitions], rows: joined.rows, isApart });
  }
  return batches.map((batch) => ({ ...batch, maxTimeMs: scope.maxTimeMs }));
}

// What the service has, by one aggregation

/** Maximum number of groups in a response; further ones are requested. */
const maxGroups = 50_000;
/** A scan of all records of a dataset takes longer than other reads. */
const timeoutMs = 600_000;
const maxTries = 3;
/** A service that returns fewer groups than requested may limit them to a round number. */
const roundNumber = 500;

export interface ServiceCensus {
  readonly tallies: Census;
  /** The values of the well field of each partition, as the service stores them. */
  readonly wells: ReadonlyMap<string, readonly JsonValue[]>;
}

/** Errors of a service that doesn't aggregate or count; after others, such as a lost link, it may. */
const noTally: readonly ErrorCode[] = [
  'refused',
  'forbidden',
  'not_found',
  'bad_answer',
  'service_failed',
  'timed_out',
  'too_large',
];

/** A record's time in milliseconds, or something that is no number. */
const timeExpression = (path: string): JsonValue =>
  path === 'datetime'
    ? {
        $cond: [
          // Only texts and dates can be converted; numbers come before them in the order of types.
          { $gte: [`$${path}`, ''] },
          { $toLong: { $convert: { input: `$${path}`, to: 'date', onError: null, onNull: null } } },
          null,
        ],
      }
    : `$${path}`;

/** Groups of later records, which aren't compared. */
const later = 'later';

/**
 * The first moment of a record's day, and the milliseconds since then; null without a plausible time. Comparisons order all
 * types, numbers after null.
 */
function dayExpressions(path: string, { maxTimeMs, belowMs }: CensusScope) {
  const time = timeExpression(path);
  const inDay = { $mod: [{ $subtract: [time, minPlausibleMs] }, dayMs] };
  const day = { $subtract: [time, inDay] };
  const isPlausible = { $and: [{ $gte: [time, minPlausibleMs] }, { $lt: [time, maxTimeMs] }] };
  const compared = belowMs === null ? day : { $cond: [{ $lt: [time, belowMs] }, day, later] };
  return { day: { $cond: [isPlausible, compared, null] }, inDay: { $cond: [isPlausible, inDay, null] } };
}

/** The pipeline that counts records by well and day, with the highest `_id` and the sum of times of each. */
function censusStages(scope: CensusScope): JsonObject[] {
  const { query, partition } = scope;
  const { assetPath, timePath } = partition;
  const time = timePath === null ? null : dayExpressions(timePath, scope);
  const key = {
    ...(assetPath === null ? {} : { well: `$${assetPath}` }),
    ...(time && { day: time.day }),
  };
  const group = {
    _id: key,
    records: { $sum: 1 },
    last: { $max: '$_id' },
    // Times as text are read by each side in its own way.
    ...(time && timePath !== 'datetime' && { times: { $sum: time.inDay } }),
  };
  return [{ $match: query }, { $group: group }, { $sort: { _id: 1 } }];
}

/**
 * Counts the records of the service by partition, by one aggregation.
 * @returns null if the service doesn't allow it for this dataset, or doesn't send all groups
 * @throws AppError of the data service: `not_authenticated`, `unreachable`, `too_many_requests`, `cancelled`
 */
export async function readServiceCensus(
  data: Pick<DataService, 'pipeline'>,
  address: DatasetAddress,
  scope: CensusScope,
  signal: AbortSignal,
): Promise<ServiceCensus | null> {
  const stages = censusStages(scope);
  const tallies = new Map<string, Tally>();
  const wells = new Map<string, JsonValue[]>();
  try {
    let firstGroup = '';
    for (let skip = 0; ;) {
      const page = [...stages, ...(skip > 0 ? [{ $skip: skip }] : []), { $limit: maxGroups }];
      const { text } = await data.pipeline(address, page, { signal, timeoutMs, maxTries });
      const groups = parseJson(text);
      if (!Array.isArray(groups)) return null;
      const first = stringifyJson(groups[0] ?? null);
      // A service that ignores `$skip` sends the same groups again, and never those after them.
      if (first === firstGroup) return null;
      firstGroup = first;
      for (const group of groups) addGroup(group, scope, tallies, wells);
      skip += groups.length;
      if (groups.length === 0 || (groups.length < maxGroups && groups.length % roundNumber !== 0))
        return { tallies, wells };
    }
  } catch (error) {
    if (noTally.some((code) => isAppError(error, code))) return null;
    throw error;
  }
}

/** An `_id` as text; some services show the type of an id in an object. */
const idTextOf = (value: JsonValue | undefined): string | null =>
  isObject(value) ? assetText(value['$oid']) : assetText(value);

function addGroup(
  group: JsonValue,
  { partition }: CensusScope,
  tallies: Map<string, Tally>,
  wells: Map<string, JsonValue[]>,
): void {
  const rows = isObject(group) ? group['records'] : undefined;
  if (!isObject(group) || typeof rows !== 'number')
    throw new AppError('bad_answer', { service: 'data', problem: 'a group has no count' });
  const { well = null, day = null } = isObject(group['_id']) ? group['_id'] : {};
  if (day === later) return;
  const folder = partitionFolder(partition, assetText(well), typeof day === 'number' ? day : null);
  const { last, times } = group;
  const tally = { rows, id: idTextOf(last), times: typeof times === 'number' ? times : null };
  const existing = tallies.get(folder);
  tallies.set(folder, existing ? tallySum(existing, tally) : tally);
  const values = wells.get(folder);
  if (!values) wells.set(folder, [well]);
  else if (!values.includes(well)) values.push(well);
}

// What differs, by counts

const maxCounts = 2000;
const maxWells = 50;

type Count = (query: JsonObject) => Promise<number>;

class TooManyCounts extends Error {}

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
    if (error instanceof TooManyCounts || noTally.some((code) => isAppError(error, code))) return null;
    throw error;
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
  for (const query of queriesWithoutTime(scope.query, timePath, scope.maxTimeMs, minPlausibleMs))
    rows += await count(query);
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
      const scoped = queryOf(query, partition, wells);
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

/** Halves a range until the days or months remain whose counts differ. */
async function* differingPeriods(
  range: TimeRange,
  unit: CensusScope['partition']['period'],
  counts: Counts,
  counted?: number,
): AsyncGenerator<{ readonly period: TimeRange; readonly rows: number }> {
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
