import type { JsonObject } from '../../shared/json.ts';
import { hash, round, unit, wave } from '../random.ts';

/** A depth log: evenly spaced records from a top depth down, in feet. */
export interface DepthLog {
  readonly seed: number;
  readonly top: number;
  readonly step: number;
}

export function depthAt(log: DepthLog, row: number): number {
  return round(log.top + row * log.step, 2);
}

/** Averages for each foot of hole, as in `drilling.wits.depth`. */
export function depthChannels({ seed }: DepthLog, depth: number): JsonObject {
  const at = (channel: number, period: number): number => wave(hash(seed, channel), depth, period);
  const dropped = unit(seed, Math.round(depth * 10), 1) < 0.01;
  return {
    dep: depth,
    tvd: round(Math.min(depth, 9_000 + (depth - 9_000) * 0.08), 1),
    ropa: round(140 + at(1, 60) * 70, 1),
    wobavg: round(27 + at(2, 40) * 8, 1),
    hkldav: Math.round(180 + depth * 0.001 + at(3, 90) * 6),
    rpmsavg: Math.round(74 + at(4, 120) * 12),
    tqabav: round(13 + at(5, 35) * 4, 1),
    sppavg: Math.round(3300 + at(6, 200) * 220),
    ghcavg: dropped ? -999.25 : Math.round(40 + at(7, 25) * 32),
  };
}

/** Minimum, maximum, and mean for each foot of hole, as in `wits.summary-1ft`. */
export function summaryChannels({ seed }: DepthLog, depth: number): JsonObject {
  const data: JsonObject = {};
  for (const [channel, [name, usual, spread, decimals]] of summarised.entries()) {
    const mean = usual + wave(hash(seed, channel, 50), depth, 45) * spread;
    const width = spread * (0.1 + unit(seed, Math.round(depth), channel) * 0.3);
    data[`${name}_min`] = round(mean - width, decimals);
    data[`${name}_max`] = round(mean + width, decimals);
    data[`${name}_mean`] = round(mean, decimals);
  }
  return data;
}

const summarised: readonly (readonly [name: string, usual: number, spread: number, decimals: number])[] = [
  ['rop', 140, 60, 1],
  ['weight_on_bit', 27, 8, 1],
  ['rotary_torque', 13, 4, 1],
  ['standpipe_pressure', 3300, 250, 0],
  ['gamma_ray', 80, 45, 0],
];
