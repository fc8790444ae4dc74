import { fileName } from '../features/upload/upload-state.ts';
import { words } from '../words/words.ts';
import type { Tab } from './tabs.ts';

/** How a tab is called where its kind is not looked at. */
export const titleOf = (tab: Tab): string => {
  if (tab.name !== null) return tab.name;
  return tab.kind === 'upload' ? words.upload.tab(fileName(tab.model.store.getState())) : tab.title;
};
