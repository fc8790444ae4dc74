import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Well } from '../platform/world.ts';
import { Random, cycled, hash, round, unit, wave } from '../random.ts';
import { firstIndex } from '../store.ts';

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
const surfaceRock = { rop: 170, gamma: 42 };

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

/** Depths in feet. */
interface Bit {
  hole: number;
  bit: number;
  block: number;
}

/** One activity of the rig. */
type Step = Readonly<ReturnType<typeof still>>;

/** A step with the number of its first row, and the time of that row in Unix milliseconds. */
type Phase = Readonly<ReturnType<typeof phasesOf>[number]>;

/** Three joints of drill pipe, which are added at each connection. */
const stand = 94;
/** The length that a bit drills until it is worn, in feet. */
const bitFeet = 3_400;

/** Phases for a number of rows before an end time, with gaps and repeated seconds. */
function phasesOf(random: Random, steps: Iterable<Step>, end: number, rows: number) {
  const phases = [];
  let first = 0;
  let time = 0;
  for (const step of steps) {
    if (first >= rows) break;
    const count = Math.min(step.rows, rows - first);
    if (first > 0) time += pause(random);
    const to = count < step.rows ? along(step, count / step.rows) : step.to;
    // In some phases a sensor has no values.
    phases.push({ ...step, rows: count, to, first, start: time, dropout: random.chance(0.05) });
    first += count;
    time += (count - 1) * 1000;
  }
  return phases.map((phase) => ({ ...phase, start: phase.start + end - time }));
}

/** Where the bit is after a share of a step. */
function along({ from, to }: Step, share: number): Bit {
  const at = (name: keyof Bit): number => from[name] + (to[name] - from[name]) * share;
  return { hole: at('hole'), bit: at('bit'), block: at('block') };
}

// The time from the last second of one phase to the first of the next: usually one second, sometimes none or a gap.
function pause(random: Random): number {
  const chance = random.next();
  if (chance < 0.06) return 0;
  return chance < 0.12 ? random.integer(30, 1800) * 1000 : 1000;
}

/** Drilling from a depth on, without an end: stands, slides, connections; trips are short. */
function* drillOn(random: Random, depth: number, plan: WellPlan): Generator<Step, never> {
  const at: Bit = { hole: depth, bit: depth, block: stand };
  if (random.chance(0.35)) yield* trip(random, at, random.integer(2, 4) * stand);
  for (let stands = 1; ; stands += 1) {
    yield* drillStand(random, at, plan, stand);
    yield* connection(random, at);
    if (stands % 6 === 0) yield* trip(random, at, random.integer(3, 6) * stand);
  }
}

/** A whole well: each section to its bottom, then casing; a new bit where one is worn. */
function* drillWell(random: Random, plan: WellPlan): Generator<Step> {
  const at: Bit = { hole: 0, bit: 0, block: stand };
  for (const { bottom } of plan.sections) {
    let bitStart = at.hole;
    while (at.hole < bottom - 0.1) {
      yield* drillStand(random, at, plan, Math.min(stand, bottom - at.hole));
      yield* connection(random, at);
      if (at.hole - bitStart < bitFeet || bottom - at.hole < bitFeet / 3) continue;
      yield* trip(random, at, at.hole, random.integer(5_000, 11_000));
      bitStart = at.hole;
    }
    const isLast = bottom >= plan.end;
    yield* pullOut(random, at, at.hole);
    // Casing is run and cemented.
    yield still('Static Off Bottom', random.integer(36_000, 64_000), at, false);
    if (!isLast) yield* runIn(random, at);
  }
}

const whole = [['Rotary Drilling', 1]] as const;
const corrected = [['Rotary Drilling', 0.4], ['Slide Drilling', 0.2], ['Rotary Drilling', 0.4]] as const; // oxfmt-ignore
const steered = [['Slide Drilling', 0.45], ['Rotary Drilling', 0.2], ['Slide Drilling', 0.35]] as const; // oxfmt-ignore

