import type { Tab } from './tabs.ts';

/** The title of a tab. */
export const tabTitle = ({
  name,
  title,
  wells,
  content,
}: Pick<Tab, 'name' | 'title' | 'wells' | 'content'>): string => name ?? content?.title(wells) ?? title;
