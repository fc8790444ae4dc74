import { Random } from '../random.ts';

/** What the rig does, in the words of the `state` field. */
export type RigState =
  | 'Rotary Drilling'
  | 'Slide Drilling'
  | 'In Slips'
  | 'Run in Hole'
  | 'Pull out of Hole'
  | 'Static Off Bottom'
  | 'Static On Bottom'
  | 'Dry Reaming Down';

/** A range of rows, one per second, with one activity of the rig. Depths are in feet, times in Unix milliseconds. */
export interface Phase {
  readonly state: RigState;
  readonly from: number;
  readonly rows: number;
  readonly start: number;
  readonly hole: readonly [number, number];
  readonly bit: readonly [number, number];
  readonly block: readonly [number, number];
  readonly pumping: boolean;
  readonly rotating: boolean;
  /** A sensor without values during the phase. */
  readonly dropout: boolean;
}

interface Bit {
  hole: number;
  bit: number;
  block: number;
}

type Step = Pick<Phase, 'state' | 'rows' | 'hole' | 'bit' | 'block' | 'pumping' | 'rotating'>;
const stand = 94;

/** Phases for a number of rows before an end time: stands, slides, connections, trips, gaps, repeated seconds. */
export function activity(seed: number, rows: number, end: number, startDepth: number): Phase[] {
  const random = new Random(seed);
  const at: Bit = { hole: startDepth, bit: startDepth, block: stand };
  const steps = plan(random, at);
  const phases: Phase[] = [];
  let from = 0;
  let time = 0;
  while (from < rows) {
    const { value: step } = steps.next();
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
  const share = rows / step.rows;
  const cut = ([a, b]: readonly [number, number]): readonly [number, number] => [a, a + (b - a) * share];
  return { ...step, rows, hole: cut(step.hole), bit: cut(step.bit), block: cut(step.block) };
}

function* plan(random: Random, at: Bit): Generator<Step, never> {
  if (random.chance(0.35)) yield* bitRun(random, at, random.integer(2, 4));
  for (let stands = 1; ; stands += 1) {
    yield* drillStand(random, at);
    yield* connection(random, at);
    if (stands % 6 === 0) yield* bitRun(random, at, random.integer(3, 6));
  }
}

function* drillStand(random: Random, at: Bit): Generator<Step> {
  const parts: readonly (readonly [RigState, number])[] = random.chance(0.45)
    ? [
        ['Rotary Drilling', 0.4],
        ['Slide Drilling', 0.25],
        ['Rotary Drilling', 0.35],
      ]
    : [['Rotary Drilling', 1]];
  for (const [state, share] of parts) {
    const feet = stand * share;
    const rop = state === 'Slide Drilling' ? random.between(35, 80) : random.between(90, 240);
    const hole = at.hole;
    const block = at.block;
    at.hole += feet;
    at.bit = at.hole;
    at.block -= feet;
    yield {
      state,
      rows: Math.max(60, Math.round((feet / rop) * 3600)),
      hole: [hole, at.hole],
      bit: [hole, at.bit],
      block: [block, at.block],
      pumping: true,
      rotating: state === 'Rotary Drilling',
    };
  }
}

function still(state: RigState, rows: number, at: Bit, pumping: boolean, rotating = false): Step {
  return {
    state,
    rows,
    hole: [at.hole, at.hole],
    bit: [at.bit, at.bit],
    block: [at.block, at.block],
    pumping,
    rotating,
  };
}

function* connection(random: Random, at: Bit): Generator<Step> {
  yield still('Static On Bottom', random.integer(20, 60), at, true);
  yield* moveBit('Pull out of Hole', random.integer(20, 45), at, -random.between(5, 20));
  yield still('Static Off Bottom', random.integer(15, 60), at, true);
  yield still('In Slips', random.integer(150, 420), at, false);
  at.block = stand + at.hole - at.bit;
  yield still('Static Off Bottom', random.integer(20, 90), at, true, true);
  yield* moveBit('Dry Reaming Down', random.integer(40, 120), at, at.hole - at.bit, true);
}

function* moveBit(state: RigState, rows: number, at: Bit, feet: number, turning = false): Generator<Step> {
  const bit = at.bit;
  const block = at.block;
  at.bit += feet;
  at.block = Math.max(2, Math.min(110, block - feet));
  yield {
    state,
    rows,
    hole: [at.hole, at.hole],
    bit: [bit, at.bit],
    block: [block, at.block],
    pumping: turning,
    rotating: turning,
  };
}

function* bitRun(random: Random, at: Bit, stands: number): Generator<Step> {
  for (let i = 0; i < stands; i += 1) {
    yield* moveBit('Pull out of Hole', random.integer(90, 150), at, -stand);
    yield still('In Slips', random.integer(40, 90), at, false);
    at.block = 4;
  }
  yield still('Static Off Bottom', random.integer(200, 600), at, false);
  for (let i = 0; i < stands; i += 1) {
    yield* moveBit('Run in Hole', random.integer(80, 140), at, Math.min(stand, at.hole - at.bit));
    yield still('In Slips', random.integer(40, 90), at, false);
    at.block = stand;
  }
  yield* moveBit('Dry Reaming Down', random.integer(60, 180), at, at.hole - at.bit, true);
}
