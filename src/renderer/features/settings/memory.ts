import { motions, themes, type Settings } from '../../../shared/settings/settings.ts';

/** What is seen of the settings before anything is drawn. */
export type Look = Pick<Settings, 'theme' | 'motion'>;

/** What the window remembers of the settings, so that it is dark from the first on, and does not turn dark. */
export interface SettingsMemory {
  readonly recall: () => Look;
  readonly remember: (look: Look) => void;
}

/** What one place of the window remembers, whatever key it asks by: a text, as a storage of the page would keep it. */
export type PlaceMemory = Pick<Storage, 'getItem' | 'setItem'>;

const key = 'wellbench.look';

/** Kept in the local storage of the page. What can't be read there is as the system says: the file is what counts. */
export function settingsMemoryIn(storage: Pick<Storage, 'getItem' | 'setItem'>): SettingsMemory {
  const kept = (): string => {
    try {
      return storage.getItem(key) ?? '';
    } catch {
      return '';
    }
  };
  return {
    recall() {
      const names = kept().split(' ');
      return {
        theme: themes.find((theme) => theme === names[0]) ?? 'system',
        motion: motions.find((motion) => motion === names[1]) ?? 'system',
      };
    },
    remember({ theme, motion }) {
      try {
        storage.setItem(key, `${theme} ${motion}`);
      } catch {
        // A page without storage asks the application each time.
      }
    },
  };
}