function* drillStand(random: Random, at: Bit, plan: WellPlan, length: number): Generator<Step> {
  // The curve is steered by sliding, and the lateral is corrected now and then.
  const isCurve = at.hole > plan.kickOff - stand && at.hole < plan.landing;
  const isCorrected = !isCurve && random.chance(at.hole < plan.kickOff ? 0.25 : 0.45);
  for (const [state, share] of isCurve ? steered : isCorrected ? corrected : whole) {
    const feet = length * share;
    const slowness = state === 'Slide Drilling' ? 0.35 : 1;
    const rate = plan.rate(at.hole + feet / 2) * random.between(0.85, 1.15) * slowness;
    const from = { ...at, bit: at.hole };
    at.hole += feet;
    at.bit = at.hole;
    at.block -= feet;
    const rows = Math.max(60, Math.round((feet / rate) * 3600));
    yield { ...still(state, rows, at, true, state === 'Rotary Drilling'), from };
  }
}

/** A step that leaves the bit where it is: what the rig does, and its number of rows, one per second. */
const still = (state: string, rows: number, at: Bit, pumping: boolean, rotating = false) => ({
  state,
  rows,
  pumping,
  rotating,
  from: { ...at },
  to: { ...at },
});

function* connection(random: Random, at: Bit): Generator<Step> {
  yield still('Static On Bottom', random.integer(20, 60), at, true);
  yield* moveBit('Pull out of Hole', random.integer(20, 45), at, -Math.min(random.between(5, 20), at.bit));
  yield still('Static Off Bottom', random.integer(15, 60), at, true);
  yield still('In Slips', random.integer(150, 420), at, false);
  at.block = stand + at.hole - at.bit;
  yield still('Static Off Bottom', random.integer(20, 90), at, true, true);
  yield* moveBit('Dry Reaming Down', random.integer(40, 120), at, at.hole - at.bit, true);
}

function* moveBit(state: string, rows: number, at: Bit, feet: number, isRotating = false): Generator<Step> {
  const from = { ...at };
  at.bit += feet;
  at.block = Math.max(2, Math.min(110, at.block - feet));
  yield { ...still(state, rows, at, false, isRotating), from };
}

function* pullOut(random: Random, at: Bit, feet: number): Generator<Step> {
  const top = Math.max(0, at.bit - feet);
  while (at.bit > top) {
    yield* moveBit('Pull out of Hole', random.integer(90, 150), at, -Math.min(stand, at.bit - top));
    yield still('In Slips', random.integer(40, 90), at, false);
    at.block = 4;
  }
}

function* runIn(random: Random, at: Bit): Generator<Step> {
  // The last stand is reamed down to the bottom.
  while (at.hole - at.bit > stand / 2) {
    yield* moveBit('Run in Hole', random.integer(80, 140), at, Math.min(stand, at.hole - at.bit));
    yield still('In Slips', random.integer(40, 90), at, false);
    at.block = stand;
  }
  yield* moveBit('Dry Reaming Down', random.integer(60, 180), at, at.hole - at.bit, true);
}

/** Out of the hole by a number of feet, and in again. */
function* trip(random: Random, at: Bit, feet: number, seconds = random.integer(200, 600)): Generator<Step> {
  yield* pullOut(random, at, feet);
  yield still('Static Off Bottom', seconds, at, false);
  yield* runIn(random, at);
}

const missing = -999.25;

/**
 * Records of a well's drilling, computed from the phases of the rig and the plan of the well. A log has a row for each
 * second from `first` on, or for every `interval` seconds, as in an archive.
 */
