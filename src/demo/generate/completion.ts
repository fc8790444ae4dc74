import type { JsonObject } from '../../shared/json.ts';
import { hash, round, unit, wave } from '../random.ts';

/** Seconds of pumping in a stage, and the pause before the next one, in the sample. */
const stageRows = 1_200;
const pauseMs = 5_400_000;

/** Stages pumped one after the other, one record per second; the last one ends at a given time. */
export class PumpingLog {
  readonly #seed: number;
  readonly #rows: number;
  readonly #end: number;

  constructor(seed: number, rows: number, end: number) {
    this.#seed = seed;
    this.#rows = rows;
    this.#end = end;
  }

  get stages(): number {
    return Math.ceil(this.#rows / stageRows);
  }

  /** Stages are numbered from 1. */
  stage(row: number): number {
    return Math.floor(row / stageRows) + 1;
  }

  /** The time of a row in Unix milliseconds. */
  time(row: number): number {
    const rowsLeft = this.#rows - 1 - row;
    return this.#end - rowsLeft * 1000 - (this.stages - this.stage(row)) * pauseMs;
  }

  /** Rates in bbl/min, pressures in psi, volumes in bbl, concentrations in lb/gal, masses in lb. */
  channels(row: number): JsonObject {
    const second = row % stageRows;
    const stage = this.stage(row);
    const ramp = Math.min(1, second / 180) * Math.min(1, (stageRows - second) / 40);
    const drift = wave(hash(this.#seed, stage), second, 90);
    const sand = second < 300 ? 0 : Math.min(3, Math.floor((second - 300) / 180) * 0.5 + 0.25);
    const rate = ramp * (84 + drift * 3);
    return {
      elapsed_time: second,
      wellhead_pressure: Math.round(1200 + ramp * (7600 + drift * 400 + unit(this.#seed, row) * 40)),
      slurry_flow_rate_in: round(rate, 1),
      clean_flow_rate_in: round(rate * (1 - sand * 0.044), 1),
      total_slurry_volume_in: Math.round((84 / 60) * Math.max(0, second - 90)),
      total_proppant_concentration: round(sand * ramp, 2),
      total_proppant_mass: Math.round(Math.max(0, second - 300) ** 1.2 * 55),
      friction_reducer: unit(this.#seed, row, 7) < 0.003 ? null : round(ramp * (0.7 + drift * 0.1), 2),
    };
  }
}
