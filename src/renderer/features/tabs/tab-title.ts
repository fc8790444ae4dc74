import type { Tab } from './tabs.ts';

export const tabTitle = ({
  name,
  title,
  wells,
  content,
}: Pick<Tab, 'name' | 'title' | 'wells' | 'content'>): string => name ?? content?.title(wells) ?? title;

/**
 * A title that tells a tab from the others.
 * @param titleOf a title with a number, which may be left out if it is 1
 * @returns the first one that no tab has by default
 */
export function freeTitle(tabs: readonly Tab[], titleOf: (number: number) => string): string {
  const taken = new Set(tabs.map((tab) => tabTitle({ ...tab, name: null })));
  let number = 1;
  while (taken.has(titleOf(number))) number += 1;
  return titleOf(number);
}
