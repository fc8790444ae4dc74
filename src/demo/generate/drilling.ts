import type { JsonObject, JsonValue } from '../../shared/json.ts';
import type { Well } from '../platform/world.ts';
import { Random, hash, round, unit, wave } from '../random.ts';
import { firstIndex } from '../store.ts';
import { WellPlan } from './wells.ts';

/** What the rig does, in the words of the `state` field. */
type RigState =
  | 'Rotary Drilling'
  | 'Slide Drilling'
  | 'In Slips'
  | 'Run in Hole'
  | 'Pull out of Hole'
  | 'Static Off Bottom'
  | 'Static On Bottom'
  | 'Dry Reaming Down';

/** One activity of the rig, and its number of rows, one per second. Depths are in feet, at its start and end. */
interface Step {
  readonly state: RigState;
  readonly rows: number;
  readonly hole: readonly [number, number];
  readonly bit: readonly [number, number];
  readonly block: readonly [number, number];
  readonly pumping: boolean;
  readonly rotating: boolean;
}

interface Phase extends Step {
  /** The number of its first row. */
  readonly from: number;
  /** The time of that row, in Unix milliseconds. */
  readonly start: number;
  /** A sensor without values during the phase. */
  readonly dropout: boolean;
}

interface Bit {
  hole: number;
  bit: number;
  block: number;
}

/** Three joints of drill pipe, which are added at each connection. */
const stand = 94;
/** The length that a bit drills until it is worn, in feet. */
const bitFeet = 3_400;

/** Phases for a number of rows before an end time, with gaps and repeated seconds. */
function phasesOf(random: Random, steps: Iterable<Step>, end: number, rows: number): Phase[] {
  const phases: Phase[] = [];
  let from = 0;
  let time = 0;
  for (const step of steps) {
    if (from >= rows) break;
    const count = Math.min(step.rows, rows - from);
    if (from > 0) time += pause(random);
    phases.push({ ...shorten(step, count), from, start: time, dropout: random.chance(0.05) });
    from += count;
    time += (count - 1) * 1000;
  }
  return phases.map((phase) => ({ ...phase, start: phase.start + end - time }));
}

// The time from the last second of one phase to the first of the next: usually one second, sometimes none or a gap.
function pause(random: Random): number {
  const chance = random.next();
  if (chance < 0.06) return 0;
  return chance < 0.12 ? random.integer(30, 1800) * 1000 : 1000;
}

function shorten(step: Step, rows: number): Step {
  if (rows === step.rows) return step;
  const share = rows / step.rows;
  const cut = ([a, b]: readonly [number, number]): readonly [number, number] => [a, a + (b - a) * share];
  return { ...step, rows, hole: cut(step.hole), bit: cut(step.bit), block: cut(step.block) };
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
    const before = { ...at, bit: at.hole };
    at.hole += feet;
    at.bit = at.hole;
    at.block -= feet;
    const rows = Math.max(60, Math.round((feet / rate) * 3600));
    yield moved(before, at, { state, rows, pumping: true, rotating: state === 'Rotary Drilling' });
  }
}

/** A step from one place of the bit to another. */
const moved = (from: Bit, to: Bit, step: Omit<Step, keyof Bit>): Step => ({
  ...step,
  hole: [from.hole, to.hole],
  bit: [from.bit, to.bit],
  block: [from.block, to.block],
});

const still = (state: RigState, rows: number, at: Bit, pumping: boolean, rotating = false): Step =>
  moved(at, at, { state, rows, pumping, rotating });

function* connection(random: Random, at: Bit): Generator<Step> {
  yield still('Static On Bottom', random.integer(20, 60), at, true);
  yield* moveBit('Pull out of Hole', random.integer(20, 45), at, -Math.min(random.between(5, 20), at.bit));
  yield still('Static Off Bottom', random.integer(15, 60), at, true);
  yield still('In Slips', random.integer(150, 420), at, false);
  at.block = stand + at.hole - at.bit;
  yield still('Static Off Bottom', random.integer(20, 90), at, true, true);
  yield* moveBit('Dry Reaming Down', random.integer(40, 120), at, at.hole - at.bit, true);
}

function* moveBit(state: RigState, rows: number, at: Bit, feet: number, isRotating = false): Generator<Step> {
  const before = { ...at };
  at.bit += feet;
  at.block = Math.max(2, Math.min(110, at.block - feet));
  yield moved(before, at, { state, rows, pumping: false, rotating: isRotating });
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

/** Which seconds of the phases have a row: each, or those that an archive kept. */
interface Sampling {
  readonly first: number;
  readonly interval: number;
}
const eachSecond: Sampling = { first: 0, interval: 1 };

/** Records of a well's drilling, computed from the phases of the rig and the plan of the well. */
class DrillingLog {
  readonly #phases: readonly Phase[];
  readonly #plan: WellPlan;
  readonly #seed: number;
  readonly #sampling: Sampling;
  // A seed for the slow movement of each channel.
  readonly #drifts: readonly number[];

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
    const next = firstIndex(this.#phases.length, (at) => (this.#phases[at]?.from ?? 0) <= second);
    const phase = this.#phases[next - 1];
    if (!phase) throw new Error('a drilling log without phases');
    return phase;
  }
}

function along([from, to]: readonly [number, number], share: number): number {
  return from + (to - from) * share;
}

/** Where the log of a well that is being drilled begins, in feet: above, in, or behind the curve. */
export function startDepth(seed: number, well: Well, plan: WellPlan): number {
  // The first well is in its lateral.
  const share = well.index === 0 ? 0.55 : unit(seed, 202, well.index);
  const from = plan.kickOff - 1_500;
  return Math.round(from + share * (plan.end - 1_200 - from));
}

/** Drilling data of a well, each second. With more rows, a log begins with the same rows as with fewer. */
export function drillingLog(seed: number, well: Well, rows: number, end: number): DrillingLog {
  const { wellSeed, plan, random } = sourcesOf(seed, well);
  const steps = drillOn(random, startDepth(seed, well, plan), plan);
  return new DrillingLog(wellSeed, plan, phasesOf(random, steps, end, rows));
}

function sourcesOf(seed: number, well: Well) {
  const wellSeed = hash(seed, 201, well.index);
  return { wellSeed, plan: new WellPlan(seed, well), random: new Random(wellSeed) };
}

/** With fewer rows, a well has its last seconds only. */
const minArchivedRows = 1_000;

/** Drilling data of a well that was drilled: the whole well, from the ground to its end, as rarely as there are rows for. */
export function archivedLog(seed: number, well: Well, rows: number, end: number): DrillingLog {
  if (rows < minArchivedRows) return drillingLog(seed, well, rows, end);
  const { wellSeed, plan, random } = sourcesOf(seed, well);
  const phases = phasesOf(random, drillWell(random, plan), end, Infinity);
  const seconds = phases.reduce((sum, phase) => sum + phase.rows, 0);
  if (seconds < rows) return drillingLog(seed, well, rows, end);
  const interval = Math.floor((seconds - 1) / (rows - 1));
  return new DrillingLog(wellSeed, plan, phases, { first: seconds - 1 - (rows - 1) * interval, interval });
}
