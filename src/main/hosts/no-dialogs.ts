import { join } from 'node:path';
import type { HostOptions } from '../app.ts';
import { plainName } from '../core/files/plain-name.ts';

/** File dialogs of a host without dialogs: nothing is selected or saved. */
export const noDialogs: ReturnType<HostOptions['choose']> = {
  chooseTarget: async () => null,
  chooseFolder: async () => null,
  chooseSources: async () => [],
  saveCopy: async () => ({ saved: false }),
};

/** Dialogs of a host whose page can't name paths of this computer: folders are in the data folder. */
export const chooseInDataFolder =
  (dataFolder: string): HostOptions['choose'] =>
  (files) => ({
    ...noDialogs,
    // The page downloads results; they wait in the job's folder until then.
    chooseTarget: async ({ suggestedName }) =>
      files.grantTarget({ place: 'job', name: plainName(suggestedName) }),
    async chooseFolder({ name: given }) {
      const name = plainName(given);
      return files.grantFolder({ path: join(dataFolder, 'mirrors', name), name });
    },
  });
