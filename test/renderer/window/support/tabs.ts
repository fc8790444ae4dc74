import { screen, within } from '@testing-library/dom';
import { vi } from 'vitest';
import { words } from '../../../../src/renderer/words/words.ts';

/** The tabs of queries, uploads, and the like; the sidebar has its own tabs. */
export function openTabs(): HTMLElement[] {
  const list = screen.queryByRole('tablist', { name: words.tabs.label });
  return list ? within(list).queryAllByRole('tab') : [];
}

/** The first tab, as soon as there is one. */
export const firstTab = (): Promise<HTMLElement> =>
  vi.waitFor(
    () => {
      const [tab] = openTabs();
      if (!tab) throw new Error('no tab is open');
      return tab;
    },
    { timeout: 15_000 },
  );

/** The selected wells in the sidebar. */
export const selectedWells = (): HTMLElement[] =>
  within(screen.getByRole('grid', { name: words.wells.heading })).queryAllByRole('row', { selected: true });
