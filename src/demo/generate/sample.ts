import type { JsonObject } from '../../shared/json.ts';
import { type Catalogue, type Dataset, indexShapes } from '../datasets.ts';
import { type Well, type World, hasBeenDrilled, isOrdinary } from '../platform/world.ts';
import { hash, round, unit, wave } from '../random.ts';
import type { Key } from '../mongo.ts';
import { WellPlan, drillingLog, formations, sections, startDepth, stageTimes, survey } from './wells.ts';

const day = 86_400_000;
const stageMs = 5_400_000;
const betweenStagesMs = 7_200_000;
// The maximum share of records that describe wells; the others are series: drilling, depth,
// stimulation, sensors, and summaries, divided as follows.
const referenceShare = 0.2;
const seriesWeights = [0.7, 0.12, 0.08, 0.06, 0.04];
// Records that only administrators or the other company see, in addition to the requested number, for each such well.
const recordsOfOthers = 200;

/** The records of one well in a dataset. */
interface Part {
  readonly dataset: Dataset;
  readonly well: Well;
  readonly rows: number;
  /** Further values that all of its records share, beside company and asset. */
  readonly scope?: JsonObject;
  /** The value that orders records, which is a field of theirs. */
  readonly key?: (row: number) => Key;
  /** The other values of a record that not all records of the well share. */
  readonly record: (row: number) => JsonObject;
  /** How live data grow: by one row a second, or as often and by as many as this says. */
  readonly growth?: false | { seconds?: number; count?: number; record?: Part['record'] };
}

/** Splits a total by weights into whole parts that add up to it exactly. */
function split(total: number, weights: readonly number[]): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  let weight = 0;
  const bounds = weights.map((part) => Math.round((total * (weight += part)) / (sum || 1)));
  return bounds.map((bound, at) => bound - (bounds[at - 1] ?? 0));
}

/** Makes records of a part, after what comes first in them. A timeseries names the well in its metadata. */
function maker({ dataset: { type, provider, name: collection }, well }: Part) {
  const { keyPath } = indexShapes[type];
  const ids = { company_id: well.company_id, ...(type === 'timeseries' ? {} : { asset_id: well.asset_id }) };
  const shared = { ...ids, version: 1, provider, collection };
  return (first: JsonObject, key: Key, values: JsonObject): JsonObject => {
    const ordered = keyPath === '_id' ? {} : { [keyPath]: key };
    return { ...first, ...shared, ...ordered, ...values };
  };
}

const rowsAhead = 100_000;

/** Adds parts to datasets; `end` is the end of the sample, in Unix milliseconds. */
class Sample {
  readonly parts: Part[] = [];
  readonly #runs = new Map<Dataset, number>();
  readonly #seed: number;
  readonly #end: number;

  constructor(seed: number, end: number) {
    this.#seed = seed;
    this.#end = end;
  }

  add(part: Part): void {
    const { dataset, well, rows, scope, key = () => null, record } = part;
    this.parts.push(part);
    if (rows === 0) return;
    const run = this.#runs.get(dataset) ?? 0;
    this.#runs.set(dataset, run + 1);
    const ids = { company_id: well.company_id, asset_id: well.asset_id };
    const make = maker(part);
    dataset.collection.addGenerated({
      scope: {
        ...(dataset.type === 'timeseries' ? { company_id: ids.company_id, metadata: ids } : ids),
        ...scope,
      },
      length: rows,
      idPrefix: `66f0${dataset.id.toString(16).padStart(2, '0')}${run.toString(16).padStart(6, '0')}`,
      key,
      make: (_id, row) => make({ _id }, key(row), record(row)),
    });
  }

