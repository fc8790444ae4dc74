import type { JsonObject } from '../../shared/json.ts';
import { hash, round, unit, wave } from '../random.ts';
import type { WellPlan } from './well-plan.ts';

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
