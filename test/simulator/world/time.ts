import type * as Real from '../../../src/main/world/time.ts';
import { Process, type Coming } from './machine.ts';

// Takes the place of `src/main/world/time.ts`.

/** Modules take the time when they are loaded, before any history. */
const callerOrNone = (): Process | undefined => Process.current();

export const wallMs: typeof Real.wallMs = () => {
  const { computer } = Process.caller();
  return Math.floor(computer.world.epoch + computer.world.now + computer.clockOffset);
};

export const elapsedMs: typeof Real.elapsedMs = () => callerOrNone()?.computer.world.now ?? 0;

function begin(run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): Coming {
  return Process.caller().computer.world.after(ms, () => run(...args));
}

function repeat(run: (...args: unknown[]) => void, ms = 0, ...args: unknown[]): Coming {
  const { world } = Process.caller().computer;
  const timer = world.after(ms, function again() {
    run(...args);
    if (isEnded) return;
    const next = world.after(ms, again);
    current = next;
  });
  let current = timer;
  let isEnded = false;
  timer.close = () => {
    isEnded = true;
    timer.run = null;
    current.run = null;
    return timer;
  };
  return timer;
}

const end = (timer?: Coming): void => void timer?.close();

/** The timers of Node have more members, which nobody uses. */
const replaced = {
  setTimeout: begin,
  setInterval: repeat,
  clearTimeout: end,
  clearInterval: end,
} as unknown as Pick<typeof Real, 'setTimeout' | 'setInterval' | 'clearTimeout' | 'clearInterval'>;
export const { setTimeout, setInterval, clearTimeout, clearInterval } = replaced;

export const sleep: typeof Real.sleep = (ms, options) => Process.caller().sleep(ms, options?.signal);

export const nextTurn: typeof Real.nextTurn = () => Process.caller().sleep(0);
