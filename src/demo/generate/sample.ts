import type { JsonObject } from '../../shared/json.ts';
import type { Catalogue, Dataset } from '../data/datasets.ts';
import type { Key } from '../mongo/values.ts';
import { type Well, type World, hasBeenDrilled, isOrdinary } from '../platform/world.ts';
import { hash } from '../random.ts';
import { archivedLog, drillingLog, startDepth } from './drilling.ts';
import {
  type DepthLog,
  depthAt,
  depthChannels,
  padReading,
  pumpingChannels,
  sensorTime,
  stageAt,
  stageTime,
  summaryChannels,
} from './logs.ts';
import {
  WellPlan,
  formation,
  formationsPerWell,
  section,
  sectionsPerWell,
  stageTimes,
  survey,
} from './wells.ts';

const day = 86_400_000;
const stageMs = 5_400_000;
const betweenStagesMs = 7_200_000;
// The maximum share of records that describe wells; the hiddenRows are series, divided as follows.
const referenceShare = 0.2;
const seriesShares = { wits: 0.7, depth: 0.12, completion: 0.08, sensors: 0.06, summary: 0.04 };
// Records that only administrators or the other company see, in addition to the requested number, for each such well.
const recordsOfOthers = 200;

/** The records of one well in a dataset. */
interface Part {
  /** Further values that all of its records share, beside company and asset. */
  readonly scope?: JsonObject;
  readonly key?: (row: number) => Key;
  /** The values of a record that not all records of the well share. */
  readonly record: (row: number) => JsonObject;
}

/** Splits a total by weights into whole parts that add up to it exactly. */
function split(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let assigned = 0;
  let weight = 0;
  return weights.map((part) => {
    weight += part;
    const until = sum === 0 ? 0 : Math.round((total * weight) / sum);
    const mine = until - assigned;
    assigned = until;
    return mine;
  });
}

type Rows = ReadonlyMap<Well, number>;

// The first wells of the list have more data than the last ones.
const fading = (well: Well): number => 1 / (1 + well.index / 40);
/** Rows in all, divided among wells. */
function share(rows: number, wells: readonly Well[], weight: (well: Well) => number): Rows {
  const counts = split(rows, wells.map((well) => weight(well) * fading(well))); // oxfmt-ignore
  return new Map(wells.map((well, at) => [well, counts[at] ?? 0]));
}

/** A value that is made when it is first needed. */
function lazily<T extends object>(make: () => T): () => T {
  let made: T | null = null;
  return () => (made ??= make());
}

/** Adds runs of records to datasets; `end` is the end of the sample, in Unix milliseconds. */
class Sample {
  readonly #seed: number;
  readonly #end: number;
  readonly #runs = new Map<Dataset, number>();

  constructor(seed: number, end: number) {
    this.#seed = seed;
    this.#end = end;
  }

