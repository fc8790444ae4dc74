import { words } from '../../words/words.ts';
import { tabTitle } from '../tabs/tab-title.ts';
import type { Tab } from '../tabs/tabs.ts';

const hasNumber = (tab: Tab, name: string, number: number): boolean => {
  // Tabs that aren't loaded have their last title only.
  const title = tabTitle({ ...tab, name: null, wells: [] });
  const numbered = words.tabs.query(name, number, []);
  // Other kinds of tabs, such as live views, are numbered among themselves.
  return tab.kind === 'query' && (title === numbered || title.startsWith(`${numbered} · `));
};

/**
 * Numbers the queries of a dataset.
 * @param tabs the open tabs
 * @param name of the dataset
 * @returns the first number that none of its queries has
 */
export function freeNumber(tabs: readonly Tab[], name: string): number {
  let number = 1;
  while (tabs.some((tab) => hasNumber(tab, name, number))) number += 1;
  return number;
}

/**
 * Numbers a query that is open already, but may be a duplicate.
 * @param tabs the open tabs, with its own
 * @param name of the dataset
 * @param number its stored number
 * @returns the stored number, or a free one if another query has it, too
 */
export const ownNumber = (tabs: readonly Tab[], name: string, number: number): number =>
  tabs.filter((tab) => hasNumber(tab, name, number)).length > 1 ? freeNumber(tabs, name) : number;
