import { tabsChange } from '../tabs/tabs.ts';
import { call, nothing } from './call.ts';

/** Tabs that are kept. */
export const tabsCalls = {
  /** Keeps what has changed of the tabs that this window holds (`events.tabs`); done when it is on the disk. */
  keep: call.input(tabsChange).output(nothing),
};
