import { fileName } from '../features/upload/upload-facts.ts';
import { words } from '../words/words.ts';
import type { Tab } from './tabs.ts';

/** The title of a tab of any kind. */
export const tabTitle = (tab: Tab): string => {
  if (tab.name !== null) return tab.name;
  return tab.kind === 'upload' ? words.upload.tab(fileName(tab.model.store.getState())) : tab.title;
};
