import { call, nothing } from './call.ts';
import { tabsChange } from '../tabs/tabs.ts';

/** The stored tabs. */
export const tabsCalls = {
  /** Saves the changed tabs of this window (`events.tabs`); resolves when they are on disk. */
  keep: call.input(tabsChange).output(nothing),
};
