import { keptSettings, nothingKept, type KeptSettings } from '../../../shared/settings.ts';

/** What the window remembers of the settings, so that its first picture need not wait for the application. */
export interface SettingsMemory {
  readonly recall: () => KeptSettings;
  readonly remember: (kept: KeptSettings) => void;
}

/** What one place of the window remembers, whatever key it asks by: a text, as a storage of the page would keep it. */
export type PlaceMemory = Pick<Storage, 'getItem' | 'setItem'>;

const key = 'wellbench.settings';

/** Kept in the local storage of the page. What can't be read there is as if there were none: the file is what counts. */
export function settingsMemoryIn(storage: Pick<Storage, 'getItem' | 'setItem'>): SettingsMemory {
  return {
    recall() {
      try {
        return keptSettings.parse(JSON.parse(storage.getItem(key) ?? ''));
      } catch {
        return nothingKept;
      }
    },
    remember(kept) {
      try {
        storage.setItem(key, JSON.stringify(kept));
      } catch {
        // A page without storage asks the application each time.
      }
    },
  };
}
