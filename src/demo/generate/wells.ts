import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Well } from '../platform/world.ts';
import { cycled, hash, round, unit, wave } from '../random.ts';

/** The rocks that a well passes: how fast they are drilled, in ft/h, gamma ray in API, usual tops in feet below the ground. */
const rocks = [
  { name: 'Rustler', lithology: 'anhydrite, dolomite', top: 1_120, rop: 150, gamma: 22 },
  { name: 'Salado', lithology: 'salt; "clean"', top: 1_460, rop: 230, gamma: 14 },
  { name: 'Bell Canyon', lithology: 'sandstone', top: 5_010, rop: 185, gamma: 48 },
  { name: 'Cherry Canyon', lithology: 'sandstone, siltstone', top: 5_940, rop: 160, gamma: 62 },
  { name: 'Brushy Canyon', lithology: 'sandstone', top: 7_210, rop: 140, gamma: 52 },
  { name: 'Bone Spring', lithology: 'limestone, shale', top: 8_800, rop: 95, gamma: 70 },
  { name: 'Wolfcamp A', lithology: 'shale', top: 9_240, rop: 120, gamma: 112 },
  { name: 'Wolfcamp B', lithology: 'shale,\norganic-rich', top: 9_610, rop: 145, gamma: 128 },
];
/** Above the first of them. */
const surfaceRock: (typeof rocks)[number] = {
  name: 'Quaternary',
  lithology: 'sand, gravel',
  top: 0,
  rop: 170,
  gamma: 42,
};

/** Radius of a curve of 10° in 100 ft. */
const radius = 100 / ((10 * Math.PI) / 180);
const lateralInclination = 89.7;
const curveLength = (radius * lateralInclination * Math.PI) / 180;
/** The lateral is this far below the top of the last rock. */
const landingDepth = 75;
const degree = Math.PI / 180;
/** Thickness of the beds that wells of a pad have in common, in feet. */
const bedFeet = 14;

/**
 * The plan of a horizontal well, which all of its data agree with: its path, the rocks on it, and the sections of its
 * hole. The rocks of a pad lie almost level, so that logs of its wells have the same beds.
 */
export class WellPlan {
  /** In degrees; wells of a pad go the same way, every second one the other way. */
  readonly azimuth: number;
  /** Measured depths, in feet: where the curve begins, where the lateral begins, and the end. */
  readonly kickOff: number;
  readonly landing: number;
  readonly end: number;
  /** The sections of the hole; diameters in inches, bottoms in feet along the hole. */
  readonly sections: readonly { readonly name: string; readonly diameter: number; readonly bottom: number }[];
  readonly #tops: readonly number[];
  readonly #beds: number;

  constructor(seed: number, { index, pad }: Well) {
    const padSeed = hash(seed, 701, pad);
    this.#beds = hash(padSeed, 1);
    this.#tops = rocks.map(
      ({ top }, at) =>
        top + (unit(padSeed, 2) - 0.5) * 160 + (unit(padSeed, at, 3) - 0.5) * 60 + (index % 4) * 4,
    );
    this.azimuth = 330 + unit(padSeed, 4) * 25 - (index % 2) * 180;
    this.kickOff = round(
      (this.#tops.at(-1) ?? 0) + landingDepth - radius * Math.sin(lateralInclination * degree),
      1,
    );
    this.landing = round(this.kickOff + curveLength, 1);
    this.end = Math.round(this.landing + 4_600 + unit(seed, index, 702) * 4_000);
    const shift = (at: number): number => Math.round((unit(seed, index, at) - 0.5) * 160);
    this.sections = [
      { name: 'Surface', diameter: 17.5, bottom: 1_400 + shift(0) },
      { name: 'Intermediate', diameter: 12.25, bottom: 7_100 + shift(1) },
      { name: 'Production, curve', diameter: 8.75, bottom: Math.round(this.landing) + 40 },
      { name: 'Lateral', diameter: 8.5, bottom: this.end },
    ];
  }

  /**
   * Where a well is at a measured depth: straight down, in a curve of one radius, then almost level.
   * @returns the inclination in degrees, and the depth below the ground in feet
   */
  at(depth: number) {
    const lateral = lateralInclination * degree;
    const angle = depth > this.landing ? lateral : Math.max(0, depth - this.kickOff) / radius;
    const curved = Math.min(depth, this.kickOff) + radius * Math.sin(angle);
    return {
      inclination: angle / degree,
      tvd: curved + Math.max(0, depth - this.landing) * Math.cos(lateral),
    };
  }

  /** The top of a rock of a row, on the path of the well, in feet. */
  formation(row: number) {
    const tvd = this.#tops[row] ?? 0;
    const above = Math.min(1, Math.max(0, (tvd - this.kickOff) / radius));
    const depth = tvd <= this.kickOff ? tvd : this.kickOff + Math.asin(above) * radius;
    return { depth, tvd };
  }

