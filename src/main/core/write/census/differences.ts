import { append } from '../../../../shared/lists.ts';
import { stringifyJson, type JsonObject, type JsonValue } from '../../../../shared/json.ts';
import { partitionAt, type PartitionScope, partitionScope } from './partition.ts';
import { type CensusScope, queriesWithoutTime, queryInTime, wellValues } from './census-scope.ts';
import type { ServiceCensus } from './service-census.ts';
import { type Census, censusDifferences } from './tally.ts';

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
export interface Reread {
  readonly queries: readonly JsonObject[];
  readonly partitions: readonly string[];
}

/** Maximum number of records that are read at once, so that their temporary files stay small. */
const maxBatchRows = 1_000_000;

/** Whether a partition is one of a list in which `*` stands for any folder name. */
export function partitionMatcher(partitions: readonly string[]): (partition: string) => boolean {
  const exact = new Set(partitions);
  const patterns = partitions.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('/'));
  const matches = (pattern: readonly string[], names: readonly string[]): boolean =>
    pattern.length === names.length && pattern.every((name, at) => name === '*' || name === names[at]);
  return (partition) =>
    exact.has(partition) || patterns.some((pattern) => matches(pattern, partition.split('/')));
}

/** The partitions in which the service has other records than a copy. */
export const differencesFrom = (held: Census, { tallies, wells }: ServiceCensus): Difference[] =>
  censusDifferences(held, tallies).map((partition) => {
    const { asset, period } = partitionScope(partition);
    const values = wells.get(partition) ?? wellValues(asset ?? null);
    return { partition, wells: values, period, rows: tallies.get(partition)?.rows ?? 0 };
  });

/** The partitions of some files, as differences. */
export const partitionsOf = (
  parts: readonly { readonly path: string; readonly rows: number }[],
): Difference[] =>
  parts.map(({ path, rows }) => {
    const partition = partitionAt(path);
    const { asset, period } = partitionScope(partition);
    // The service can have records of it, even if the file had none.
    return { partition, wells: wellValues(asset ?? null), period, rows: Math.max(1, rows) };
  });

/** Text is compared by characters, and a time in it can have an offset from UTC of this much. */
const maxOffsetMs = 15 * 3_600_000;

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

/** The queries for some records; none if the service has none. */
function queriesFor({ wells, period, rows }: JoinedDifference, scope: CensusScope): JsonObject[] {
  const { belowMs, maxTimeMs, query: all } = scope;
  const { assetPath, timePath } = scope.partition;
  const isCompared = period !== undefined && (!period || belowMs === null || period.toMs <= belowMs);
  if (rows === 0 && isCompared) return [];
  const query = assetPath === null || wells === null ? all : { ...all, [assetPath]: { $in: [...wells] } };
  if (period === undefined || timePath === null) return [query];
  if (period === null) return queriesWithoutTime(query, timePath, maxTimeMs);
  const margin = timePath === 'datetime' ? maxOffsetMs : 0;
  const range = queryInTime(query, timePath, {
    fromMs: period.fromMs - margin,
    toMs: Math.min(period.toMs + margin, maxTimeMs),
  });
  return range ? [range] : [];
}

/** The reads that bring a copy up to date, in batches of bounded size. */
export function rereadsFor(differences: readonly Difference[], scope: CensusScope): Reread[] {
  const batches: { queries: JsonObject[]; partitions: string[]; rows: number }[] = [];
  for (const joined of joinDifferences(differences)) {
    const batch = batches.at(-1);
    const queries = queriesFor(joined, scope);
    // The records of these queries can match other queries, too; in one batch they would come twice.
    const isApart = joined.wells === null || scope.partition.timePath === 'datetime';
    if (batch && !isApart && batch.rows + joined.rows <= maxBatchRows) {
      append(batch.queries, queries);
      append(batch.partitions, joined.partitions);
      batch.rows += joined.rows;
    } else batches.push({ queries, partitions: [...joined.partitions], rows: joined.rows });
  }
  return batches;
}
