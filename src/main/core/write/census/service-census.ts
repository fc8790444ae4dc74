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
import type { DataService } from '../../wire/services/services.ts';
import { assetText, partitionFolder } from './partition.ts';
import type { CensusScope } from './census-scope.ts';
import { type Census, type Tally, tallySum } from './tally.ts';

const dayMs = 86_400_000;
/** Maximum number of groups in a response; further ones are requested. */
const maxGroups = 50_000;
/** A scan of all records of a dataset takes longer than other reads. */
const timeoutMs = 600_000;
const maxTries = 3;
/** A service that returns fewer groups than requested may limit them to a round number. */
const roundNumber = 500;

/** The records of the service. */
export interface ServiceCensus {
  readonly tallies: Census;
  /** The values of the well field of each partition, as the service stores them. */
  readonly wells: ReadonlyMap<string, readonly JsonValue[]>;
}

/** Errors after which the service can still have counts. */
const noAggregation: readonly ErrorCode[] = [
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

/** The first moment of a record's day; null without a plausible time. Comparisons order all types, numbers after null. */
function dayExpression(path: string, { maxTimeMs, belowMs }: CensusScope): JsonValue {
  const time = timeExpression(path);
  const sinceFirst = { $subtract: [time, minPlausibleMs] };
  const day = { $subtract: [time, { $mod: [sinceFirst, dayMs] }] };
  const isPlausible = { $and: [{ $gte: [time, minPlausibleMs] }, { $lt: [time, maxTimeMs] }] };
  const compared = belowMs === null ? day : { $cond: [{ $lt: [time, belowMs] }, day, later] };
  return { $cond: [isPlausible, compared, null] };
}

/** The pipeline that counts records by well and day, with the highest `_id` of each. */
export function censusStages(scope: CensusScope): JsonObject[] {
  const { query, partition } = scope;
  const { assetPath, timePath } = partition;
  const key = {
    ...(assetPath === null ? {} : { well: `$${assetPath}` }),
    ...(timePath === null ? {} : { day: dayExpression(timePath, scope) }),
  };
  const group = { _id: key, records: { $sum: 1 }, last: { $max: '$_id' } };
  return [{ $match: query }, { $group: group }, { $sort: { _id: 1 } }];
}

/**
 * Counts the records of the service by partition, by one aggregation.
 * @returns null if the service doesn't allow it for this dataset
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
      // A service that ignores `$skip` sends the same groups again.
      if (first === firstGroup) return { tallies, wells };
      firstGroup = first;
      for (const group of groups) addGroup(group, scope, tallies, wells);
      skip += groups.length;
      if (groups.length === 0 || (groups.length < maxGroups && groups.length % roundNumber !== 0))
        return { tallies, wells };
    }
  } catch (error) {
    if (noAggregation.some((code) => isAppError(error, code))) return null;
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
  const tally = { rows, id: idTextOf(group['last']) };
  const existing = tallies.get(folder);
  tallies.set(folder, existing ? tallySum(existing, tally) : tally);
  const values = wells.get(folder);
  if (!values) wells.set(folder, [well]);
  else if (!values.includes(well)) values.push(well);
}
