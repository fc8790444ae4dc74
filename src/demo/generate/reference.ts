import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Well } from '../platform/world.ts';
import { hash, round, unit } from '../random.ts';
import type { WellPlan } from './well-plan.ts';

const degree = Math.PI / 180;
/** Feet between two stations of a survey: three stands. */
const stationFeet = 285;

/** The direction of the hole at a station, in degrees. */
interface Direction {
  readonly inclination: number;
  readonly azimuth: number;
}

/** The angle between two directions, in radians. */
function dogleg(from: Direction, to: Direction): number {
  const [a, b] = [from.inclination * degree, to.inclination * degree];
  const turn = (to.azimuth - from.azimuth) * degree;
  const cosine = Math.cos(b - a) - Math.sin(a) * Math.sin(b) * (1 - Math.cos(turn));
  return Math.acos(Math.min(1, Math.max(-1, cosine)));
}

/**
 * A survey: stations down the hole to a depth, in feet and degrees, as a nested array. Positions are computed by minimum
 * curvature.
 */
export function survey(seed: number, well: Well, plan: WellPlan, to: number): JsonObject {
  const stations: JsonValue[] = [];
  let [tvd, north, east, before] = [0, 0, 0, 0];
  let last: Direction = { inclination: 0, azimuth: round(plan.azimuth, 2) };
  for (let depth = 95; depth <= to; depth += stationFeet) {
    const planned = plan.at(depth).inclination;
    const isVertical = planned === 0;
    const next: Direction = {
      inclination: round(isVertical ? unit(seed, well.index, depth, 2) : planned, 2),
      // The direction of a hole that is almost vertical means little.
      azimuth: round(plan.azimuth + (unit(seed, well.index, depth, 3) - 0.5) * (isVertical ? 40 : 1.5), 2),
    };
    const angle = dogleg(last, next);
    const factor = angle < 1e-6 ? 1 : (2 / angle) * Math.tan(angle / 2);
    const half = ((depth - before) / 2) * factor;
    const [a, b] = [last.inclination * degree, next.inclination * degree];
    tvd += half * (Math.cos(a) + Math.cos(b));
    north +=
      half * (Math.sin(a) * Math.cos(last.azimuth * degree) + Math.sin(b) * Math.cos(next.azimuth * degree));
    east +=
      half * (Math.sin(a) * Math.sin(last.azimuth * degree) + Math.sin(b) * Math.sin(next.azimuth * degree));
    stations.push({
      measured_depth: depth,
      inclination: next.inclination,
      azimuth: next.azimuth,
      tvd: round(tvd, 1),
      northing: round(north, 1),
      easting: round(east, 1),
      dls: round((angle / degree / (depth - before)) * 100, 2),
    });
    last = next;
    before = depth;
  }
  return { name: `${well.name} MWD`, comment: comments[well.index % comments.length] ?? '', stations };
}

// Text as people write it: with commas, quotes, line breaks, and non-Latin letters.
const comments: readonly string[] = [
  'Final survey, corrected for "sag"',
  'Tie-on at surface,\nmagnetic interference below 8,200 ft',
  'Съёмка принята без замечаний',
  'Revisión pendiente; véase el informe n.º 12',
  '',
  '测量完成，无异常',
];

/** The top of a formation, in feet; `sample_id` is an integer beyond 2^53. */
export function formation(well: Well, plan: WellPlan, row: number): JsonObject {
  const { rock, depth, tvd } = plan.formation(row);
  return {
    md: round(depth, 1),
    td: round(tvd, 1),
    lithology: rock.lithology,
    formation_name: rock.name,
    sample_id: 9_007_199_254_740_993n + BigInt(well.assetId) * 1000n + BigInt(row),
  };
}

/** A section of the hole; diameter in inches, depths in feet. */
export function section({ sections }: WellPlan, row: number): JsonObject {
  const { name, diameter, bottom } = sections[row] ?? sections[0];
  return { name, diameter, top_depth: sections[row - 1]?.bottom ?? 0, bottom_depth: bottom };
}

/** When a stage was pumped; `run_serial` is an integer beyond 2^53. */
export function stageTimes(seed: number, well: Well, stage: number, start: number, end: number): JsonObject {
  return {
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    crew: unit(seed, well.index, stage) < 0.5 ? 'Day' : 'Night',
    plugs: 1,
    clusters: 8 + (hash(seed, well.index, stage) % 5),
    run_serial: 10_000_000_000_000_000_000n + BigInt(well.assetId) * 100_000n + BigInt(stage),
    remarks: stage % 9 === 0 ? 'Screen-out, "flushed"; pumped again' : null,
  };
}
