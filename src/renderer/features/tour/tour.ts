import * as z from 'zod';
import { createStore } from 'zustand/vanilla';

/** What a person does on the way from a well to a file and back, in the order in which it is shown. */
export const tourSteps = ['well', 'dataset', 'run', 'plot', 'export', 'upload'] as const;
export type TourStep = (typeof tourSteps)[number];

const tourState = z.object({
  /** `offered`: asked whether it is wanted; `left`: neither wanted nor shown any more, until it is asked for. */
  face: z.enum(['offered', 'running', 'left']),
  /** What was done since it began. */
  done: z.array(z.enum(tourSteps)),
  /** When it began, Unix milliseconds: jobs of before were not made in it. */
  since: z.number(),
});
export type TourState = z.infer<typeof tourState>;

/** Where a tour is remembered: with the settings, for the page's own storage may be another with each start. */
export type TourMemory = Pick<Storage, 'getItem' | 'setItem'>;

const place = 'wellbench.tour';
const offered: TourState = { face: 'offered', done: [], since: 0 };

/** What was remembered; what can't be read is as if there were nothing. */
function remembered(memory: TourMemory): TourState {
  try {
    const text = memory.getItem(place);
    return text === null ? offered : tourState.parse(JSON.parse(text));
  } catch {
    return offered;
  }
}

/** The first step that is not done yet; null: all are. */
export const stepOf = ({ done }: Pick<TourState, 'done'>): TourStep | null =>
  tourSteps.find((step) => !done.includes(step)) ?? null;

/**
 * A tour by doing: it says what comes next and goes on by itself when that is done.
 * @param now Unix milliseconds
 */
export function createTour(memory: TourMemory, now: () => number) {
  const store = createStore<TourState>()(() => remembered(memory));
  const { getState, setState } = store;
  store.subscribe((state) => {
    try {
      memory.setItem(place, JSON.stringify(state));
    } catch {
      // It is offered once more, then.
    }
  });
  return {
    store,
    actions: {
      start: () => setState({ face: 'running', done: [], since: now() }),
      /** The person did this, in whatever order. Nothing, unless the tour runs. */
      did(step: TourStep) {
        const { face, done } = getState();
        if (face === 'running' && !done.includes(step)) setState({ done: [...done, step] });
      },
      leave: () => setState({ face: 'left' }),
    },
  };
}

export type Tour = ReturnType<typeof createTour>;
