import type { Tab } from './tabs.ts';

/** The title of a tab. */
export const tabTitle = ({ name, title, content }: Pick<Tab, 'name' | 'title' | 'content'>): string =>
  name ?? content?.title() ?? title;
