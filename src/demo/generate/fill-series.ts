import type { JsonObject } from '../../shared/json.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Well } from '../platform/world.ts';
import { hash } from '../random.ts';
import { activity } from './activity.ts';
import { PumpingLog } from './completion.ts';
import type { DepthLog } from './depth.ts';
import { depthAt } from './depth.ts';
import type { Filler } from './filler.ts';
import { sensorReading, sensorTime, sensorsPerPad } from './sensors.ts';
import { split } from './shares.ts';
import { DrillingLog } from './wits.ts';

/** Where records are added, and what determines them. */
export interface Filling {
  readonly filler: Filler;
  readonly dataset: Dataset;
  readonly wells: readonly Well[];
  readonly seed: number;
  /** Number of records of all wells together. */
  readonly rows: number;
  /** The end of the sample, in Unix milliseconds. */
  readonly end: number;
}

const day = 86_400_000;

// The first wells of the list have more data than the last ones.
const fading = (well: Well): number => 1 / (1 + well.index / 40);
const share = ({ rows, wells }: Filling, weight: (well: Well) => number): number[] =>
  split(
    rows,
    wells.map((well) => weight(well) * fading(well)),
  );

/** Drilling data of a well. With more rows, a log begins with the same rows as with fewer. */
export function drillingLog(seed: number, well: Well, rows: number, end: number): DrillingLog {
  const wellSeed = hash(seed, 201, well.index);
  return new DrillingLog(wellSeed, activity(wellSeed, rows, end, 2_000 + (wellSeed % 9_000)));
}

// Rigs of active wells send records, also when they complete or drill out.
const lastRecord = (well: Well, end: number): number =>
  well.status === 'active' ? end : (well.lastDrillingAt ?? end);

/** Drilling data: active wells have far more of it than older wells. @returns the rows of each well */
export function fillWits(filling: Filling): ReadonlyMap<Well, number> {
  const { filler, dataset, wells, seed } = filling;
  const counts = share(filling, (well) => (well.state === 'drilling' ? 12 : 3));
  for (const [at, well] of wells.entries()) {
    const rows = counts[at] ?? 0;
    if (rows === 0) continue;
    const log = drillingLog(seed, well, rows, lastRecord(well, filling.end));
    const times = Float64Array.from({ length: rows }, (_, row) => log.time(row));
    const time = (row: number): number => times[row] ?? 0;
    filler.add({
      dataset,
      well,
      rows,
      key: time,
      record: (_id, row, { company, asset, provider, collection }) => ({
        _id,
        company_id: company,
        asset_id: asset,
        version: 1,
        provider,
        collection,
        timestamp: time(row),
        data: log.channels(row),
      }),
    });
  }
  return new Map(wells.map((well, at) => [well, counts[at] ?? 0]));
}

/** Depth logs. Every third well has two logs over the same depths, which differ only in their identifiers. */
export function fillDepth(
  filling: Filling,
  step: number,
  channels: (log: DepthLog, depth: number) => JsonObject,
): void {
  const { filler, dataset, wells, seed, rows } = filling;
  const logs = wells.flatMap((well) => (well.index % 3 === 0 ? [1, 2] : [1]).map((log) => ({ well, log })));
  const counts = split(
    rows,
    logs.map(({ well }) => fading(well)),
  );
  for (const [at, { well, log }] of logs.entries()) {
    const logSeed = hash(seed, 301, well.index, log);
    const identifier = logIdentifier(logSeed, dataset.id);
    const depths: DepthLog = { seed: logSeed, top: 1_500 + (hash(seed, well.index) % 1_000), step };
    filler.add({
      dataset,
      well,
      rows: counts[at] ?? 0,
      scope: { log_identifier: identifier },
      key: (row) => depthAt(depths, row),
      record: (_id, row, { company, asset, provider, collection }) => ({
        _id,
        company_id: company,
        asset_id: asset,
        version: 1,
        provider,
        collection,
        measured_depth: depthAt(depths, row),
        log_identifier: identifier,
        data: channels(depths, depthAt(depths, row)),
      }),
    });
  }
}

function logIdentifier(seed: number, dataset: number): string {
  const hex = (part: number): string => hash(seed, dataset, part).toString(16).padStart(8, '0');
  return `${hex(1)}${hex(2).slice(0, 4)}`;
}

/** Stimulation data of a well. With more rows, a log begins with the same channels as with fewer. */
export const pumpingLog = (seed: number, well: Well, rows: number, end: number): PumpingLog =>
  new PumpingLog(hash(seed, 401, well.index), rows, end);

/** Stimulation data by stage. @returns the rows of each well */
export function fillCompletion(filling: Filling): ReadonlyMap<Well, number> {
  const { filler, dataset, wells, seed } = filling;
  const counts = share(filling, (well) => (well.state === 'completions' ? 4 : 1));
  for (const [at, well] of wells.entries()) {
    const rows = counts[at] ?? 0;
    const ended = (well.lastDrillingAt ?? filling.end) + 20 * day;
    const end = well.state === 'completions' ? (well.lastActiveAt ?? filling.end) : ended;
    const log = pumpingLog(seed, well, rows, end);
    filler.add({
      dataset,
      well,
      rows,
      key: (row) => log.time(row),
      record: (_id, row, { company, asset, provider, collection }) => ({
        _id,
        company_id: company,
        asset_id: asset,
        version: 1,
        provider,
        collection,
        timestamp: log.time(row),
        stage_number: log.stage(row),
        data: log.channels(row),
      }),
    });
  }
  return new Map(wells.map((well, at) => [well, counts[at] ?? 0]));
}

/** The values of one reading of a well's pad: which sensor it is of, and what it measured. */
export const padReading = (seed: number, { companyId, assetId, index }: Well, row: number): JsonObject => ({
  metadata: {
    company_id: companyId,
    asset_id: assetId,
    sensor: `node-${String((row % sensorsPerPad) + 1)}`,
  },
  data: sensorReading(hash(seed, 501, index), row),
});

/** Readings of the sensors on the pads of active wells. @returns the rows of each well */
export function fillSensors(filling: Filling): ReadonlyMap<Well, number> {
  const { filler, dataset, seed } = filling;
  const active = filling.wells.filter((well) => well.status === 'active');
  const wells = active.length > 0 ? active : filling.wells;
  const counts = share({ ...filling, wells }, () => 1);
  for (const [at, well] of wells.entries()) {
    const rows = counts[at] ?? 0;
    const time = (row: number): string => new Date(sensorTime(row, rows, filling.end)).toISOString();
    filler.add({
      dataset,
      well,
      rows,
      key: time,
      record: (_id, row, { company, provider, collection }) => ({
        _id,
        company_id: company,
        version: 1,
        provider,
        collection,
        datetime: time(row),
        ...padReading(seed, well, row),
      }),
    });
  }
  return new Map(wells.map((well, at) => [well, counts[at] ?? 0]));
}