  /** Divides rows among logs of wells by weight: the first wells of the list have more than the last ones. */
  #series(
    dataset: Dataset,
    wells: readonly Well[],
    total: number,
    weight: (well: Well) => number,
    partOf: (well: Well, rows: number, log: 1 | 2) => Omit<Part, 'dataset' | 'well' | 'rows'>,
  ): void {
    const counts = split(total, wells.map((well) => weight(well) / (1 + well.index / 40))); // oxfmt-ignore
    for (const [at, well] of wells.entries()) {
      const rows = counts[at] ?? 0;
      this.add({ dataset, well, rows, ...partOf(well, rows, wells[at - 1] === well ? 2 : 1) });
    }
  }

  /** Drilling data, one record per second: active wells have far more of it than older wells. */
  drilling(dataset: Dataset, wells: readonly Well[], total: number): void {
    const weight = ({ state }: Well): number => (state === 'drilling' ? 12 : 3);
    this.#series(dataset, wells, total, weight, (well, rows) => {
      // Rigs of active wells send records, also when they complete or drill out.
      const isActive = well.status === 'active';
      const end = isActive ? this.#end : (well.lastDrillingAt ?? this.#end);
      // Planned when the well is first read: a whole well has thousands of phases.
      const log = once(() => drillingLog(this.#seed, well, rows, end, !isActive));
      const times = once(() => Float64Array.from({ length: rows }, (_, row) => log().time(row)));
      const ahead = once(() => drillingLog(this.#seed, well, rows + rowsAhead, end, false));
      return {
        key: (row) => times()[row] ?? 0,
        record: (row) => ({ data: log().channels(row) }),
        growth: isActive && {
          record: (row) => ({ data: ahead().channels(rows + ((row - rows) % rowsAhead)) }),
        },
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
    const all = wells.flatMap((well) => (well.index % 3 === 0 ? [well, well] : [well]));
    this.#series(dataset, all, total, () => 1, (well, _rows, log) => {
      const logSeed = hash(seed, 301, well.index, log);
      const hex = (part: number): string => hash(logSeed, dataset.id, part).toString(16).padStart(8, '0');
      const scope = { log_identifier: `${hex(1)}${hex(2).slice(0, 4)}` };
      const plan = new WellPlan(seed, well);
      // A little above the top of a formation, the same for all wells of a pad.
      const top = Math.floor(plan.formation(2 + (hash(seed, 302, well.pad) % 5)).depth) - 60;
      const key = (row: number): number => round(top + row * step, 2);
      return { scope, key, record: (row) => ({ ...scope, data: channels(logSeed, plan, key(row)) }) };
    }); // oxfmt-ignore
  }

  /** Stimulation data by stage, one record per second; the last record is at the end. */
  stimulation(dataset: Dataset, wells: readonly Well[], total: number): void {
    const isPumping = ({ state }: Well): boolean => state === 'completions';
    const weight = (well: Well): number => (isPumping(well) ? 4 : 1);
    this.#series(dataset, wells, total, weight, (well, rows) => {
      const ended = (well.lastDrillingAt ?? this.#end) + 20 * day;
      const end = isPumping(well) ? (well.lastActiveAt ?? this.#end) : ended;
      return {
        key: (row) => end - (rows - 1 - row) * 1000 - (stageAt(rows - 1) - stageAt(row)) * stageMs,
        record: (row) => pumping(this.#seed, well, row),
        growth: isPumping(well) && {},
      };
    });
  }

  /** Readings of the sensors on the pads of active wells. */
  sensors(dataset: Dataset, wells: readonly Well[], total: number): void {
    const active = wells.filter(({ status }) => status === 'active');
    this.#series(dataset, active.length > 0 ? active : wells, total, () => 1, (well, rows) => ({
      key: (row) => {
        const later = Math.ceil(rows / sensorsPerPad) - 1 - Math.floor(row / sensorsPerPad);
        return new Date(this.#end - later * sensorSeconds * 1000).toISOString();
      },
      record: (row) => padReading(this.#seed, well, row),
      // A time that has only some sensors is complete.
      growth: well.status === 'active' && { seconds: sensorSeconds, count: sensorsPerPad },
    })); // oxfmt-ignore
  }

  /** Surveys, formations, sections, and stages of one well after the other, up to a number of records. */
  reference({ samples }: Catalogue, wells: readonly Well[], most: number): void {
    const seed = this.#seed;
    let used = 0;
    for (const well of wells) {
      const stages = well.frac_fleet === null ? 0 : 12 + (hash(seed, 601, well.index) % 20);
      const plan = new WellPlan(seed, well);
      const [tops, holes] = [formations(well, plan), sections(plan)];
      used += 1 + tops.length + holes.length + stages;
      if (used > most) return;
      // A well that is being drilled has a survey down to where its log begins.
      const isDrilled = well.status === 'active' && well.state === 'drilling';
      const to = isDrilled ? startDepth(seed, well, plan) : plan.end;
      const firstStage = (well.lastDrillingAt ?? well.createdAt) + 20 * day;
      const add = (dataset: Dataset, rows: number, record: Part['record']): void =>
        this.add({ dataset, well, rows, record });
      add(samples.survey, 1, () => ({ data: survey(seed, well, plan, to) }));
      // Each time another object: pipelines change what they read.
      add(samples.formations, tops.length, (row) => ({ data: { ...tops[row] } }));
      add(samples.sections, holes.length, (row) => ({ data: { ...holes[row] } }));
      add(samples.stageTimes, stages, (row) => {
        const start = firstStage + row * betweenStagesMs;
        return { stage_number: row + 1, data: stageTimes(seed, well, row + 1, start, start + stageMs) };
      });
    }
  }
}

/** A value that is made when it is first needed. */
function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/**
 * Fills the datasets with the requested number of records that ordinary keys see, the newest at the end time of the
 * world. The same seed, world, and number give the same records.
 * @returns what was added
 */
export function fillSample(catalogue: Catalogue, world: World, seed: number, records: number): Part[] {
  const { samples } = catalogue;
  const sample = new Sample(seed, world.end);
  const wells = world.wells.filter((well) => isOrdinary(well) && hasBeenDrilled(well));
  sample.reference(catalogue, wells, Math.floor(records * referenceShare));
  const left = records - sample.parts.reduce((sum, { rows }) => sum + rows, 0);
  const [wits = 0, depth = 0, completion = 0, sensors = 0, summary = 0] = split(left, seriesWeights);
  sample.drilling(samples.wits, wells, wits);
  sample.depths(samples.depth, wells, depth, 0.5, depthChannels);
  sample.depths(samples.summary, wells, summary, 1, summaryChannels);
  const stimulated = wells.filter((well) => well.frac_fleet !== null);
  sample.stimulation(samples.completion, stimulated.length > 0 ? stimulated : wells, completion);
  sample.sensors(samples.sensors, wells, sensors);
  const unseen = world.wells.filter((well) => !isOrdinary(well) && well.visibility !== 'deleted');
  const hiddenRows = Math.min(records, unseen.length * recordsOfOthers);
  sample.drilling(samples.wits, unseen, hiddenRows);
  sample.drilling(samples.northern, unseen, hiddenRows);
  return sample.parts;
}

/**
 * Adds records to the active wells where their data end.
 * @param start when they end, in Unix milliseconds
 * @returns a function that stops it
 */
export function startGrowing(parts: readonly Part[], start: number): () => void {
  const byDataset = Map.groupBy(parts, ({ dataset }) => dataset);
  let written = 0;
  const timer = setInterval(() => {
    // A timer may be late; all records that are due by now are added.
    for (const due = Math.floor((Date.now() - start) / 1000); written < due;) {
      written += 1;
      const time = start + written * 1000;
      for (const [dataset, all] of byDataset) {
        const key = dataset.type === 'timeseries' ? new Date(time).toISOString() : time;
        const added = all.flatMap((part) =>
          grown(part, written).map((values) => maker(part)({}, key, values)),
        );
        if (added.length > 0) dataset.collection.insert(added);
      }
    }
  }, 1000);
  timer.unref();
  return () => clearInterval(timer);
}

/** The values that a second adds to a part; seconds count from 1. */
function grown({ rows, record: usual, growth }: Part, second: number): JsonObject[] {
  const { seconds = 1, count = 1, record = usual } = growth || {};
  if (!growth || second % seconds !== 0) return [];
  const first = (Math.ceil(rows / count) + second / seconds - 1) * count;
  return Array.from({ length: count }, (_, at) => record(first + at));
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
  for (const [channel, [name, spread, decimals, usual]] of summarized.entries()) {
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

/** The channels of a summary: spread, decimals, and mean, around which those of the rock vary less. */
const summarized = [
  ['rop', 40, 1, (plan: WellPlan, depth: number) => plan.rate(depth)],
  ['weight_on_bit', 8, 1, 27],
  ['rotary_torque', 4, 1, 13],
  ['standpipe_pressure', 250, 0, (_plan: WellPlan, depth: number) => 2600 + depth * 0.06],
  ['gamma_ray', 25, 0, (plan: WellPlan, depth: number) => plan.gamma(depth)],
] as const;

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
function padReading(sampleSeed: number, { company_id, asset_id, index }: Well, row: number): JsonObject {
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
  const metadata = { company_id, asset_id, sensor: `node-${String(sensor + 1)}` };
  return { metadata, data };
}
