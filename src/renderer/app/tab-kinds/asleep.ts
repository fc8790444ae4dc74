import { createStore, type StoreApi } from 'zustand/vanilla';
import type { AppError } from '../../../shared/errors/errors.ts';
import type { KeptTab } from '../../../shared/tabs/tabs.ts';

/**
 * How far a kept tab is on its way back. `asleep`: nobody has looked at it yet; `unreadable`: what was kept is not what
 * its kind can read; `unknown`: its kind is not known here, a newer version made it.
 */
export type Waking =
  | { readonly face: 'asleep' | 'waking' | 'unreadable' | 'unknown' }
  | { readonly face: 'failed'; readonly error: AppError };

/**
 * A tab that was kept and has not been looked at since: no more than what was kept, which stays as it is however often
 * it can't be brought back.
 */
export interface AsleepTab {
  readonly kept: KeptTab;
  readonly store: StoreApi<{ readonly waking: Waking }>;
  readonly actions: { readonly close: () => void };
}

export function createAsleep(kept: KeptTab): AsleepTab {
  const store = createStore<{ readonly waking: Waking }>()(() => ({ waking: { face: 'asleep' } }));
  return { kept, store, actions: { close: () => undefined } };
}
