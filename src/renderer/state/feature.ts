import type { StoreApi } from 'zustand/vanilla';

/** A feature as its components see it: a store to select from, and what a person can do. */
export interface Feature<State, Actions> {
  readonly store: StoreApi<State>;
  readonly actions: Actions;
}
