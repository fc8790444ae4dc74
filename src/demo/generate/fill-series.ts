import type { JsonObject } from '../../shared/json.ts';
import type { Dataset } from '../data/dataset.ts';
import type { Well } from '../platform/world.ts';
import { hash, unit } from '../random.ts';
import { activity, wholeWell } from './activity.ts';
import { PumpingLog } from './completion.ts';
import { type DepthLog, depthAt } from './depth.ts';
import { type Filler, split } from './filler.ts';
import { sensorReading, sensorTime, sensorsPerPad } from './sensors.ts';
import { WellPlan } from './well-plan.ts';
import { DrillingLog } from './wits.ts';

/** Where records are added, and what determines them. */
interface Filling {
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
/** The rows of each well. */
function share({ rows, wells }: Filling, weight: (well: Well) => number): ReadonlyMap<Well, number> {
  const weights = wells.map((well) => weight(well) * fading(well));
  const counts = split(rows, weights);
  return new Map(wells.map((well, at) => [well, counts[at] ?? 0]));
}

/** Where the log of a well that is being drilled begins, in feet: above, in, or behind the curve. */
export function startDepth(seed: number, well: Well, plan: WellPlan): number {
  // The first well is in its lateral.
  const share = well.index === 0 ? 0.55 : unit(seed, 202, well.index);
  const from = plan.kickOff - 1_500;
  return Math.round(from + share * (plan.end - 1_200 - from));
}

/** Drilling data of a well, each second. With more rows, a log begins with the same rows as with fewer. */
export function drillingLog(seed: number, well: Well, rows: number, end: number): DrillingLog {
  const wellSeed = hash(seed, 201, well.index);
  const plan = new WellPlan(seed, well);
  return new DrillingLog(wellSeed, plan, activity(wellSeed, rows, end, startDepth(seed, well, plan), plan));
}

/** With fewer rows, a well has its last seconds only. */
const minArchivedRows = 1_000;

/** Drilling data of a well that was drilled: the whole well, from the ground to its end, as rarely as there are rows for. */
function archivedLog(seed: number, well: Well, rows: number, end: number): DrillingLog {
  if (rows < minArchivedRows) return drillingLog(seed, well, rows, end);
  const wellSeed = hash(seed, 201, well.index);
  const plan = new WellPlan(seed, well);
  const phases = wholeWell(wellSeed, end, plan);
  const seconds = phases.reduce((sum, phase) => sum + phase.rows, 0);
  if (seconds < rows) return drillingLog(seed, well, rows, end);
  const interval = Math.floor((seconds - 1) / (rows - 1));
  return new DrillingLog(wellSeed, plan, phases, { first: seconds - 1 - (rows - 1) * interval, interval });
}

// Rigs of active wells send records, also when they complete or drill out.
const lastRecord = (well: Well, end: number): number =>
  well.status === 'active' ? end : (well.lastDrillingAt ?? end);

/** A value that is made when it is first needed. */
function lazily<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

/** Drilling data: active wells have far more of it than older wells. @returns the rows of each well */
export function fillWits(filling: Filling): ReadonlyMap<Well, number> {
  const { filler, dataset, seed } = filling;
  const rowsOfWells = share(filling, (well) => (well.state === 'drilling' ? 12 : 3));
  for (const [well, rows] of rowsOfWells) {
    if (rows === 0) continue;
    const logOf = well.status === 'active' ? drillingLog : archivedLog;
    // Planned when the well is first read: a whole well has thousands of phases.
    const series = lazily(() => {
      const log = logOf(seed, well, rows, lastRecord(well, filling.end));
      return { log, times: Float64Array.from({ length: rows }, (_, row) => log.time(row)) };
    });
    const time = (row: number): number => series().times[row] ?? 0;
    filler.add({
      dataset,
      well,
      rows,
      key: time,
      record: (row) => ({
        timestamp: time(row),
        data: series().log.channels(row),
      }),
    });
  }
  return rowsOfWells;
}

/** Where depth logs begin: a little above the top of a formation, the same for all wells of a pad. */
const logTop = (seed: number, { padId }: Well, plan: WellPlan): number =>
  Math.floor(plan.formation(2 + (hash(seed, 302, padId) % 5)).depth) - 60;

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
    const plan = new WellPlan(seed, well);
    const depths: DepthLog = { seed: logSeed, plan, top: logTop(seed, well, plan), step };
    filler.add({
      dataset,
      well,
      rows: counts[at] ?? 0,
      scope: { log_identifier: identifier },
      key: (row) => depthAt(depths, row),
      record: (row) => ({
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
  const { filler, dataset, seed } = filling;
  const rowsOfWells = share(filling, (well) => (well.state === 'completions' ? 4 : 1));
  for (const [well, rows] of rowsOfWells) {
    const ended = (well.lastDrillingAt ?? filling.end) + 20 * day;
    const end = well.state === 'completions' ? (well.lastActiveAt ?? filling.end) : ended;
    const log = pumpingLog(seed, well, rows, end);
    filler.add({
      dataset,
      well,
      rows,
      key: (row) => log.time(row),
      record: (row) => ({
        timestamp: log.time(row),
        stage_number: log.stage(row),
        data: log.channels(row),
      }),
    });
  }
  return rowsOfWells;
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
  const rowsOfWells = share({ ...filling, wells }, () => 1);
  for (const [well, rows] of rowsOfWells) {
    const time = (row: number): string => new Date(sensorTime(row, rows, filling.end)).toISOString();
    filler.add({
      dataset,
      well,
      rows,
      key: time,
      record: (row) => ({
        datetime: time(row),
        ...padReading(seed, well, row),
      }),
    });
  }
  return rowsOfWells;
}
