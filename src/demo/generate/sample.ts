import type { JsonObject } from '../../shared/json.ts';
import { type Catalogue, type Dataset, indexShapes } from '../data/datasets.ts';
import { type Well, type World, hasBeenDrilled, isOrdinary } from '../platform/world.ts';
import { hash, round, unit, wave } from '../random.ts';
import type { Key } from '../mongo/pipeline.ts';
import { archivedLog, drillingLog, startDepth } from './drilling.ts';
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
// The maximum share of records that describe wells; the others are series, divided as follows.
const referenceShare = 0.2;
const seriesShares = { wits: 0.7, depth: 0.12, completion: 0.08, sensors: 0.06, summary: 0.04 };
// Records that only administrators or the other company see, in addition to the requested number, for each such well.
const recordsOfOthers = 200;

/** The records of one well in a dataset. */
interface Part {
  /** Further values that all of its records share, beside company and asset. */
  readonly scope?: JsonObject;
  /** The value that orders records, which is a field of theirs. */
  readonly key?: (row: number) => Key;
  /** The other values of a record that not all records of the well share. */
  readonly record: (row: number) => JsonObject;
}

/** Splits a total by weights into whole parts that add up to it exactly. */
function split(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let weight = 0;
  const bounds = weights.map((part) => Math.round((total * (weight += part)) / (sum || 1)));
  return bounds.map((bound, at) => bound - (bounds[at - 1] ?? 0));
}

type Rows = ReadonlyMap<Well, number>;

// The first wells of the list have more data than the last ones.
const fading = (well: Well): number => 1 / (1 + well.index / 40);

