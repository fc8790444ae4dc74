import * as z from 'zod';
import { channelOf, type Synonyms } from '../../../shared/channels/channels.ts';
import { isSameAddress, type Dataset, datasetShapes } from '../../../shared/datasets/datasets.ts';
import { AppError } from '../../../shared/errors/errors.ts';
import type { PipelineRequest } from '../../../shared/query/query.ts';
import { isRigState } from '../live/rig-state.ts';
import { newRecordsRequest, parseRecords } from '../records/request.ts';
import { isNullNumber } from '../../../shared/upload/null-tokens.ts';
import type { ScopedWell } from '../../../shared/wells/wells.ts';

/** The newest record of a well in a dataset over time. */
export interface NewestRecord {
  readonly dataset: Dataset;
  /** Unix milliseconds. */
  readonly at: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export type NewestRecords = ReadonlyMap<number, readonly NewestRecord[]>;

const hourMs = 3_600_000;

/** A well's records since then are read: those after the newest known one, or about the end of its activity. */
function startOf({ lastActiveAt }: ScopedWell, newest: NewestRecord | undefined, now: number): number {
  const activeAt = Date.parse(lastActiveAt ?? '');
  return newest?.at ?? (Number.isNaN(activeAt) ? now : Math.min(activeAt, now)) - hourMs;
}

const recordIn = (dataset: Dataset, records: readonly NewestRecord[] = []): NewestRecord | undefined =>
  records.find((record) => isSameAddress(record.dataset, dataset));

/**
 * One request for the newest record of each of several wells.
 * @param dataset a dataset over time
 * @param newest their newest records so far: only later ones are read
 * @param now by the service's clock, in Unix milliseconds
 * @returns a pipeline with a result for each well
 */
export function newestRecordsRequest(
  connection: string,
  dataset: Dataset,
  wells: readonly ScopedWell[],
  newest: NewestRecords,
  now: number,
): PipelineRequest {
  const { scopeField } = datasetShapes.time;
  const starts = wells.map((well) => ({
    assetId: well.assetId,
    timestamp: { $gte: startOf(well, recordIn(dataset, newest.get(well.assetId)), now) },
  }));
  return newRecordsRequest({ connection, dataset, now }, starts, [
    { $sort: { [scopeField]: 1, timestamp: -1 } },
    { $group: { _id: `$${scopeField}`, at: { $first: '$timestamp' }, data: { $first: '$data' } } },
  ]);
}

const results = z.array(
  z.object({ _id: z.int(), at: z.number(), data: z.record(z.string(), z.unknown()).nullish() }),
);

/**
 * Reads the result of {@link newestRecordsRequest}.
 * @param page JSON of its records
 * @returns the newest records by asset id
 * @throws AppError if the response has another form
 */
export function readNewestRecords(page: Uint8Array, dataset: Dataset): NewestRecords {
  const read = results.safeParse(parseRecords(page));
  if (!read.success) throw new AppError('internal', { problem: 'newest records of another form' });
  return new Map(read.data.map(({ _id, at, data }) => [_id, [{ dataset, at, data: data ?? {} }]]));
}

/**
 * Newest records with later ones in place of earlier ones of the same dataset.
 * @param earlier newest records by asset id
 * @param later further ones
 * @returns all wells of both, the newest record of each first
 */
export function withLaterRecords(earlier: NewestRecords, later: NewestRecords): NewestRecords {
  const all = new Map(earlier);
  for (const [asset, records] of later) {
    const otherRecords = (all.get(asset) ?? []).filter(({ dataset }) => !recordIn(dataset, records));
    all.set(
      asset,
      [...otherRecords, ...records].toSorted((a, b) => b.at - a.at),
    );
  }
  return all;
}

/**
 * The record that a card shows: the newest of drilling, unless there is only a much newer one.
 * @param records the newest of each dataset, the newest first
 * @param synonyms names of channels that the user has added
 * @returns null if there is none
 */
export function recordOfCard(records: readonly NewestRecord[], synonyms: Synonyms): NewestRecord | null {
  const [newest] = records;
  if (!newest) return null;
  const channelName = (field: string) => channelOf(field, { synonyms })?.channel.name;
  const drilling = records.find(
    ({ at, data }) => at > newest.at - hourMs && valueOnCard(data, 'depth', channelName) !== null,
  );
  return drilling ?? newest;
}

/** What a card shows, by its standard channel names in order of preference. */
const channelsOfCard = { depth: ['hole_depth', 'bit_depth'], rop: ['rop', 'rop_instantaneous'] } as const;

export interface FieldValue {
  readonly field: string;
  readonly value: number;
}

/**
 * The depth or the rate of penetration in a record.
 * @param channelName the standard name of a field; undefined: unknown
 * @returns null if the record has no such number
 */
export function valueOnCard(
  data: NewestRecord['data'],
  what: keyof typeof channelsOfCard,
  channelName: (field: string) => string | undefined,
): FieldValue | null {
  const values = Object.entries(data).flatMap(([name, value]) =>
    typeof value === 'number' && !isNullNumber(value) ? [{ field: `data.${name}`, value }] : [],
  );
  for (const channel of channelsOfCard[what]) {
    const channelValue = values.find(({ field }) => channelName(field) === channel);
    if (channelValue) return channelValue;
  }
  return null;
}

/** The state of the rig in a record. @returns null if the record has none as text */
export function rigState(data: NewestRecord['data']): string | null {
  const states = Object.entries(data).flatMap(([name, value]) =>
    isRigState(name) && typeof value === 'string' && value !== '' ? [value] : [],
  );
  return states[0] ?? null;
}
