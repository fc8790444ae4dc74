import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { hash, round, unit, wave } from '../random.ts';
import type { Phase } from './activity.ts';

const missing = -999.25;
const channelCount = 11;

/** One record per second of a well's drilling, computed from the phase of its row. */
export class DrillingLog {
  readonly #phases: readonly Phase[];
  readonly #seed: number;
  // A seed for the slow movement of each channel.
  readonly #drifts: readonly number[];
  #last = 0;

  constructor(seed: number, phases: readonly Phase[]) {
    this.#seed = seed;
    this.#drifts = Array.from({ length: channelCount }, (_, channel) => hash(seed, channel));
    this.#phases = phases;
  }

  /** The time of a row in Unix milliseconds. */
  time(row: number): number {
    const phase = this.#phase(row);
    return phase.start + (row - phase.from) * 1000;
  }

  /** The channels of a row; units are ft, ft/h, klbf, rpm, ft·klbf, psi, gal/min, spm, bbl and API. */
  channels(row: number): JsonObject {
    const phase = this.#phase(row);
    const share = phase.rows <= 1 ? 1 : (row - phase.from) / phase.rows;
    const hole = along(phase.hole, share);
    const bit = along(phase.bit, share);
    const noise = (channel: number): number => unit(this.#seed, row, channel) - 0.5;
    const drift = (channel: number, at = row, period = 240): number =>
      wave(this.#drifts[channel] ?? 0, at, period);
    const drilling = phase.state === 'Rotary Drilling' || phase.state === 'Slide Drilling';
    const flow = phase.pumping ? 580 + drift(1) * 18 + noise(1) * 6 : 0;
    const rpm = phase.rotating ? 72 + drift(2) * 14 + noise(2) * 4 : 0;
    const weight = drilling ? 26 + drift(3) * 9 + noise(3) * 2 : 0;
    const slips = phase.state === 'In Slips';
    const rate = drilling ? ((phase.hole[1] - phase.hole[0]) / phase.rows) * 3600 : 0;
    return {
      hole_depth: round(hole, 1),
      bit_depth: round(bit, 1),
      block_height: round(along(phase.block, share), 1),
      rop: round(rate * (1 + drift(4) * 0.25 + noise(4) * 0.1), 1),
      weight_on_bit: round(Math.max(0, weight), 1),
      hook_load: round(slips ? 42 + noise(5) : 90 + bit * 0.0105 - weight + drift(5) * 3, 1),
      rotary_rpm: Math.round(rpm),
      rotary_torque: round(rpm === 0 ? 0 : 9 + weight * 0.2 + drift(6) * 2, 1),
      standpipe_pressure: Math.round(flow === 0 ? 15 + noise(7) * 10 : 2600 + bit * 0.06 + drift(7) * 90),
      diff_press: this.#gappy(row, 8, drilling ? Math.round(280 + drift(8) * 80) : 0),
      mud_flow_in: Math.round(flow),
      pump_spm_total: Math.round(flow / 4.42),
      gamma_ray: phase.dropout ? missing : Math.round(78 + drift(9, hole, 12) * 45 + noise(9) * 6),
      active_pit_volume: round(700 + drift(10, row, 3000) * 40, 1),
      state: phase.state,
    };
  }

  // Some values are missing, in the ways that services represent it.
  #gappy(row: number, channel: number, value: number): JsonValue {
    const chance = unit(this.#seed, row, channel + 100);
    if (chance < 0.004) return null;
    return chance < 0.007 ? missing : value;
  }

  #phase(row: number): Phase {
    const near = this.#phases[this.#last];
    if (near && row >= near.from && row < near.from + near.rows) return near;
    let low = 0;
    let high = this.#phases.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#phases[middle]?.from ?? 0) <= row) low = middle;
      else high = middle - 1;
    }
    this.#last = low;
    const phase = this.#phases[low];
    if (!phase) throw new Error('a drilling log without phases');
    return phase;
  }
}

function along([from, to]: readonly [number, number], share: number): number {
  return from + (to - from) * share;
}