  /** The rock at a measured depth, and how hard its bed is, from -1 to 1. */
  #rock(depth: number) {
    const { tvd } = this.at(depth);
    const row = this.#tops.findLastIndex((top) => tvd >= top);
    return { rock: rocks[row] ?? surfaceRock, bed: wave(this.#beds, tvd - (this.#tops[row] ?? 0), bedFeet) };
  }

  /** Rate of penetration of a rotating bit at a measured depth, in ft/h, before what changes it from minute to minute. */
  rate(depth: number): number {
    const { rock, bed } = this.#rock(depth);
    const size = depth < (this.sections[0]?.bottom ?? 0) ? 0.9 : 1;
    return rock.rop * size * (1 - bed * 0.25);
  }

  /** Gamma ray at a measured depth, in API. */
  gamma(depth: number): number {
    const { rock, bed } = this.#rock(depth);
    return rock.gamma + bed * Math.min(26, rock.gamma * 0.4);
  }
}

/** Feet between two stations of a survey: three stands. */
const stationFeet = 285;
/** In degrees. */
const vertical = { inclination: 0, azimuth: 0 };

/** The angle between the directions of the hole at two stations, in radians. */
function dogleg(from: typeof vertical, to: typeof vertical): number {
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
  let last = { ...vertical, azimuth: round(plan.azimuth, 2) };
  for (let depth = 95; depth <= to; depth += stationFeet) {
    const planned = plan.at(depth).inclination;
    const isVertical = planned === 0;
    const next = {
      inclination: round(isVertical ? unit(seed, well.index, depth, 2) : planned, 2),
      // The direction of a hole that is almost vertical means little.
      azimuth: round(plan.azimuth + (unit(seed, well.index, depth, 3) - 0.5) * (isVertical ? 40 : 1.5), 2),
    };
    const angle = dogleg(last, next);
    const factor = angle < 1e-6 ? 1 : (2 / angle) * Math.tan(angle / 2);
    const half = ((depth - before) / 2) * factor;
    const [a, b] = [last.inclination * degree, next.inclination * degree];
    const [from, toward] = [last.azimuth * degree, next.azimuth * degree];
    tvd += half * (Math.cos(a) + Math.cos(b));
    north += half * (Math.sin(a) * Math.cos(from) + Math.sin(b) * Math.cos(toward));
    east += half * (Math.sin(a) * Math.sin(from) + Math.sin(b) * Math.sin(toward));
    stations.push({
      measured_depth: depth,
      ...next,
      tvd: round(tvd, 1),
      northing: round(north, 1),
      easting: round(east, 1),
      dls: round((angle / degree / (depth - before)) * 100, 2),
    });
    last = next;
    before = depth;
  }
  return { name: `${well.name} MWD`, comment: cycled(comments, well.index), stations };
}

// Text as people write it: with commas, quotes, line breaks, and non-Latin letters.
const comments = [
  'Final survey, corrected for "sag"',
  'Tie-on at surface,\nmagnetic interference below 8,200 ft',
  'Съёмка принята без замечаний',
  'Revisión pendiente; véase el informe n.º 12',
  '',
  '测量完成，无异常',
];

/** The tops of the formations, in feet; `sample_id` is an integer beyond 2^53. */
export const formations = (well: Well, plan: WellPlan): JsonObject[] =>
  rocks.map(({ name, lithology }, row) => ({
    md: round(plan.formation(row).depth, 1),
    td: round(plan.formation(row).tvd, 1),
    lithology,
    formation_name: name,
    sample_id: 9_007_199_254_740_993n + BigInt(well.asset_id) * 1000n + BigInt(row),
  }));

/** The sections of the hole; diameters in inches, depths in feet. */
export const sections = ({ sections: all }: WellPlan): JsonObject[] =>
  all.map(({ name, diameter, bottom }, row) => ({
    name,
    diameter,
    top_depth: all[row - 1]?.bottom ?? 0,
    bottom_depth: bottom,
  }));

/** When a stage was pumped; `run_serial` is an integer beyond 2^53. */
export function stageTimes(seed: number, well: Well, stage: number, start: number, end: number): JsonObject {
  return {
    start: new Date(start).toISOString(),
    end: new Date(end).toISOString(),
    crew: unit(seed, well.index, stage) < 0.5 ? 'Day' : 'Night',
    plugs: 1,
    clusters: 8 + (hash(seed, well.index, stage) % 5),
    run_serial: 10_000_000_000_000_000_000n + BigInt(well.asset_id) * 100_000n + BigInt(stage),
    remarks: stage % 9 === 0 ? 'Screen-out, "flushed"; pumped again' : null,
  };
}