/** The values that all records of a well in a dataset share; a timeseries names the well in its metadata. */
const envelope = ({ type, provider, name: collection }: Dataset, well: Well): JsonObject => ({
  company_id: well.companyId,
  ...(type === 'timeseries' ? {} : { asset_id: well.assetId }),
  version: 1,
  provider,
  collection,
});

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
    const shared = envelope(dataset, well);
    const ids = { company_id: well.companyId, asset_id: well.assetId };
    const { keyPath } = indexShapes[dataset.type];
    dataset.collection.addGenerated({
      scope: dataset.type === 'timeseries' ? { ...shared, metadata: ids } : { ...ids, ...scope },
      length: rows,
      idPrefix: `66f0${dataset.id.toString(16).padStart(2, '0')}${run.toString(16).padStart(6, '0')}`,
      key,
      make: (_id, row) => {
        const ordered = keyPath === '_id' ? {} : { [keyPath]: key(row) };
        return { _id, ...shared, ...ordered, ...record(row) };
      },
    });
  }

  /** Divides rows among wells by weight. @returns the rows of each well */
  #series(
    dataset: Dataset,
    wells: readonly Well[],
    total: number,
    weight: (well: Well) => number,
    partOf: (well: Well, rows: number) => Part,
  ): Rows {
    const counts = split(total, wells.map((well) => weight(well) * fading(well))); // oxfmt-ignore
    const rowsOf = new Map(wells.map((well, at) => [well, counts[at] ?? 0]));
    for (const [well, rows] of rowsOf) this.#add(dataset, well, rows, partOf(well, rows));
    return rowsOf;
  }

  /** Drilling data: active wells have far more of it than older wells. */
  drilling(dataset: Dataset, wells: readonly Well[], total: number): Rows {
    const weight = ({ state }: Well): number => (state === 'drilling' ? 12 : 3);
    return this.#series(dataset, wells, total, weight, (well, rows) => {
      // Rigs of active wells send records, also when they complete or drill out.
      const isActive = well.status === 'active';
      const end = isActive ? this.#end : (well.lastDrillingAt ?? this.#end);
      const make = () => {
        const log = (isActive ? drillingLog : archivedLog)(this.#seed, well, rows, end);
        return { log, times: Float64Array.from({ length: rows }, (_, row) => log.time(row)) };
      };
      // Planned when the well is first read: a whole well has thousands of phases.
      let made: ReturnType<typeof make> | undefined;
      const series = () => (made ??= make());
      return {
        key: (row) => series().times[row] ?? 0,
        record: (row) => ({ data: series().log.channels(row) }),
      };
    });
  }

  /** Depth logs. Every third well has two logs over the same depths, which differ only in their identifiers. */
  depths(
    dataset: Dataset,
    wells: readonly Well[],
    total: number,
    step: number,
    channels: typeof depthChannels,
  ): void {
    const seed = this.#seed;
    const all = wells.flatMap((well) => (well.index % 3 === 0 ? [1, 2] : [1]).map((log) => ({ well, log })));
    const counts = split(total, all.map(({ well }) => fading(well))); // oxfmt-ignore
    for (const [at, { well, log }] of all.entries()) {
      const logSeed = hash(seed, 301, well.index, log);
      const hex = (part: number): string => hash(logSeed, dataset.id, part).toString(16).padStart(8, '0');
      const scope = { log_identifier: `${hex(1)}${hex(2).slice(0, 4)}` };
      const plan = new WellPlan(seed, well);
      // A little above the top of a formation, the same for all wells of a pad.
      const top = Math.floor(plan.formation(2 + (hash(seed, 302, well.padId) % 5)).depth) - 60;
      const key = (row: number): number => round(top + row * step, 2);
      const record = (row: number): JsonObject => ({ ...scope, data: channels(logSeed, plan, key(row)) });
      this.#add(dataset, well, counts[at] ?? 0, { scope, key, record });
    }
  }

  /** Stimulation data by stage. */
  stimulation(dataset: Dataset, wells: readonly Well[], total: number): Rows {
    const isPumping = ({ state }: Well): boolean => state === 'completions';
    const weight = (well: Well): number => (isPumping(well) ? 4 : 1);
    return this.#series(dataset, wells, total, weight, (well, rows) => {
      const ended = (well.lastDrillingAt ?? this.#end) + 20 * day;
      const end = isPumping(well) ? (well.lastActiveAt ?? this.#end) : ended;
      return {
        // Stages are pumped one after the other, one record per second; the last record is at the end.
        key: (row) => end - (rows - 1 - row) * 1000 - (stageAt(rows - 1) - stageAt(row)) * stageMs,
        record: (row) => pumping(this.#seed, well, row),
      };
    });
  }

  /** Readings of the sensors on the pads of active wells. */
  sensors(dataset: Dataset, wells: readonly Well[], total: number): Rows {
    const active = wells.filter(({ status }) => status === 'active');
    return this.#series(dataset, active.length > 0 ? active : wells, total, () => 1, (well, rows) => ({
      key: (row) => {
        const later = Math.ceil(rows / sensorsPerPad) - 1 - Math.floor(row / sensorsPerPad);
        return new Date(this.#end - later * sensorSeconds * 1000).toISOString();
      },
      record: (row) => padReading(this.#seed, well, row),
    })); // oxfmt-ignore
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
      const add = (dataset: Dataset, rows: number, record: Part['record']): void =>
        this.#add(dataset, well, rows, { record });
      add(samples.survey, 1, () => ({ data: survey(seed, well, plan, to) }));
      add(samples.formations, formationsPerWell, (row) => ({ data: formation(well, plan, row) }));
      add(samples.sections, sectionsPerWell, (row) => ({ data: section(plan, row) }));
      add(samples.stageTimes, stages, (row) => {
        const start = firstStage + row * betweenStagesMs;
        return { stage_number: row + 1, data: stageTimes(seed, well, row + 1, start, start + stageMs) };
      });
    }
    return used;
  }
}

/** The number of rows of each well in the datasets that grow. */
type SeriesRows = Readonly<Record<'wits' | 'completion' | 'sensors', Rows>>;

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
  const [witsRows = 0, depth = 0, completionRows = 0, sensorRows = 0, summary = 0] = counts;
  const wits = sample.drilling(samples.wits, wells, witsRows);
  sample.depths(samples.depth, wells, depth, 0.5, depthChannels);
  sample.depths(samples.summary, wells, summary, 1, summaryChannels);
  const stimulated = wells.filter((well) => well.fleetId !== null);
  const pumped = stimulated.length > 0 ? stimulated : wells;
  const completion = sample.stimulation(samples.completion, pumped, completionRows);
  const sensors = sample.sensors(samples.sensors, wells, sensorRows);
  const unseen = world.wells.filter((well) => !isOrdinary(well) && well.visibility !== 'deleted');
  const hiddenRows = Math.min(records, unseen.length * recordsOfOthers);
  sample.drilling(samples.wits, unseen, hiddenRows);
  sample.drilling(northern, unseen, hiddenRows);
  return { wits, completion, sensors };
}

