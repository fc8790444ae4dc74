import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Well } from '../platform/world.ts';
import { hash, round, unit, wave } from '../random.ts';

/** A rock that a well passes: how fast it is drilled, in ft/h, and its gamma ray, in API. */
interface Rock {
  readonly name: string;
  readonly lithology: string;
  /** Its usual top, in feet below the ground. */
  readonly top: number;
  readonly rop: number;
  readonly gamma: number;
}

const rocks: readonly [Rock, ...Rock[]] = [
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
const surfaceRock: Rock = { name: 'Quaternary', lithology: 'sand, gravel', top: 0, rop: 170, gamma: 42 };
export const formationsPerWell = rocks.length;

/** A section of the hole; its diameter in inches, its bottom in feet along the hole. */
interface Section {
  readonly name: string;
  readonly diameter: number;
  readonly bottom: number;
}
export const sectionsPerWell = 4;

/** Radius of a curve of 10° in 100 ft. */
const radius = 100 / ((10 * Math.PI) / 180);
const lateralInclination = 89.7;
const curveLength = (radius * lateralInclination * Math.PI) / 180;
/** The lateral is this far below the top of the last rock. */
const landingDepth = 75;
const degree = Math.PI / 180;
/** Thickness of the beds that wells of a pad have in common, in feet. */
const bedFeet = 14;

/** A position along a well. */
interface Position {
  /** In degrees. */
  readonly inclination: number;
  /** Depth below the ground, in feet. */
  readonly tvd: number;
}

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
  readonly sections: readonly [Section, ...Section[]];
  readonly #tops: readonly number[];
  readonly #beds: number;

  constructor(seed: number, { index, padId }: Well) {
    const padSeed = hash(seed, 701, padId);
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

  /** Where a well is at a measured depth: straight down, in a curve of one radius, then almost level. */
  at(depth: number): Position {
    if (depth <= this.kickOff) return { inclination: 0, tvd: depth };
    if (depth <= this.landing) {
      const angle = (depth - this.kickOff) / radius;
      return { inclination: angle / degree, tvd: this.kickOff + radius * Math.sin(angle) };
    }
    const landed = this.kickOff + radius * Math.sin(lateralInclination * degree);
    return {
      inclination: lateralInclination,
      tvd: landed + (depth - this.landing) * Math.cos(lateralInclination * degree),
    };
  }

  /** The top of a rock of a row, on the path of the well. */
  formation(row: number): { readonly rock: Rock; readonly depth: number; readonly tvd: number } {
    const tvd = this.#tops[row] ?? 0;
    const above = Math.min(1, Math.max(0, (tvd - this.kickOff) / radius));
    const depth = tvd <= this.kickOff ? tvd : this.kickOff + Math.asin(above) * radius;
    return { rock: rocks[row] ?? surfaceRock, depth, tvd };
  }

  #rock(tvd: number): { readonly rock: Rock; readonly top: number } {
    for (let at = rocks.length - 1; at >= 0; at -= 1) {
      const top = this.#tops[at] ?? 0;
      if (tvd >= top) return { rock: rocks[at] ?? surfaceRock, top };
    }
    return { rock: surfaceRock, top: 0 };
  }

  /** How hard a bed of the rock is, from -1 to 1. */
  #bed(tvd: number, top: number): number {
    return wave(this.#beds, tvd - top, bedFeet);
  }

  /** Rate of penetration of a rotating bit at a measured depth, in ft/h, before what changes it from minute to minute. */
  rate(depth: number): number {
    const { tvd } = this.at(depth);
    const { rock, top } = this.#rock(tvd);
    const size = depth < this.sections[0].bottom ? 0.9 : 1;
    return rock.rop * size * (1 - this.#bed(tvd, top) * 0.25);
  }

  /** Gamma ray at a measured depth, in API. */
  gamma(depth: number): number {
    const { tvd } = this.at(depth);
    const { rock, top } = this.#rock(tvd);
    return rock.gamma + this.#bed(tvd, top) * Math.min(26, rock.gamma * 0.4);
  }

  /** The section of the hole that ends below a measured depth. */
  section(depth: number): Section {
    return this.sections.find(({ bottom }) => bottom > depth + 0.01) ?? this.sections[0];
  }
}

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
