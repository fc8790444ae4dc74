import * as z from 'zod';
import { createStore } from 'zustand/vanilla';

/** The steps of the tour, in order. */
export const tourSteps = ['well', 'dataset', 'run', 'plot', 'export', 'upload'] as const;
export type TourStep = (typeof tourSteps)[number];

const tourState = z.object({
  /** `offered`: the tour is suggested; `left`: hidden until the user starts it. */
  status: z.enum(['offered', 'running', 'left']),
  /** The completed steps. */
  done: z.array(z.enum(tourSteps)),
  /** The start in Unix milliseconds: earlier jobs don't count. */
  since: z.number(),
});
export type TourState = z.infer<typeof tourState>;

/** Stores the tour's state with the settings: the page's own storage may differ on each start. */
export type TourMemory = Pick<Storage, 'getItem' | 'setItem'>;

const place = 'wellbench.tour';
const offered: TourState = { status: 'offered', done: [], since: 0 };

/** The stored state; invalid states are ignored. */
function readState(memory: TourMemory): TourState {
  try {
    const text = memory.getItem(place);
    return text === null ? offered : tourState.parse(JSON.parse(text));
  } catch {
    return offered;
  }
}

/** The next step; null: all are done. */
export const nextStepOf = ({ done }: Pick<TourState, 'done'>): TourStep | null =>
  tourSteps.find((step) => !done.includes(step)) ?? null;

/**
 * A hands-on tour, which continues when the user completes a step.
 * @param now Unix milliseconds
 */
export function createTour(memory: TourMemory, now: () => number) {
  const store = createStore<TourState>()(() => readState(memory));
  const { getState, setState } = store;
  store.subscribe((state) => {
    try {
      memory.setItem(place, JSON.stringify(state));
    } catch {
      // It is suggested once more.
    }
  });
  return {
    store,
    actions: {
      start: () => setState({ status: 'running', done: [], since: now() }),
      /** Completes a step in any order while the tour runs. */
      complete(step: TourStep) {
        const { status, done } = getState();
        if (status === 'running' && !done.includes(step)) setState({ done: [...done, step] });
      },
      leave: () => setState({ status: 'left' }),
    },
  };
}

export type Tour = ReturnType<typeof createTour>;
