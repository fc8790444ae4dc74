import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Well } from '../platform/world.ts';
import { hash, round, unit } from '../random.ts';

/** A survey: stations down the hole, in feet and degrees, as a nested array. */
export function survey(seed: number, well: Well): JsonObject {
  const stations: JsonValue[] = [];
  let tvd = 0;
  let north = 0;
  let east = 0;
  const heading = unit(seed, well.index, 1) * 360;
  for (let depth = 95; depth < 14_000; depth += 285) {
    const inclination =
      depth < 7_000 ? unit(seed, depth, 2) * 2 : Math.min(90, ((depth - 7_000) / 1_800) * 90);
    const angle = (inclination * Math.PI) / 180;
    tvd += 285 * Math.cos(angle);
    north += 285 * Math.sin(angle) * Math.cos((heading * Math.PI) / 180);
    east += 285 * Math.sin(angle) * Math.sin((heading * Math.PI) / 180);
    stations.push({
      measured_depth: depth,
      inclination: round(inclination, 2),
      azimuth: round(heading + (unit(seed, depth, 3) - 0.5) * 2, 2),
      tvd: round(tvd, 1),
      northing: round(north, 1),
      easting: round(east, 1),
      dls: round(unit(seed, depth, 4) * (depth < 7_000 ? 1 : 9), 2),
    });
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

const formations: readonly (readonly [name: string, lithology: string, top: number])[] = [
  ['Rustler', 'anhydrite, dolomite', 1_120],
  ['Salado', 'salt; "clean"', 1_460],
  ['Bell Canyon', 'sandstone', 5_010],
  ['Cherry Canyon', 'sandstone, siltstone', 5_940],
  ['Brushy Canyon', 'sandstone', 7_210],
  ['Bone Spring', 'limestone, shale', 8_800],
  ['Wolfcamp A', 'shale', 9_240],
  ['Wolfcamp B', 'shale,\norganic-rich', 9_610],
];
export const formationsPerWell = formations.length;

/** The top of a formation, in feet; `sample_id` is an integer beyond 2^53. */
export function formation(seed: number, well: Well, row: number): JsonObject {
  const [name, lithology, top] = formations[row % formations.length] ?? ['', '', 0];
  const depth = round(top + (unit(seed, well.index, row) - 0.5) * 240, 1);
  return {
    md: depth,
    td: round(Math.min(depth, 9_050 + (depth - 9_050) * 0.1), 1),
    lithology,
    formation_name: name,
    sample_id: 9_007_199_254_740_993n + BigInt(well.assetId) * 1000n + BigInt(row),
  };
}

const sections: readonly (readonly [name: string, diameter: number, bottom: number])[] = [
  ['Surface', 17.5, 1_400],
  ['Intermediate', 12.25, 7_100],
  ['Production, curve', 8.75, 9_600],
  ['Lateral', 8.5, 13_900],
];
export const sectionsPerWell = sections.length;

/** A section of the hole; diameter in inches, depths in feet. */
export function section(seed: number, well: Well, row: number): JsonObject {
  const [name, diameter, bottom] = sections[row % sections.length] ?? ['', 0, 0];
  const shift = (at: number): number => (at < 0 ? 0 : Math.round((unit(seed, well.index, at) - 0.5) * 160));
  return {
    name,
    diameter,
    top_depth: row === 0 ? 0 : (sections[row - 1]?.[2] ?? 0) + shift(row - 1),
    bottom_depth: bottom + shift(row),
  };
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