  #add(dataset: Dataset, well: Well, rows: number, { scope, key = () => null, record }: Part): void {
    if (rows <= 0) return;
    const run = this.#runs.get(dataset) ?? 0;
    this.#runs.set(dataset, run + 1);
    const isSeries = dataset.type === 'timeseries';
    const company = { company_id: well.companyId };
    const ids = { ...company, asset_id: well.assetId };
    const { provider, name: collection } = dataset;
    const shared = { ...(isSeries ? company : ids), version: 1, provider, collection };
    dataset.collection.addGenerated({
      scope: isSeries ? { ...company, metadata: ids } : { ...ids, ...scope },
      length: rows,
      idPrefix: `66f0${dataset.id.toString(16).padStart(2, '0')}${run.toString(16).padStart(6, '0')}`,
      key,
      make: (_id, row) => ({ _id, ...shared, ...record(row) }),
    });
  }

  /** Drilling data: active wells have far more of it than older wells. @returns the rows of each well */
  drilling(dataset: Dataset, wells: readonly Well[], total: number): Rows {
    const rowsOfWells = share(total, wells, (well) => (well.state === 'drilling' ? 12 : 3));
    for (const [well, rows] of rowsOfWells) {
      // Rigs of active wells send records, also when they complete or drill out.
      const isActive = well.status === 'active';
      const end = isActive ? this.#end : (well.lastDrillingAt ?? this.#end);
      // Planned when the well is first read: a whole well has thousands of phases.
      const series = lazily(() => {
        const log = (isActive ? drillingLog : archivedLog)(this.#seed, well, rows, end);
        return { log, times: Float64Array.from({ length: rows }, (_, row) => log.time(row)) };
      });
      const key = (row: number): number => series().times[row] ?? 0;
      const record = (row: number): JsonObject => ({ timestamp: key(row), data: series().log.channels(row) });
      this.#add(dataset, well, rows, { key, record });
    }
    return rowsOfWells;
  }

  /** Depth logs. Every third well has two logs over the same depths, which differ only in their identifiers. */
  depths(
    dataset: Dataset,
    wells: readonly Well[],
    total: number,
    step: number,
    channels: (log: DepthLog, depth: number) => JsonObject,
  ): void {
    const seed = this.#seed;
    const all = wells.flatMap((well) => (well.index % 3 === 0 ? [1, 2] : [1]).map((log) => ({ well, log })));
    const counts = split(total, all.map(({ well }) => fading(well))); // oxfmt-ignore
    for (const [at, { well, log }] of all.entries()) {
      const logSeed = hash(seed, 301, well.index, log);
      const hex = (part: number): string => hash(logSeed, dataset.id, part).toString(16).padStart(8, '0');
      const log_identifier = `${hex(1)}${hex(2).slice(0, 4)}`;
      const plan = new WellPlan(seed, well);
      // A little above the top of a formation, the same for all wells of a pad.
      const top = Math.floor(plan.formation(2 + (hash(seed, 302, well.padId) % 5)).depth) - 60;
      const depthLog = { seed: logSeed, plan, top, step };
      const key = (row: number): number => depthAt(depthLog, row);
      this.#add(dataset, well, counts[at] ?? 0, {
        scope: { log_identifier },
        key,
        record: (row) => ({ measured_depth: key(row), log_identifier, data: channels(depthLog, key(row)) }),
      });
    }
  }

  /** Stimulation data by stage. @returns the rows of each well */
  stimulation(dataset: Dataset, wells: readonly Well[], total: number): Rows {
    const rowsOfWells = share(total, wells, (well) => (well.state === 'completions' ? 4 : 1));
    for (const [well, rows] of rowsOfWells) {
      const ended = (well.lastDrillingAt ?? this.#end) + 20 * day;
      const end = well.state === 'completions' ? (well.lastActiveAt ?? this.#end) : ended;
      const key = (row: number): number => stageTime(row, rows, end);
      const record = (row: number): JsonObject => ({
        timestamp: key(row),
        stage_number: stageAt(row),
        data: pumpingChannels(this.#seed, well, row),
      });
      this.#add(dataset, well, rows, { key, record });
    }
    return rowsOfWells;
  }

  /** Readings of the sensors on the pads of active wells. @returns the rows of each well */
  sensors(dataset: Dataset, wells: readonly Well[], total: number): Rows {
    const active = wells.filter((well) => well.status === 'active');
    const rowsOfWells = share(total, active.length > 0 ? active : wells, () => 1);
    for (const [well, rows] of rowsOfWells) {
      const key = (row: number): string => new Date(sensorTime(row, rows, this.#end)).toISOString();
      const record = (row: number): JsonObject => ({
        datetime: key(row),
        ...padReading(this.#seed, well, row),
      });
      this.#add(dataset, well, rows, { key, record });
    }
    return rowsOfWells;
  }

  /** Surveys, formations, sections, and stages of one well after the other, up to a number of records. Returns how many. */
  reference({ samples }: Catalogue, wells: readonly Well[], most: number): number {
    const seed = this.#seed;
    let used = 0;
    for (const well of wells) {
      const stages = well.fleetId === null ? 0 : 12 + (hash(seed, 601, well.index) % 20);
      const needed = 1 + formationsPerWell + sectionsPerWell + stages;
      if (used + needed > most) break;
      used += needed;
      const plan = new WellPlan(seed, well);
      // A well that is being drilled has a survey down to where its log begins.
      const isDrilled = well.status === 'active' && well.state === 'drilling';
      const to = isDrilled ? startDepth(seed, well, plan) : plan.end;
      const firstStage = (well.lastDrillingAt ?? well.createdAt) + 20 * day;
      this.#add(samples.survey, well, 1, { record: () => ({ data: survey(seed, well, plan, to) }) });
      this.#add(samples.formations, well, formationsPerWell, {
        record: (row) => ({ data: formation(well, plan, row) }),
      });
      this.#add(samples.sections, well, sectionsPerWell, { record: (row) => ({ data: section(plan, row) }) });
      this.#add(samples.stageTimes, well, stages, {
        record: (row) => {
          const start = firstStage + row * betweenStagesMs;
          return { stage_number: row + 1, data: stageTimes(seed, well, row + 1, start, start + stageMs) };
        },
      });
    }
    return used;
  }
}

/** The number of rows of each well in the datasets that grow. */
export type SeriesRows = Readonly<Record<'wits' | 'completion' | 'sensors', Rows>>;

/**
 * Fills the datasets with the requested number of records that ordinary keys see, the newest at the end time of the
 * world. The same seed, world, and number give the same records.
 */
export function fillSample(catalogue: Catalogue, world: World, seed: number, records: number): SeriesRows {
  const { samples, northern } = catalogue;
  const sample = new Sample(seed, world.end);
  const wells = world.wells.filter((well) => isOrdinary(well) && hasBeenDrilled(well));
  const described = sample.reference(catalogue, wells, Math.floor(records * referenceShare));
  const counts = split(records - described, Object.values(seriesShares));
  const [wits = 0, depth = 0, completion = 0, sensors = 0, summary = 0] = counts;
  const drilled = sample.drilling(samples.wits, wells, wits);
  sample.depths(samples.depth, wells, depth, 0.5, depthChannels);
  sample.depths(samples.summary, wells, summary, 1, summaryChannels);
  const stimulated = wells.filter((well) => well.fleetId !== null);
  const pumped = sample.stimulation(
    samples.completion,
    stimulated.length > 0 ? stimulated : wells,
    completion,
  );
  const sensed = sample.sensors(samples.sensors, wells, sensors);
  const hidden = world.wells.filter((well) => !isOrdinary(well) && well.visibility !== 'deleted');
  const hiddenRows = Math.min(records, hidden.length * recordsOfOthers);
  sample.drilling(samples.wits, hidden, hiddenRows);
  sample.drilling(northern, hidden, hiddenRows);
  return { wits: drilled, completion: pumped, sensors: sensed };
}
