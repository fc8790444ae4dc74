import type { StoreApi } from 'zustand/vanilla';

/** A feature as its components use it: a store to select from, and the user's actions. */
export interface Feature<State, Actions> {
  readonly store: StoreApi<State>;
  readonly actions: Actions;
}
