import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Well } from '../platform/world.ts';
import { Random, hash, round, unit, wave } from '../random.ts';
import { firstIndex } from '../store.ts';
import { WellPlan } from './wells.ts';

/** Depths in feet. */
interface Bit {
  hole: number;
  bit: number;
  block: number;
}

/** One activity of the rig, and its number of rows, one per second. */
interface Step {
  /** What the rig does. */
  readonly state: string;
  readonly rows: number;
  readonly from: Bit;
  readonly to: Bit;
  readonly pumping: boolean;
  readonly rotating: boolean;
}

interface Phase extends Step {
  /** The number of its first row. */
  readonly first: number;
  /** The time of that row, in Unix milliseconds. */
  readonly start: number;
  /** A sensor without values during the phase. */
  readonly dropout: boolean;
}

/** Three joints of drill pipe, which are added at each connection. */
const stand = 94;
/** The length that a bit drills until it is worn, in feet. */
const bitFeet = 3_400;

/** Phases for a number of rows before an end time, with gaps and repeated seconds. */
function phasesOf(random: Random, steps: Iterable<Step>, end: number, rows: number): Phase[] {
  const phases: Phase[] = [];
  let first = 0;
  let time = 0;
  for (const step of steps) {
    if (first >= rows) break;
    const count = Math.min(step.rows, rows - first);
    if (first > 0) time += pause(random);
    const to = count < step.rows ? along(step, count / step.rows) : step.to;
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

/** A step that leaves the bit where it is. */
const still = (state: string, rows: number, at: Bit, pumping: boolean, rotating = false): Step => ({
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
const channelCount = 11;

/**
 * Records of a well's drilling, computed from the phases of the rig and the plan of the well. A log has a row for each second of the phases from the first one, or for those that an archive kept.
 */
function logOf(seed: number, plan: WellPlan, phases: readonly Phase[], first = 0, interval = 1) {
  // A seed for the slow movement of each channel.
  const drifts = Array.from({ length: channelCount }, (_, channel) => hash(seed, channel));
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
    const drift = (channel: number, period = 240): number => wave(drifts[channel] ?? 0, second, period);
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
