import { describe, expect, it } from 'vitest';
import { createTour, nextStepOf, type TourMemory } from '../../../../src/renderer/features/tour/tour.ts';

/** A storage of one text. */
function memoryOf(text: string | null = null): TourMemory {
  let kept = text;
  return {
    getItem: () => kept,
    setItem: (_place, value) => {
      kept = value;
    },
  };
}
const clock = () => 1000;

describe('the tour', () => {
  it('is offered to new users, and does not start automatically', () => {
    const { store, actions } = createTour(memoryOf(), clock);
    expect(store.getState().status).toBe('offered');
    actions.complete('well');
    expect(store.getState().done).toEqual([]);
  });

  it('continues with the user’s actions, in any order', () => {
    const { store, actions } = createTour(memoryOf(), clock);
    actions.start();
    actions.complete('dataset');
    expect(nextStepOf(store.getState())).toBe('well');
    actions.complete('well');
    expect(nextStepOf(store.getState())).toBe('run');
    for (const step of ['run', 'plot', 'export', 'upload'] as const) actions.complete(step);
    expect(nextStepOf(store.getState())).toBeNull();
  });

  it('resumes at its step, unless the user closed it', () => {
    const memory = memoryOf();
    const first = createTour(memory, clock);
    first.actions.start();
    first.actions.complete('well');
    const { store, actions } = createTour(memory, clock);
    expect(store.getState()).toEqual({ status: 'running', done: ['well'], since: 1000 });
    actions.leave();
    expect(createTour(memory, clock).store.getState().status).toBe('left');
  });

  it('restarts on request', () => {
    const { store, actions } = createTour(memoryOf(), clock);
    actions.start();
    actions.complete('well');
    actions.leave();
    actions.start();
    expect(store.getState()).toEqual({ status: 'running', done: [], since: 1000 });
  });

  it.each(['{', '{"status":"flying"}', 'null'])('is offered when its stored state is %s', (text) => {
    expect(createTour(memoryOf(text), clock).store.getState().status).toBe('offered');
  });

  it('works without storage', () => {
    const refuse = () => {
      throw new Error('no storage');
    };
    const { store, actions } = createTour({ getItem: refuse, setItem: refuse }, clock);
    expect(store.getState().status).toBe('offered');
    actions.leave();
    expect(store.getState().status).toBe('left');
  });
});