const rowsAhead = 100_000;

/**
 * Adds records to the active wells where their data end, at the end time of the world: drilling and stimulation data
 * each second, readings of sensors every ten seconds.
 * @param filled number of rows that each well has at the start
 * @returns a function that stops it
 */
export function startGrowing(
  { samples }: Catalogue,
  world: World,
  seed: number,
  filled: SeriesRows,
): () => void {
  const start = world.end;
  const active = world.wells.filter(({ status }) => status === 'active');
  const rowsOf = (name: keyof SeriesRows, well: Well): number => filled[name].get(well) ?? 0;
  const logs = new Map(
    active.map((well) => [well, drillingLog(seed, well, rowsOf('wits', well) + rowsAhead, start)]),
  );
  /** The records that a second adds to a dataset for a well. Seconds count from 1 at the start. */
  const growths: readonly (readonly [Dataset, (well: Well, second: number) => JsonObject[]])[] = [
    [
      samples.wits,
      (well, second) => {
        const row = rowsOf('wits', well) + ((second - 1) % rowsAhead);
        return [{ timestamp: start + second * 1000, data: logs.get(well)?.channels(row) ?? {} }];
      },
    ],
    [
      samples.completion,
      (well, second) => {
        if (well.state !== 'completions') return [];
        const row = rowsOf('completion', well) + second - 1;
        return [{ timestamp: start + second * 1000, ...pumping(seed, well, row) }];
      },
    ],
    [
      samples.sensors,
      (well, second) => {
        if (second % sensorSeconds !== 0) return [];
        // Sensors report together; a time that has only some of them is complete.
        const first = Math.ceil(rowsOf('sensors', well) / sensorsPerPad) + second / sensorSeconds - 1;
        const datetime = new Date(start + second * 1000).toISOString();
        const rows = Array.from({ length: sensorsPerPad }, (_, sensor) => first * sensorsPerPad + sensor);
        return rows.map((row) => ({ datetime, ...padReading(seed, well, row) }));
      },
    ],
  ];
  let written = 0;
  const timer = setInterval(() => {
    // A timer may be late; all records that are due by now are added.
    for (const due = Math.floor((Date.now() - start) / 1000); written < due;) {
      written += 1;
      for (const [dataset, recordsOf] of growths) {
        const added = active.flatMap((well) =>
          recordsOf(well, written).map((record) => ({ ...envelope(dataset, well), ...record })),
        );
        if (added.length > 0) dataset.collection.insert(added);
      }
    }
  }, 1000);
  timer.unref();
  return () => clearInterval(timer);
}

/** Averages for each foot of hole, as in `drilling.wits.depth`. */
function depthChannels(seed: number, plan: WellPlan, depth: number): JsonObject {
  const at = (channel: number, period: number): number => wave(hash(seed, channel), depth, period);
  const dropped = unit(seed, Math.round(depth * 10), 1) < 0.01;
  return {
    dep: depth,
    tvd: round(plan.at(depth).tvd, 1),
    ropa: round(plan.rate(depth) * (0.95 + at(1, 30) * 0.08), 1),
    wobavg: round(27 + at(2, 40) * 8, 1),
    hkldav: Math.round(70 + depth * 0.0105 + at(3, 90) * 4),
    rpmsavg: Math.round(74 + at(4, 120) * 12),
    tqabav: round(13 + at(5, 35) * 4, 1),
    sppavg: Math.round(2600 + depth * 0.06 + at(6, 200) * 90),
    ghcavg: dropped ? -999.25 : Math.round(plan.gamma(depth) + at(7, 3) * 5),
  };
}

