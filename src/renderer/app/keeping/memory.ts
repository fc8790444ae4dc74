import type { TabsMemory } from './keeping.ts';

/** Kept in the session storage of the window: which tabs were its own, by connection. */
export const tabsMemoryIn =
  (storage: Pick<Storage, 'getItem' | 'setItem'>) =>
  (connection: string): TabsMemory => {
    const key = `wellbench.tabs.${connection}`;
    return { recall: () => storage.getItem(key), remember: (set) => storage.setItem(key, set) };
  };
