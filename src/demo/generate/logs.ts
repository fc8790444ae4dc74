import type { JsonObject } from '../../shared/json.ts';
import type { Well } from '../platform/world.ts';
import { hash, round, unit, wave } from '../random.ts';
import type { WellPlan } from './wells.ts';

/** A depth log: evenly spaced records from a top depth down, in feet. */
export interface DepthLog {
  readonly seed: number;
  readonly plan: WellPlan;
  readonly top: number;
  readonly step: number;
}

export function depthAt(log: DepthLog, row: number): number {
  return round(log.top + row * log.step, 2);
}

/** Averages for each foot of hole, as in `drilling.wits.depth`. */
export function depthChannels({ seed, plan }: DepthLog, depth: number): JsonObject {
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
export function summaryChannels({ seed, plan }: DepthLog, depth: number): JsonObject {
  const data: JsonObject = {};
  const rock: Readonly<Record<string, number>> = {
    rop: plan.rate(depth),
    standpipe_pressure: 2600 + depth * 0.06,
    gamma_ray: plan.gamma(depth),
  };
  for (const [channel, [name, common, spread, decimals]] of summarised.entries()) {
    const usual = rock[name] ?? common;
    const mean = usual + wave(hash(seed, channel, 50), depth, 45) * spread * (name in rock ? 0.15 : 1);
    const width = spread * (0.1 + unit(seed, Math.round(depth), channel) * 0.3);
    data[`${name}_min`] = round(mean - width, decimals);
    data[`${name}_max`] = round(mean + width, decimals);
    data[`${name}_mean`] = round(mean, decimals);
  }
  return data;
}

const summarised: readonly (readonly [name: string, common: number, spread: number, decimals: number])[] = [
  ['rop', 140, 40, 1],
  ['weight_on_bit', 27, 8, 1],
  ['rotary_torque', 13, 4, 1],
  ['standpipe_pressure', 3300, 250, 0],
  ['gamma_ray', 80, 25, 0],
];

/** Seconds of pumping in a stage, and the pause before the next one, in the sample. */
const stageRows = 1_200;
const pauseMs = 5_400_000;

/** The stage of a row, from 1: stages are pumped one after the other, one record per second. */
export const stageAt = (row: number): number => Math.floor(row / stageRows) + 1;

/** The time of a row in Unix milliseconds; the last one is at `end`. */
export const stageTime = (row: number, rows: number, end: number): number =>
  end - (rows - 1 - row) * 1000 - (stageAt(rows - 1) - stageAt(row)) * pauseMs;

/**
 * Stimulation data of a well. Rates in bbl/min, pressures in psi, volumes in bbl, concentrations in lb/gal, masses in lb.
 */
export function pumpingChannels(sampleSeed: number, { index }: Well, row: number): JsonObject {
  const seed = hash(sampleSeed, 401, index);
  const second = row % stageRows;
  const ramp = Math.min(1, second / 180) * Math.min(1, (stageRows - second) / 40);
  const drift = wave(hash(seed, stageAt(row)), second, 90);
  const sand = second < 300 ? 0 : Math.min(3, Math.floor((second - 300) / 180) * 0.5 + 0.25);
  const rate = ramp * (84 + drift * 3);
  return {
    elapsed_time: second,
    wellhead_pressure: Math.round(1200 + ramp * (7600 + drift * 400 + unit(seed, row) * 40)),
    slurry_flow_rate_in: round(rate, 1),
    clean_flow_rate_in: round(rate * (1 - sand * 0.044), 1),
    total_slurry_volume_in: Math.round((84 / 60) * Math.max(0, second - 90)),
    total_proppant_concentration: round(sand * ramp, 2),
    total_proppant_mass: Math.round(Math.max(0, second - 300) ** 1.2 * 55),
    friction_reducer: unit(seed, row, 7) < 0.003 ? null : round(ramp * (0.7 + drift * 0.1), 2),
  };
}

/** Sensors on a pad. They report together, so that each time occurs once for each sensor. */
export const sensorsPerPad = 3;
/** Seconds between two readings of a sensor. */
export const sensorSeconds = 10;
const intervalMs = sensorSeconds * 1000;

/** The time of a row in Unix milliseconds; the last one is at `end`. */
export function sensorTime(row: number, rows: number, end: number): number {
  return end - (Math.ceil(rows / sensorsPerPad) - 1 - Math.floor(row / sensorsPerPad)) * intervalMs;
}

/** °C, m/s, hPa and ppm. */
function sensorReading(seed: number, row: number): JsonObject {
  const at = Math.floor(row / sensorsPerPad);
  const sensor = row % sensorsPerPad;
  return {
    temperature: round(14 + wave(seed, at, 2_000) * 11 + sensor * 0.2 + unit(seed, row) * 0.2, 1),
    wind_speed: round(Math.abs(6 + wave(hash(seed, 1), at, 90) * 5), 1),
    pressure: round(1012 + wave(hash(seed, 2), at, 6_000) * 9, 1),
    methane:
      unit(seed, row, 3) < 0.01
        ? null
        : round(2 + Math.max(0, wave(hash(seed, 4, sensor), at, 40) - 0.8) * 60, 2),
  };
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