/** Minimum, maximum, and mean for each foot of hole, as in `wits.summary-1ft`. */
function summaryChannels(seed: number, plan: WellPlan, depth: number): JsonObject {
  const data: JsonObject = {};
  for (const [channel, { name, mean: usual, spread, decimals }] of summarized.entries()) {
    const isOfRock = typeof usual === 'function';
    const drift = wave(hash(seed, channel, 50), depth, 45) * spread * (isOfRock ? 0.15 : 1);
    const mean = (isOfRock ? usual(plan, depth) : usual) + drift;
    const width = spread * (0.1 + unit(seed, Math.round(depth), channel) * 0.3);
    data[`${name}_min`] = round(mean - width, decimals);
    data[`${name}_max`] = round(mean + width, decimals);
    data[`${name}_mean`] = round(mean, decimals);
  }
  return data;
}

/** The channels of a summary; those that depend on the rock vary less around their means. */
const summarized: readonly {
  readonly name: string;
  readonly mean: number | ((plan: WellPlan, depth: number) => number);
  readonly spread: number;
  readonly decimals: number;
}[] = [
  { name: 'rop', mean: (plan, depth) => plan.rate(depth), spread: 40, decimals: 1 },
  { name: 'weight_on_bit', mean: 27, spread: 8, decimals: 1 },
  { name: 'rotary_torque', mean: 13, spread: 4, decimals: 1 },
  { name: 'standpipe_pressure', mean: (_plan, depth) => 2600 + depth * 0.06, spread: 250, decimals: 0 },
  { name: 'gamma_ray', mean: (plan, depth) => plan.gamma(depth), spread: 25, decimals: 0 },
];

/** Seconds of pumping in a stage; stages are pumped one after the other, one record per second. */
const stageRows = 1_200;
/** The stage of a row, from 1. */
const stageAt = (row: number): number => Math.floor(row / stageRows) + 1;

/**
 * Stimulation data of a well. Rates in bbl/min, pressures in psi, volumes in bbl, concentrations in lb/gal, masses in lb.
 */
function pumping(sampleSeed: number, { index }: Well, row: number): JsonObject {
  const seed = hash(sampleSeed, 401, index);
  const second = row % stageRows;
  const ramp = Math.min(1, second / 180) * Math.min(1, (stageRows - second) / 40);
  const drift = wave(hash(seed, stageAt(row)), second, 90);
  const sand = second < 300 ? 0 : Math.min(3, Math.floor((second - 300) / 180) * 0.5 + 0.25);
  const rate = ramp * (84 + drift * 3);
  const data = {
    elapsed_time: second,
    wellhead_pressure: Math.round(1200 + ramp * (7600 + drift * 400 + unit(seed, row) * 40)),
    slurry_flow_rate_in: round(rate, 1),
    clean_flow_rate_in: round(rate * (1 - sand * 0.044), 1),
    total_slurry_volume_in: Math.round((84 / 60) * Math.max(0, second - 90)),
    total_proppant_concentration: round(sand * ramp, 2),
    total_proppant_mass: Math.round(Math.max(0, second - 300) ** 1.2 * 55),
    friction_reducer: unit(seed, row, 7) < 0.003 ? null : round(ramp * (0.7 + drift * 0.1), 2),
  };
  return { stage_number: stageAt(row), data };
}

/** Sensors on a pad. They report together, so that each time occurs once for each sensor. */
const sensorsPerPad = 3;
/** Seconds between two readings of a sensor. */
const sensorSeconds = 10;

/** One reading of a well's pad, in °C, m/s, hPa and ppm. */
function padReading(sampleSeed: number, { companyId, assetId, index }: Well, row: number): JsonObject {
  const seed = hash(sampleSeed, 501, index);
  const at = Math.floor(row / sensorsPerPad);
  const sensor = row % sensorsPerPad;
  const leak = Math.max(0, wave(hash(seed, 4, sensor), at, 40) - 0.8);
  const data = {
    temperature: round(14 + wave(seed, at, 2_000) * 11 + sensor * 0.2 + unit(seed, row) * 0.2, 1),
    wind_speed: round(Math.abs(6 + wave(hash(seed, 1), at, 90) * 5), 1),
    pressure: round(1012 + wave(hash(seed, 2), at, 6_000) * 9, 1),
    methane: unit(seed, row, 3) < 0.01 ? null : round(2 + leak * 60, 2),
  };
  const metadata = { company_id: companyId, asset_id: assetId, sensor: `node-${String(sensor + 1)}` };
  return { metadata, data };
}
