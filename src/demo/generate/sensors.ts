import type { JsonObject } from '../../shared/json.ts';
import { hash, round, unit, wave } from '../random.ts';

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
export function sensorReading(seed: number, row: number): JsonObject {
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