function logOf(seed: number, plan: WellPlan, phases: readonly Phase[], first = 0, interval = 1) {
  const find = (row: number): { readonly second: number; readonly phase: Phase } => {
    const second = first + row * interval;
    const next = firstIndex(phases.length, (at) => phases[at]!.first <= second);
    return { second, phase: phases[next - 1]! };
  };
  // Some values are missing, in the ways that services represent it.
  const gappy = (second: number, channel: number, value: number): JsonValue => {
    const chance = unit(seed, second, channel + 100);
    if (chance < 0.004) return null;
    return chance < 0.007 ? missing : value;
  };
  /** The time of a row in Unix milliseconds. */
  const time = (row: number): number => {
    const { second, phase } = find(row);
    return phase.start + (second - phase.first) * 1000;
  };
  /** The channels of a row; units are ft, ft/h, klbf, rpm, ft·klbf, psi, gal/min, spm, bbl and API. */
  const channels = (row: number): JsonObject => {
    const { second, phase } = find(row);
    const { state, rows, from, to } = phase;
    const { hole, bit, block } = along(phase, rows <= 1 ? 1 : (second - phase.first) / rows);
    const noise = (channel: number): number => unit(seed, second, channel) - 0.5;
    const drift = (channel: number, period = 240): number => wave(hash(seed, channel), second, period);
    const drilling = state === 'Rotary Drilling' || state === 'Slide Drilling';
    const flow = phase.pumping ? 580 + drift(1) * 18 + noise(1) * 6 : 0;
    const rpm = phase.rotating ? 72 + drift(2) * 14 + noise(2) * 4 : 0;
    const weight = drilling ? 26 + drift(3) * 9 + noise(3) * 2 : 0;
    const slips = state === 'In Slips';
    // The wall holds the pipe back, whichever way it moves.
    const drag = slips || rows <= 1 ? 0 : Math.sign(from.bit - to.bit) * (drilling ? 3 : 9);
    const rate = drilling ? ((to.hole - from.hole) / rows) * 3600 : 0;
    return {
      hole_depth: round(hole, 1),
      bit_depth: round(bit, 1),
      block_height: round(block, 1),
      rop: round(rate * (1 + drift(4) * 0.25 + noise(4) * 0.1), 1),
      weight_on_bit: round(Math.max(0, weight), 1),
      hook_load: round(slips ? 42 + noise(5) : 90 + bit * 0.0105 - weight + drag + drift(5) * 3, 1),
      rotary_rpm: Math.round(rpm),
      rotary_torque: round(rpm === 0 ? 0 : 9 + weight * 0.2 + drift(6) * 2, 1),
      standpipe_pressure: Math.round(flow === 0 ? 15 + noise(7) * 10 : 2600 + bit * 0.06 + drift(7) * 90),
      diff_press: gappy(second, 8, drilling ? Math.round(280 + drift(8) * 80) : 0),
      mud_flow_in: Math.round(flow),
      pump_spm_total: Math.round(flow / 4.42),
      gamma_ray: phase.dropout ? missing : Math.round(plan.gamma(hole) + noise(9) * 6),
      active_pit_volume: round(700 + drift(10, 3000) * 40, 1),
      state,
    };
  };
  return { time, channels };
}

/** Where the log of a well that is being drilled begins, in feet: above, in, or behind the curve. */
export function startDepth(seed: number, well: Well, plan: WellPlan): number {
  // The first well is in its lateral.
  const share = well.index === 0 ? 0.55 : unit(seed, 202, well.index);
  const from = plan.kickOff - 1_500;
  return Math.round(from + share * (plan.end - 1_200 - from));
}

/** A whole well with fewer rows has its last seconds only. */
const minArchivedRows = 1_000;

/**
 * Drilling data of a well that is being drilled, each second: with more rows, a log begins with the same rows as with
 * fewer. Of a well that was drilled it is the whole well, from the ground to its end, as rarely as there are rows for.
 */
export function drillingLog(seed: number, well: Well, rows: number, end: number, isWhole: boolean) {
  const wellSeed = hash(seed, 201, well.index);
  const plan = new WellPlan(seed, well);
  if (isWhole && rows >= minArchivedRows) {
    const random = new Random(wellSeed);
    const phases = phasesOf(random, drillWell(random, plan), end, Infinity);
    const seconds = phases.reduce((sum, phase) => sum + phase.rows, 0);
    const interval = Math.floor((seconds - 1) / (rows - 1));
    if (seconds >= rows) return logOf(wellSeed, plan, phases, seconds - 1 - (rows - 1) * interval, interval);
  }
  const random = new Random(wellSeed);
  const steps = drillOn(random, startDepth(seed, well, plan), plan);
  return logOf(wellSeed, plan, phasesOf(random, steps, end, rows));
}
