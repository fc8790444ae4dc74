import type { HostOptions } from '../app.ts';

/** File dialogs of a host without dialogs: nothing is selected or saved. */
export const noDialogs: ReturnType<HostOptions['choose']> = {
  chooseTarget: async () => null,
  chooseSources: async () => [],
  saveCopy: async () => ({ saved: false }),
  saveText: async () => ({ saved: false }),
};
