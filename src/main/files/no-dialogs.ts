import type { HostOptions } from '../app.ts';

/** The choice of files where nobody is asked for one: nothing is chosen, nothing saved. */
export const noDialogs: ReturnType<HostOptions['choose']> = {
  chooseTarget: async () => null,
  chooseSources: async () => [],
  saveCopy: async () => ({ saved: false }),
  saveText: async () => ({ saved: false }),
};
