import type { JsonObject, JsonValue } from '../../shared/json.ts';
import { hash, round, unit, wave } from '../random.ts';
import type { Phase } from './activity.ts';
import type { WellPlan } from './well-plan.ts';

const missing = -999.25;
const channelCount = 11;

/** Which seconds of the phases have a row: each, or those that an archive kept. */
interface Sampling {
  /** The first of them. */
  readonly first: number;
  readonly interval: number;
}
const eachSecond: Sampling = { first: 0, interval: 1 };

/** Records of a well's drilling, computed from the phases of the rig and the plan of the well. */
export class DrillingLog {
  readonly #phases: readonly Phase[];
  readonly #plan: WellPlan;
  readonly #seed: number;
  readonly #sampling: Sampling;
  // A seed for the slow movement of each channel.
  readonly #drifts: readonly number[];
  #last = 0;

  constructor(seed: number, plan: WellPlan, phases: readonly Phase[], sampling = eachSecond) {
    this.#seed = seed;
    this.#plan = plan;
    this.#sampling = sampling;
    this.#drifts = Array.from({ length: channelCount }, (_, channel) => hash(seed, channel));
    this.#phases = phases;
  }

  /** The time of a row in Unix milliseconds. */
  time(row: number): number {
    const second = this.#second(row);
    const phase = this.#phase(second);
    return phase.start + (second - phase.from) * 1000;
  }

  /** The channels of a row; units are ft, ft/h, klbf, rpm, ft·klbf, psi, gal/min, spm, bbl and API. */
  channels(row: number): JsonObject {
    const second = this.#second(row);
    const phase = this.#phase(second);
    const share = phase.rows <= 1 ? 1 : (second - phase.from) / phase.rows;
    const hole = along(phase.hole, share);
    const bit = along(phase.bit, share);
    const noise = (channel: number): number => unit(this.#seed, second, channel) - 0.5;
    const drift = (channel: number, at = second, period = 240): number =>
      wave(this.#drifts[channel] ?? 0, at, period);
    const drilling = phase.state === 'Rotary Drilling' || phase.state === 'Slide Drilling';
    const flow = phase.pumping ? 580 + drift(1) * 18 + noise(1) * 6 : 0;
    const rpm = phase.rotating ? 72 + drift(2) * 14 + noise(2) * 4 : 0;
    const weight = drilling ? 26 + drift(3) * 9 + noise(3) * 2 : 0;
    const slips = phase.state === 'In Slips';
    // The wall holds the pipe back, whichever way it moves.
    const drag = slips || phase.rows <= 1 ? 0 : Math.sign(phase.bit[0] - phase.bit[1]) * (drilling ? 3 : 9);
    const rate = drilling ? ((phase.hole[1] - phase.hole[0]) / phase.rows) * 3600 : 0;
    return {
      hole_depth: round(hole, 1),
      bit_depth: round(bit, 1),
      block_height: round(along(phase.block, share), 1),
      rop: round(rate * (1 + drift(4) * 0.25 + noise(4) * 0.1), 1),
      weight_on_bit: round(Math.max(0, weight), 1),
      hook_load: round(slips ? 42 + noise(5) : 90 + bit * 0.0105 - weight + drag + drift(5) * 3, 1),
      rotary_rpm: Math.round(rpm),
      rotary_torque: round(rpm === 0 ? 0 : 9 + weight * 0.2 + drift(6) * 2, 1),
      standpipe_pressure: Math.round(flow === 0 ? 15 + noise(7) * 10 : 2600 + bit * 0.06 + drift(7) * 90),
      diff_press: this.#gappy(second, 8, drilling ? Math.round(280 + drift(8) * 80) : 0),
      mud_flow_in: Math.round(flow),
      pump_spm_total: Math.round(flow / 4.42),
      gamma_ray: phase.dropout ? missing : Math.round(this.#plan.gamma(hole) + noise(9) * 6),
      active_pit_volume: round(700 + drift(10, second, 3000) * 40, 1),
      state: phase.state,
    };
  }

  // Some values are missing, in the ways that services represent it.
  #gappy(second: number, channel: number, value: number): JsonValue {
    const chance = unit(this.#seed, second, channel + 100);
    if (chance < 0.004) return null;
    return chance < 0.007 ? missing : value;
  }

  #second(row: number): number {
    return this.#sampling.first + row * this.#sampling.interval;
  }

  #phase(second: number): Phase {
    const near = this.#phases[this.#last];
    if (near && second >= near.from && second < near.from + near.rows) return near;
    let low = 0;
    let high = this.#phases.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if ((this.#phases[middle]?.from ?? 0) <= second) low = middle;
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
